/// A JSON number, kept as its text so that nothing is lost to binary floating point.
///
/// Two numbers are equal when their texts are; `1`, `1.0` and `1e0` are three numbers that are
/// numerically equal. https://www.rfc-editor.org/rfc/rfc8259#section-6
public struct JSONNumber: Hashable, Sendable {
  /// The number as JSON text, such as `-12.50` or `1E400`; never empty.
  public let text: String

  package init(unchecked text: String) {
    self.text = text
  }

  /// Makes a whole number.
  public init(_ value: Int) {
    text = String(value)
  }

  /// Makes the shortest text that reads back as the value; nil for NaN and the infinities.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
  }

  /// The nearest double; infinite where the number is beyond a double's range.
  public var doubleValue: Double { Double(text) ?? .infinity }

  /// The number as an integer, or nil where it has a fraction, an exponent or does not fit.
  public var integerValue: Int? { Int(text) }
}
