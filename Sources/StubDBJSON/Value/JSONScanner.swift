import Foundation

/// Reads JSON text token by token, by the grammar of RFC 8259.
///
/// Nothing recurses: how deep values nest is limited by a number, not by the stack. What tokens become, a tree or other
/// text, is up to the caller, who also looks for duplicate names and for bytes that are not UTF-8.
package struct JSONScanner {
  package enum Token: Sendable {
    case beginObject, endObject, beginArray, endArray, name, string, number, yes, no, null
  }

  private enum State {
    /// After the bracket that begins an array or an object.
    case begun
    /// Before a value that must come.
    case value
    /// Before the name of a member that must come.
    case name
    /// After the name of a member.
    case colon
    /// After a value.
    case separator
  }

  let bytes: UnsafeRawBufferPointer
  let isLenient: Bool
  private let maximumDepth: Int
  private let maximumValues: Int
  /// How many more values may come.
  private var valuesLeft: Int
  private var state = State.value
  /// Whether each array or object around the position is an object, from the outside in.
  private var containers: [Bool] = []
  /// The same of the innermost one.
  private var isInObject = false
  /// Where the last token begins.
  package internal(set) var start = 0
  /// Where the last token ends.
  package internal(set) var position = 0
  /// Whether the last name or string has escapes.
  package internal(set) var isEscaped = false

  /// Begins at the start of a text; a lenient scanner accepts comments, strings in single quotes, and halves of
  /// surrogate pairs.
  package init(
    _ bytes: UnsafeRawBufferPointer, isLenient: Bool = false,
    maximumDepth: Int = JSONValue.maximumDepth,
    maximumValues: Int = JSONValue.maximumDocumentValues
  ) {
    self.bytes = bytes
    self.isLenient = isLenient
    self.maximumDepth = maximumDepth
    self.maximumValues = maximumValues
    valuesLeft = maximumValues
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// How many arrays and objects have begun and not ended.
  package var depth: Int { containers.count }

  /// Whether a value must come, so that an error is about it and not about what is around it.
  package var isBeforeValue: Bool { state == .value }

  /// The bytes of the last token.
  package var token: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[start..<position])
  }

  /// The last name or string between its quotation marks, with its escapes.
  package var content: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[start + 1..<position - 1])
  }

  /// The text of the last name or string; U+FFFD replaces what is not UTF-8.
  package var text: String {
    isEscaped ? JSONEscapes.decoded(content) : String(decoding: content, as: UTF8.self)
  }

  /// The next token; nil after the end of the value, which nothing but white space may follow.
  package mutating func next() throws(JSONSyntaxError) -> Token? {
    try skipSpace()
    let closing = isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    switch state {
    case .value, .name: break
    case .begun:
      if take(closing) { return end() }
      state = isInObject ? .name : .value
    case .colon:
      guard take(UInt8(ascii: ":")) else { throw failure("expected ':' after a member name") }
      state = .value
      try skipSpace()
    case .separator:
      guard !containers.isEmpty else {
        if position < bytes.count { throw failure("unexpected text after the end of the value") }
        return nil
      }
      if take(closing) { return end() }
      guard take(UInt8(ascii: ",")) else { throw failure("expected ',' or '\(closingText)'") }
      state = isInObject ? .name : .value
      try skipSpace()
      // JavaScript and YAML allow this.
      if position < bytes.count, bytes[position] == closing {
        throw failure(
          "'\(closingText)' after a comma; JSON has no comma after the last one, so remove it")
      }
    }
    return state == .name ? try scanName() : try scanValue()
  }

  /// An error at a place in the text, by default where the scanner is.
  package func failure(_ message: String, at place: Int? = nil) -> JSONSyntaxError {
    let place = min(place ?? position, bytes.count)
    let before = bytes[..<place]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return JSONSyntaxError(
      message: message, line: before.count { $0 == 0x0A } + 1, column: place - lineStart + 1,
      pointer: JSONPointer())
  }
}

// MARK: - Names, values and what is between them

extension JSONScanner {
  private var closingText: String { isInObject ? "}" : "]" }

  private mutating func begin(_ token: Token) throws(JSONSyntaxError) -> Token {
    guard containers.count < maximumDepth else {
      throw failure("more than \(maximumDepth) arrays and objects inside each other")
    }
    isInObject = token == .beginObject
    containers.append(isInObject)
    position += 1
    state = .begun
    return token
  }

  /// Ends the innermost array or object, whose bracket was taken.
  private mutating func end() -> Token {
    start = position - 1
    state = .separator
    let token: Token = containers.removeLast() ? .endObject : .endArray
    isInObject = containers.last ?? false
    return token
  }

  private mutating func scanName() throws(JSONSyntaxError) -> Token {
    guard position < bytes.count,
      bytes[position] == UInt8(ascii: "\"") || isLenient && bytes[position] == UInt8(ascii: "'")
    else { throw failure("expected a member name in quotes") }
    try scanString()
    state = .colon
    return .name
  }

  private mutating func scanValue() throws(JSONSyntaxError) -> Token {
    guard position < bytes.count else {
      throw failure("expected a value, found the end of the text")
    }
    guard valuesLeft > 0 else { throw failure("more than \(maximumValues) values") }
    valuesLeft -= 1
    start = position
    let token: Token
    switch bytes[position] {
    case UInt8(ascii: "{"): return try begin(.beginObject)
    case UInt8(ascii: "["): return try begin(.beginArray)
    case UInt8(ascii: "\""):
      try scanString()
      token = .string
    case UInt8(ascii: "'") where isLenient:
      try scanString()
      token = .string
    case UInt8(ascii: "t"): token = try scanLiteral("true", .yes)
    case UInt8(ascii: "f"): token = try scanLiteral("false", .no)
    case UInt8(ascii: "n"): token = try scanLiteral("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try scanNumber()
      token = .number
    default: throw failure("expected a value")
    }
    state = .separator
    return token
  }

  private mutating func scanLiteral(
    _ text: StaticString, _ token: Token
  ) throws(JSONSyntaxError) -> Token {
    let end = position + text.utf8CodeUnitCount
    let isThere = text.withUTF8Buffer { literal in
      end <= bytes.count && bytes[position..<end].elementsEqual(literal)
    }
    guard isThere else { throw failure("expected a value") }
    position = end
    return token
  }

  private mutating func scanNumber() throws(JSONSyntaxError) {
    _ = take(UInt8(ascii: "-"))
    if take(UInt8(ascii: "0")) {
      if position < bytes.count, (0x30...0x39).contains(bytes[position]) {
        throw failure("a number may not begin with 0", at: start)
      }
    } else {
      try skipDigits()
    }
    if take(UInt8(ascii: ".")) { try skipDigits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try skipDigits()
    }
  }

  private mutating func skipDigits() throws(JSONSyntaxError) {
    let first = position
    while position < bytes.count, bytes[position] >= 0x30, bytes[position] <= 0x39 { position += 1 }
    guard position > first else { throw failure("expected a digit") }
  }

  private mutating func skipSpace() throws(JSONSyntaxError) {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      case UInt8(ascii: "/") where isLenient: try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(JSONSyntaxError) {
    let start = position
    let second = position + 1 < bytes.count ? bytes[position + 1] : 0
    if second == UInt8(ascii: "/") {
      position = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
    } else if second == UInt8(ascii: "*") {
      position += 2
      while true {
        guard position + 1 < bytes.count else {
          throw failure("the comment is not closed", at: start)
        }
        if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") { break }
        position += 1
      }
      position += 2
    } else {
      throw failure("expected a value")
    }
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }
}
