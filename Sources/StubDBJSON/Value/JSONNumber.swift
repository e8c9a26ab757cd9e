/// A JSON number, kept as its text so that nothing is lost to binary floating point.
///
/// Two values are equal if their texts are: `1`, `1.0` and `1e0` are different values that are numerically equal.
/// https://www.rfc-editor.org/rfc/rfc8259#section-6
public struct JSONNumber: Hashable, Sendable {
  /// The number as JSON text, such as `-12.50` or `1E400`; never empty.
  public let text: String

  package init(unchecked text: String) {
    self.text = text
  }

  /// Makes an integer.
  public init(_ value: Int) {
    text = String(value)
  }

  /// Makes the shortest text that reads back as the value; nil for NaN and infinities.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
  }

  /// The nearest double; infinite if the number is beyond a double's range.
  public var doubleValue: Double { Double(text) ?? .infinity }

  /// The number as an integer; nil if it has a fraction or an exponent, or does not fit.
  public var integerValue: Int? { Int(text) }
}
