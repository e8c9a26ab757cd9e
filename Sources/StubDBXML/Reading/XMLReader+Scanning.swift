extension XMLReader {
  /// The XML declaration, if there is one; its encoding must be that of the text.
  mutating func skipDeclaration() throws(XMLSyntaxError) {
    guard bytes[place...].starts(with: "<?xml".utf8), place + 5 < bytes.count,
      Self.isSpace(bytes[place + 5])
    else { return }
    let declaration = try upTo("?>", "the XML declaration").lowercased()
    guard let encoding = declaration.firstRange(of: "encoding") else { return }
    let rest = declaration[encoding.upperBound...].drop { " \t\r\n=\"'".contains($0) }
    let name = String(rest.prefix { !"\"' \t\r\n?".contains($0) })
    guard ["utf-8", "us-ascii", "ascii"].contains(name) else {
      throw failure("the encoding \(name) is not understood; only UTF-8 is")
    }
  }

  /// A document type without declarations of its own is passed over; what it refers to is never fetched.
  mutating func skipDocumentType() throws(XMLSyntaxError) {
    var quote: UInt8?
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "[") {
        throw failure("a document type with declarations is refused", at: place - 1)
      } else if byte == UInt8(ascii: ">") {
        return
      }
    }
    throw failure("the document type is not closed")
  }

  /// A name of an element, an attribute or an instruction, colons included.
  mutating func name() throws(XMLSyntaxError) -> String {
    let start = place
    while place < bytes.count, Self.isNameByte(bytes[place]) { place += 1 }
    let first = start < place ? bytes[start] : UInt8(ascii: "-")
    guard
      first >= 0x80 || (first | 0x20 >= UInt8(ascii: "a") && first | 0x20 <= UInt8(ascii: "z"))
        || first == UInt8(ascii: "_") || first == UInt8(ascii: ":")
    else { throw failure("expected a name", at: start) }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

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

  /// The text up to a byte or the end, references replaced and line ends made one line feed.
  ///
  /// In attributes white space becomes spaces. https://www.w3.org/TR/xml/#AVNormalize
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

  /// A character reference or one of the five entities that every document has.
  private mutating func reference() throws(XMLSyntaxError) -> Unicode.Scalar {
    let start = place
    guard let end = bytes[place...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
      throw failure("an '&' that begins no reference; write &amp;")
    }
    let name = String(decoding: bytes[(place + 1)..<end], as: UTF8.self)
    place = end + 1
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "apos": return "'"
    case "quot": return "\""
    default: break
    }
    let digits = name.dropFirst(name.hasPrefix("#x") ? 2 : 1)
    guard name.hasPrefix("#"), digits.allSatisfy(\.isHexDigit),
      let value = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10),
      let scalar = Unicode.Scalar(value), Self.isAllowed(scalar)
    else { throw failure("the entity &\(name); is not declared", at: start) }
    return scalar
  }

  /// The text before the closing sign, which is taken too.
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

  /// Every byte beyond ASCII is taken for part of a name: its characters are nearly all allowed there.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"),
      UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...:
      true
    default: false
    }
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
      || scalar == "\t" || scalar == "\n" || scalar == "\r"
  }
}
