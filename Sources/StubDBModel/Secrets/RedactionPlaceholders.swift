package import Foundation

/// The texts that stand for values that were taken out: `REDACTED-1`, and `900000001` for a number.
package enum RedactionPlaceholders {
  private static let mark = Array("REDACTED-".utf8)
  /// How much larger the number that stands for a number is than that of its placeholder.
  private static let firstNumber = 900_000_000
  /// A number above these is more likely to be what it says.
  private static let numbers = firstNumber + 1...firstNumber + 9_999

  /// The placeholder with a number; that of a number is one, too.
  package static func text(_ number: Int, isNumber: Bool) -> String {
    isNumber ? String(firstNumber + number) : String(decoding: mark, as: UTF8.self) + "\(number)"
  }

  /// A placeholder in a text.
  package struct Occurrence {
    /// The placeholder; that of a number as its digits.
    package let text: String
    /// Its place, from the first letter to the last digit.
    package let range: Range<String.Index>
  }

  /// The placeholders of a text, whole and in order: `REDACTED-10` is not one that ends with `REDACTED-1`.
  package static func occurrences(in text: String) -> [Occurrence] {
    var copy = text
    let places = copy.withUTF8 { Self.places(in: UnsafeRawBufferPointer($0)) }
    var (end, count) = (text.startIndex, 0)
    return places.map { place in
      let start = text.utf8.index(end, offsetBy: place.lowerBound - count)
      end = text.utf8.index(start, offsetBy: place.count)
      count = place.upperBound
      return Occurrence(text: String(text[start..<end]), range: start..<end)
    }
  }

  /// Whether a placeholder is that of a number, which may also be what it says.
  package static func isOfNumber(_ placeholder: String) -> Bool {
    placeholder.utf8.first != mark[0]
  }

  /// Whether a text is a placeholder and nothing else.
  package static func isOne(_ text: String) -> Bool { all(in: text) == [text] }

  /// Whether a text has a placeholder.
  package static func isIn(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { next(in: UnsafeRawBufferPointer($0), from: 0) != nil }
  }

  /// The placeholders in a text; those of numbers as their digits.
  package static func all(in text: String) -> Set<String> {
    var text = text
    return text.withUTF8 { all(in: UnsafeRawBufferPointer($0)) }
  }

  /// The placeholders in the bytes of a text.
  package static func all(in content: Data) -> Set<String> {
    content.withUnsafeBytes { all(in: $0) }
  }

  /// The largest number of a placeholder in a text; 0 if it has none.
  package static func largestNumber(in text: String) -> Int {
    var text = text
    return text.withUTF8 { bytes in
      var (largest, place) = (0, 0)
      while let found = next(in: UnsafeRawBufferPointer(bytes), from: place) {
        let digits = String(decoding: bytes[found.digits].prefix(9), as: UTF8.self)
        let number = Int(digits) ?? 0
        largest = max(largest, found.isNumber ? number - firstNumber : number)
        place = found.digits.upperBound
      }
      return largest
    }
  }

  /// The text with other digits in its placeholders, but for those of numbers, which may be what they say.
  package static func renumbered(
    _ text: String, _ digits: (_ digits: String) -> String
  ) -> String {
    var text = text
    return text.withUTF8 { bytes in
      var (result, copied, place) = ([UInt8](), 0, 0)
      while let found = next(in: UnsafeRawBufferPointer(bytes), from: place) {
        place = found.digits.upperBound
        guard !found.isNumber else { continue }
        result += bytes[copied..<found.digits.lowerBound]
        result += Array(digits(String(decoding: bytes[found.digits], as: UTF8.self)).utf8)
        copied = place
      }
      return String(decoding: result + bytes[copied...], as: UTF8.self)
    }
  }

  private static func all(in bytes: UnsafeRawBufferPointer) -> Set<String> {
    Set(places(in: bytes).map { String(decoding: bytes[$0], as: UTF8.self) })
  }

  /// The places of all placeholders, from the first letter to the last digit.
  private static func places(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
    var found: [Range<Int>] = []
    while let next = next(in: bytes, from: found.last?.upperBound ?? 0) {
      let start = next.digits.lowerBound - (next.isNumber ? 0 : mark.count)
      found.append(start..<next.digits.upperBound)
    }
    return found
  }

  /// The digits of the next placeholder, and whether it stands for a number; nil if there is none.
  private static func next(
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
