/// Caches the values parsed from the texts of a column, so that equal texts are parsed once.
///
/// The last text is compared byte by byte, without making a string; others are looked up.
struct RecentValues<Value> {
  private var last: (text: String, value: Value)?
  private var values: [String: Value] = [:]

  /// The value of a column's text, made by the closure if it is not cached; nil for NULL.
  mutating func value(
    of row: HashedRows, _ column: Int,
    _ make: (String) throws -> (Value, isReusable: Bool)
  ) throws -> Value? {
    if row.isNull(column) { return nil }
    if let last, last.text.hasBytes(row.bytes(column)) { return last.value }
    let text = try row.text(column)
    if let value = values[text] {
      last = (text, value)
      return value
    }
    let (value, isReusable) = try make(text)
    if isReusable {
      values[text] = value
      last = (text, value)
    }
    return value
  }
}
