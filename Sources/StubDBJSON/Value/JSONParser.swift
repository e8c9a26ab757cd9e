internal import Foundation
internal import StubDBSupport

/// A recursive-descent parser over UTF-8 bytes.
///
/// Foundation's parsers do not keep the text of numbers or duplicate names, and do not report places.
struct JSONParser {
  let bytes: UnsafeRawBufferPointer
  let maximumDepth: Int
  /// How many more values may come.
  private var valuesLeft: Int
  private let maximumValues: Int
  var position = 0
  var path: [String] = []
  var depth = 0

  init(bytes: UnsafeRawBufferPointer, maximumDepth: Int, maximumValues: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    self.maximumValues = maximumValues
    valuesLeft = maximumValues
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  mutating func parseDocument() throws(JSONSyntaxError) -> JSONValue {
    let value = try parseValue()
    skipWhiteSpace()
    if position < bytes.count { throw failure("unexpected text after the end of the value") }
    return value
  }

  private mutating func parseValue() throws(JSONSyntaxError) -> JSONValue {
    skipWhiteSpace()
    guard let byte = peek() else {
      throw failure("expected a value, found the end of the text")
    }
    guard valuesLeft > 0 else { throw failure("more than \(maximumValues) values") }
    valuesLeft -= 1
    switch byte {
    case UInt8(ascii: "{"):
      return try nested { (parser) throws(JSONSyntaxError) in try parser.parseObject() }
    case UInt8(ascii: "["):
      return try nested { (parser) throws(JSONSyntaxError) in try parser.parseArray() }
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try parseLiteral("true", .bool(true))
    case UInt8(ascii: "f"): return try parseLiteral("false", .bool(false))
    case UInt8(ascii: "n"): return try parseLiteral("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try parseNumber())
    default: throw failure("expected a value")
    }
  }

  private mutating func nested(
    _ parse: (inout JSONParser) throws(JSONSyntaxError) -> JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    depth += 1
    guard depth <= maximumDepth else {
      var error = failure("more than \(maximumDepth) arrays and objects inside each other")
      error.isAboutDepth = true
      throw error
    }
    let value = try parse(&self)
    depth -= 1
    return value
  }

  private mutating func parseObject() throws(JSONSyntaxError) -> JSONValue {
    position += 1
    var members: [String: JSONValue] = [:]
    skipWhiteSpace()
    if take(UInt8(ascii: "}")) { return .object(members) }
    while true {
      skipWhiteSpace()
      guard peek() == UInt8(ascii: "\"") else { throw failure("expected a member name in quotes") }
      let start = position
      let name = try parseString()
      path.append(name)
      skipWhiteSpace()
      guard take(UInt8(ascii: ":")) else { throw failure("expected ':' after a member name") }
      let value = try parseValue()
      guard members.updateValue(value, forKey: name) == nil else {
        throw failure("the member \"\(name)\" is given twice", at: start)
      }
      path.removeLast()
      skipWhiteSpace()
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else { throw failure("expected ',' or '}'") }
      try requireAnother(before: "}")
    }
  }

  private mutating func parseArray() throws(JSONSyntaxError) -> JSONValue {
    position += 1
    var elements: [JSONValue] = []
    skipWhiteSpace()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    while true {
      path.append(String(elements.count))
      elements.append(try parseValue())
      path.removeLast()
      skipWhiteSpace()
      if take(UInt8(ascii: "]")) { return .array(elements) }
      guard take(UInt8(ascii: ",")) else { throw failure("expected ',' or ']'") }
      try requireAnother(before: "]", index: elements.count)
    }
  }

  /// Throws for a comma after the last member or element, which JavaScript and YAML allow.
  private mutating func requireAnother(
    before end: Unicode.Scalar, index: Int? = nil
  ) throws(JSONSyntaxError) {
    skipWhiteSpace()
    guard peek() == UInt8(ascii: end) else { return }
    if let index { path.append(String(index)) }
    throw failure("'\(end)' after a comma; JSON has no comma after the last one, so remove it")
  }

  private mutating func parseLiteral(
    _ text: StaticString, _ value: JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    let length = text.utf8CodeUnitCount
    let isThere = text.withUTF8Buffer { literal in
      position + length <= bytes.count
        && bytes[position..<position + length].elementsEqual(literal)
    }
    guard isThere else { throw failure("expected a value") }
    position += length
    return value
  }

  private mutating func parseNumber() throws(JSONSyntaxError) -> JSONNumber {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if take(UInt8(ascii: "0")) {
      if isDigit(peek()) { throw failure("a number may not begin with 0", at: start) }
    } else {
      try parseDigits()
    }
    if take(UInt8(ascii: ".")) { try parseDigits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try parseDigits()
    }
    return JSONNumber(unchecked: String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func parseDigits() throws(JSONSyntaxError) {
    guard isDigit(peek()) else { throw failure("expected a digit") }
    while isDigit(peek()) { position += 1 }
  }

  private mutating func parseString() throws(JSONSyntaxError) -> String {
    let opening = position
    position += 1
    let start = position
    var isASCII = true
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        let text = try string(from: start, isASCII: isASCII)
        position += 1
        return text
      }
      if byte == UInt8(ascii: "\\") { return try parseEscapedString(from: start) }
      if byte < 0x20 { throw failure("a control character in a string must be escaped") }
      if byte >= 0x80 { isASCII = false }
      position += 1
    }
    throw failure("the string is not closed", at: opening)
  }

  private mutating func parseEscapedString(from start: Int) throws(JSONSyntaxError) -> String {
    var text = try string(from: start, isASCII: false)
    var runStart = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        text += try string(from: runStart, isASCII: false)
        position += 1
        if byte == UInt8(ascii: "\"") { return text }
        text.unicodeScalars.append(try parseEscape())
        runStart = position
      } else if byte < 0x20 {
        throw failure("a control character in a string must be escaped")
      } else {
        position += 1
      }
    }
    throw failure("the string is not closed", at: start - 1)
  }

  private mutating func parseEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let escape = peek()
    position += 1
    switch escape {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try parseUnicodeEscape()
    default: throw failure("an escape that JSON does not have", at: position - 2)
    }
  }

  private mutating func parseUnicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let start = position - 2
    let first = try parseHex()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw failure("half of a surrogate pair", at: start)
    }
    let second = try parseHex()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw failure("half of a surrogate pair", at: start) }
    return scalar
  }

  private mutating func parseHex() throws(JSONSyntaxError) -> UInt32 {
    guard position + 4 <= bytes.count else { throw failure("expected four hexadecimal digits") }
    var value: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw failure("expected four hexadecimal digits")
      }
      value = value << 4 + UInt32(digit)
    }
    position += 4
    return value
  }

  /// The bytes from `start` to the current position as text.
  private func string(from start: Int, isASCII: Bool) throws(JSONSyntaxError) -> String {
    let slice = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    if isASCII { return String(decoding: slice, as: UTF8.self) }
    guard let text = String(strictUTF8: slice) else {
      throw failure("the text is not valid UTF-8", at: start)
    }
    return text
  }

  private mutating func skipWhiteSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  private func peek() -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position += 1
    return true
  }

  private func isDigit(_ byte: UInt8?) -> Bool {
    guard let byte else { return false }
    return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private func failure(_ message: String, at place: Int? = nil) -> JSONSyntaxError {
    let place = min(place ?? position, bytes.count)
    let before = bytes[..<place]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return JSONSyntaxError(
      message: message, line: before.count { $0 == 0x0A } + 1, column: place - lineStart + 1,
      pointer: JSONPointer(path))
  }
}
