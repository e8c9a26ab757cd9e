import StubDBJSON

/// Text that is a number, as a value of a request writes it.
enum NumberText {
  /// The number; nil if the text is not a number.
  ///
  /// Numbers are decimal. They may have a sign, a fraction and an exponent (`+1`, `.5`, `1.`, `1e3`); white space at
  /// both ends is ignored. The number is kept as text, so that no digit is lost.
  static func number(_ text: String) -> JSONNumber? {
    var digits = Array(text.utf8)[...]
    while let last = digits.last, isBlank(last) { digits.removeLast() }
    while let first = digits.first, isBlank(first) { digits.removeFirst() }
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    var rest = digits
    let whole = takeDigits(&rest)
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = takeDigits(&rest)
    }
    guard whole + fraction > 0 else { return nil }
    if let byte = rest.first, byte | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      guard takeDigits(&rest) > 0 else { return nil }
    }
    guard rest.isEmpty else { return nil }
    return JSONNumber(unchecked: (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))
  }

  /// How far a number is from another one, from 0 for the same to 1.
  static func distance(_ left: JSONNumber, _ right: JSONNumber) -> Double {
    let (first, second) = (left.doubleValue, right.doubleValue)
    let size = max(abs(first), abs(second))
    guard size.isFinite, size > 0 else { return 1 }
    return min(1, abs(first - second) / size)
  }

  private static func takeDigits(_ bytes: inout ArraySlice<UInt8>) -> Int {
    let count = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    bytes = bytes.dropFirst(count)
    return count
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
