package import Foundation
package import StubDBJSON
package import StubDBModel

/// Making, finding and rewriting placeholders, which tests need not.
extension RedactionPlaceholders {
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
}

extension RedactionPlaceholders {
  /// The placeholders in the texts, numbers and names of a value, also in credentials such as `Basic dXNlcjpwYXNz` and in
  /// content in base64.
  package static func all(in value: JSONValue) -> Set<String> {
    switch value {
    case .string(let text): texts(text)
    case .number(let number): all(in: number.text)
    case .array(let elements): elements.reduce(into: []) { $0.formUnion(all(in: $1)) }
    case .object(let members):
      members.reduce(into: []) {
        $0.formUnion(all(in: $1.key))
        $0.formUnion(all(in: $1.value))
      }
    case .null, .bool: []
    }
  }

  private static func texts(_ text: String) -> Set<String> {
    let found = all(in: text)
    let word = text.lowercased().hasPrefix("basic ") ? String(text.dropFirst(6)) : text
    guard found.isEmpty, word.utf8.count >= 12, let bytes = Data(base64Encoded: word) else {
      return found
    }
    return all(in: bytes)
  }
}
