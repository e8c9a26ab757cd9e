/// The texts that represent values that were taken out: `REDACTED-1`, and `900000001` for a number.
package enum RedactionPlaceholders {
  package static let mark = Array("REDACTED-".utf8)
  /// How much larger the number that represents a number is than that of its placeholder.
  package static let firstNumber = 900_000_000
  /// A number above these is more likely to be what it says.
  private static let numbers = firstNumber + 1...firstNumber + 9_999

  /// Whether a text has a placeholder.
  package static func isIn(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { next(in: UnsafeRawBufferPointer($0), from: 0) != nil }
  }

  /// The digits of the next placeholder, and whether it represents a number, or nil.
  package static func next(
    in bytes: UnsafeRawBufferPointer, from start: Int
  ) -> (digits: Range<Int>, isNumber: Bool)? {
    var place = start
    while place < bytes.count {
      guard bytes[place].isDigit else {
        place += 1
        continue
      }
      let first = place
      while place < bytes.count, bytes[place].isDigit { place += 1 }
      if first >= mark.count, bytes[first - mark.count..<first].elementsEqual(mark) {
        return (first..<place, false)
      }
      guard place - first == 9 else { continue }
      let number = Int(String(decoding: bytes[first..<place], as: UTF8.self))
      if number.map(numbers.contains) == true { return (first..<place, true) }
    }
    return nil
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
