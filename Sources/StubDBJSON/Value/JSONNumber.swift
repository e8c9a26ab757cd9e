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

extension JSONNumber: CustomStringConvertible {
  /// The number as it was written.
  public var description: String { text }
}

extension JSONNumber {
  /// Whether two numbers are exactly the same quantity, however they are written.
  ///
  /// `1`, `1.0` and `10e-1` are; `0.1` and `0.1000000000000000055` are not.
  public func isNumericallyEqual(to other: JSONNumber) -> Bool {
    text == other.text
      // Equal quantities have the same nearest double, which is found without allocating.
      || doubleValue == other.doubleValue && Decimal(text) == Decimal(other.text)
  }

  /// Whether this number is exactly less than the other one, however they are written.
  public func isNumericallyLess(than other: JSONNumber) -> Bool {
    let (left, right) = (doubleValue, other.doubleValue)
    return left == right ? Decimal(text) < Decimal(other.text) : left < right
  }

  /// A text that is equal for two numbers exactly if they are numerically equal.
  package var canonicalText: String {
    let value = Decimal(text)
    return (value.isNegative ? "-" : "") + String(decoding: value.digits, as: UTF8.self)
      + "e\(value.exponent)"
  }

  /// Whether the number is an integer: `2`, `2.0` and `2e3` are.
  public var isWhole: Bool { Decimal(text).exponent >= 0 }

  /// Whether the number is an exact integer multiple of a positive divisor.
  ///
  /// A divisor of more than 17 digits divides only zero.
  public func isMultiple(of divisor: JSONNumber) -> Bool {
    let (value, divisor) = (Decimal(text), Decimal(divisor.text))
    if value.digits.isEmpty { return true }
    let shift = value.exponent - divisor.exponent
    // The digits have no trailing zeros, so a smaller power of ten rules out divisibility.
    guard shift >= 0, shift <= 10_000, !divisor.digits.isEmpty, divisor.digits.count <= 17,
      let modulus = Int(String(decoding: divisor.digits, as: UTF8.self))
    else { return false }
    var remainder = 0
    for digit in value.digits { remainder = (remainder * 10 + Int(digit) - 48) % modulus }
    for _ in 0..<shift { remainder = remainder * 10 % modulus }
    return remainder == 0
  }

  /// A number as sign, digits without zeros at either end, and a power of ten.
  private struct Decimal: Comparable {
    var isNegative: Bool
    var digits: [UInt8]
    var exponent: Int

    init(_ text: String) {
      isNegative = text.utf8.first == UInt8(ascii: "-")
      digits = []
      exponent = 0
      var isFraction = false
      for (offset, byte) in text.utf8.enumerated() {
        if byte == UInt8(ascii: ".") {
          isFraction = true
        } else if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
          exponent += Self.exponent(text.utf8.dropFirst(offset + 1))
          break
        } else if byte != UInt8(ascii: "-") {
          digits.append(byte)
          if isFraction { exponent -= 1 }
        }
      }
      while digits.last == UInt8(ascii: "0") {
        digits.removeLast()
        exponent += 1
      }
      digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
      if digits.isEmpty { (isNegative, exponent) = (false, 0) }
    }

    static func < (left: Decimal, right: Decimal) -> Bool {
      if left.sign != right.sign { return left.sign < right.sign }
      let (small, large) = left.sign < 0 ? (right, left) : (left, right)
      let (smallSize, largeSize) = (
        small.digits.count + small.exponent, large.digits.count + large.exponent
      )
      if left.sign == 0 { return false }
      if smallSize != largeSize { return smallSize < largeSize }
      return small.digits.lexicographicallyPrecedes(large.digits)
    }

    private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

    /// The written exponent, clamped to a value beyond which no memory could contain the digits.
    private static func exponent(_ text: Substring.UTF8View) -> Int {
      let largest = Int(Int32.max)
      let value = Int(String(decoding: text, as: UTF8.self))
      return max(
        -largest, min(largest, value ?? (text.first == UInt8(ascii: "-") ? -largest : largest)))
    }
  }
}
