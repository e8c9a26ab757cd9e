internal import Foundation

/// Parts that cassettes of several tools have in common.
enum CassetteParts {
  /// Header fields as an object of names; values are lists, texts or null.
  ///
  /// What is neither stays unread, and so becomes a line of the report.
  static func headers(_ value: SourceValue?) -> RecordedHeaders {
    var headers = RecordedHeaders()
    if value?.isNull == true { value?.ignore() }
    for member in value?.members ?? [] {
      let values = member.value.elementsOrSelf
      for value in values {
        if value.isNull { value.ignore() }
        guard let text = value.text else { continue }
        headers.append(member.name, text)
      }
    }
    return headers
  }

  /// A text that is tagged as base64, or plain; in a tool's escapes, bytes stand as the characters up to U+00FF.
  ///
  /// It is binary if the tool says that the text has no character encoding.
  static func body(_ value: SourceValue?, isBinary: Bool = false) -> RecordedBody {
    guard let value else { return .none }
    if value.isBinary { return RecordedContent.base64(value) }
    if isBinary, let data = value.peekedText.flatMap(latin1) {
      value.keep()
      return .bytes(data)
    }
    return RecordedContent.body(value)
  }

  /// The bytes that characters up to U+00FF represent; nil if all are ASCII, or any is beyond.
  private static func latin1(_ text: String) -> Data? {
    guard text.unicodeScalars.contains(where: { $0.value >= 0x80 }),
      text.unicodeScalars.allSatisfy({ $0.value <= 0xFF })
    else { return nil }
    return Data(text.unicodeScalars.map { UInt8($0.value) })
  }

  /// Bytes in hexadecimal digits; nil for other texts.
  static func hexadecimal(_ text: String) -> Data? {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    var bytes = Data(capacity: digits.count / 2)
    for place in stride(from: 0, to: digits.count, by: 2) {
      bytes.append(UInt8(digits[place] * 16 + digits[place + 1]))
    }
    return bytes
  }

  /// The name of a cassette: its path below the folder of all cassettes.
  static func name(of input: ImportInput) -> [String] {
    let roots: Set<String> = ["cassettes", "vcr_cassettes", "fixtures", "recordings"]
    guard let place = input.path.dropLast().lastIndex(where: roots.contains) else {
      return input.path
    }
    return Array(input.path[(place + 1)...])
  }
}
