extension JSONNumber {
  /// Whether two numbers are the same quantity, exactly, however they are written.
  ///
  /// `1`, `1.0` and `10e-1` are; `0.1` and `0.1000000000000000055` are not.
  public func isNumericallyEqual(to other: JSONNumber) -> Bool {
    text == other.text || Decimal(text) == Decimal(other.text)
  }

  /// A number as sign, digits without zeros at either end, and a power of ten.
  private struct Decimal: Equatable {
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

    /// The written exponent; one that no memory could hold the digits of counts as the largest such.
    private static func exponent(_ text: Substring.UTF8View) -> Int {
      let largest = Int(Int32.max)
      let value = Int(String(decoding: text, as: UTF8.self))
      return max(
        -largest, min(largest, value ?? (text.first == UInt8(ascii: "-") ? -largest : largest)))
    }
  }
}
