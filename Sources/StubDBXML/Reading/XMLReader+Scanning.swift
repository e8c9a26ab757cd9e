extension XMLReader {
  mutating func attributeValue() throws(XMLSyntaxError) -> String {
    guard place < bytes.count,
      bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'")
    else { throw failure("expected a value in quotes") }
    let quote = bytes[place]
    place += 1
    let value = try text(upTo: quote, isAttribute: true)
    guard place < bytes.count else { throw failure("a value is not closed") }
    place += 1
    return value
  }

  /// Reads text up to a byte or the end, resolves references and normalizes line ends to line feeds.
  ///
  /// In attributes, white space becomes spaces. https://www.w3.org/TR/xml/#AVNormalize
  mutating func text(upTo end: UInt8, isAttribute: Bool) throws(XMLSyntaxError) -> String {
    var result: [UInt8] = []
    while place < bytes.count, bytes[place] != end {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "&"):
        result += Array(String(try reference()).utf8)
        continue
      case UInt8(ascii: "<"): throw failure("'<' inside a value")
      case 0x0D:
        let isPair = place + 1 < bytes.count && bytes[place + 1] == 0x0A
        if isPair { place += 1 }
        result.append(isAttribute ? 0x20 : 0x0A)
      case 0x09, 0x0A: result.append(isAttribute ? 0x20 : byte)
      case 0..<0x20: throw failure("a control character")
      case UInt8(ascii: "]") where !isAttribute && bytes[place...].starts(with: "]]>".utf8):
        throw failure("\"]]>\" inside text")
      default: result.append(byte)
      }
      place += 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Resolves a character reference or one of the five predefined entities.
  ///
  /// https://www.w3.org/TR/xml/#sec-references
  private mutating func reference() throws(XMLSyntaxError) -> Unicode.Scalar {
    let start = place
    place += 1
    let isCharacter = take("#")
    let name = isCharacter ? takeDigits() : (try? self.name()) ?? ""
    guard !name.isEmpty, take(";") else {
      throw failure("this '&' does not begin a reference; write &amp;", at: start)
    }
    if isCharacter {
      let isHexadecimal = name.hasPrefix("x")
      let digits = name.dropFirst(isHexadecimal ? 1 : 0).drop { $0 == "0" }
      guard digits.utf8.count <= 8, let value = UInt32(digits, radix: isHexadecimal ? 16 : 10),
        let scalar = Unicode.Scalar(value), Self.isAllowed(scalar)
      else { throw failure("&#\(name.prefix(12)); is not a character that XML allows", at: start) }
      return scalar
    }
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "apos": return "'"
    case "quot": return "\""
    default: throw failure("the entity &\(name); is not declared", at: start)
    }
  }

  /// The decimal digits of a character reference, or `x` and hexadecimal ones; empty for anything else.
  private mutating func takeDigits() -> String {
    let start = place
    let isHexadecimal = take("x")
    while place < bytes.count, Self.isDigit(bytes[place], hexadecimal: isHexadecimal) { place += 1 }
    guard place > start + (isHexadecimal ? 1 : 0) else { return "" }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8, hexadecimal: Bool) -> Bool {
    switch byte {
    case 0x30...0x39: true
    case 0x41...0x46, 0x61...0x66: hexadecimal
    default: false
    }
  }

  /// Reads the text before the closing delimiter, and the delimiter.
  mutating func upTo(_ end: String, _ what: String) throws(XMLSyntaxError) -> String {
    let start = place
    let closing = Array(end.utf8)
    while place + closing.count <= bytes.count {
      if bytes[place] == closing[0], bytes[place...].starts(with: closing) {
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        place += closing.count
        return text.utf8.contains(0x0D)
          ? text.replacing("\r\n", with: "\n").replacing("\r", with: "\n") : text
      }
      if bytes[place] < 0x20, !Self.isSpace(bytes[place]) { throw failure("a control character") }
      place += 1
    }
    throw failure("\(what) is not closed", at: start)
  }

  mutating func take(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard place + length <= bytes.count else { return false }
    let isThere = text.withUTF8Buffer { bytes[place..<place + length].elementsEqual($0) }
    if isThere { place += length }
    return isThere
  }

  @discardableResult mutating func skipSpace() -> Bool {
    let start = place
    while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
    return place > start
  }

  func failure(_ message: String, at offset: Int? = nil) -> XMLSyntaxError {
    let before = bytes[..<min(offset ?? place, bytes.count)]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return XMLSyntaxError(
      message: message, line: before.count { $0 == 0x0A } + 1,
      column: before.count - lineStart + 1)
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// The offset of U+FFFE or U+FFFF, which XML forbids; nil if the document has neither.
  var placeOfNoncharacter: Int? {
    bytes.indices.first { index in
      bytes[index] == 0xEF && index + 2 < bytes.count && bytes[index + 1] == 0xBF
        && bytes[index + 2] >= 0xBE
    }
  }

  /// Whether XML allows the character: https://www.w3.org/TR/xml/#NT-Char.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
      || scalar == "\t" || scalar == "\n" || scalar == "\r"
  }
}
