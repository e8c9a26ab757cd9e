import StubDBModel
import StubDBSupport

/// The tokens of a GraphQL document; documents that differ only in white space, commas and comments have the same
/// tokens.
///
/// https://spec.graphql.org/October2021/#sec-Source-Text
struct GraphQLTokens: Hashable, Sendable {
  /// Reports why a text is not GraphQL.
  struct SyntaxError: Error {
    /// A phrase with the place.
    var message: String
  }

  /// The tokens in order, as written.
  let tokens: [String]

  /// Tokenizes a document.
  ///
  /// - Throws: A ``SyntaxError`` for an invalid token, an unclosed string or bracket, and a document without tokens. The
  /// grammar beyond tokens and brackets is not checked.
  init(_ text: String) throws(SyntaxError) {
    var lexer = Lexer(bytes: Array(text.utf8))
    tokens = try lexer.tokens()
    if tokens.isEmpty { throw SyntaxError(message: "it is empty") }
  }

  /// Tokenizes a document and takes its tokens off the limit; nil if there are more tokens than the limit allows.
  ///
  /// - Throws: As ``init(_:)``.
  init?(_ text: String, visiting limit: inout Int) throws(SyntaxError) {
    try self.init(text)
    let isWithin = tokens.count <= limit
    limit = max(0, limit - tokens.count)
    if !isWithin { return nil }
  }

  static func == (left: GraphQLTokens, right: GraphQLTokens) -> Bool {
    left.tokens.elementsEqual(right.tokens, by: ByteText.isEqual)
  }

  /// The distance from other tokens, from 0 (equal) to 1: the share outside the common beginning and end.
  func distance(to other: GraphQLTokens) -> Double {
    let (shorter, longer) = (
      min(tokens.count, other.tokens.count), max(tokens.count, other.tokens.count)
    )
    var (start, end) = (0, 0)
    while start < shorter, ByteText.isEqual(tokens[start], other.tokens[start]) { start += 1 }
    while end < shorter - start,
      ByteText.isEqual(
        tokens[tokens.count - 1 - end], other.tokens[other.tokens.count - 1 - end])
    {
      end += 1
    }
    return Double(longer - start - end) / Double(longer)
  }

  /// The tokens around the first difference, for messages.
  func excerpt(around other: GraphQLTokens) -> String {
    var start = 0
    while start < min(tokens.count, other.tokens.count),
      ByteText.isEqual(tokens[start], other.tokens[start])
    {
      start += 1
    }
    let first = max(0, start - 6)
    let shown = (first..<min(tokens.count, start + 12)).map(display).joined(separator: " ")
    return (first > 0 ? "… " : "") + shown + (start + 12 < tokens.count ? " …" : "")
  }

  /// The token, or its replacement where it is the value of a field that looks secret.
  private func display(_ index: Int) -> String {
    guard index > 1, tokens[index - 1] == ":" else { return tokens[index] }
    return SecretDisplay.value(tokens[index], of: tokens[index - 2])
  }

  private struct Lexer {
    let bytes: [UInt8]
    var place = 0
    /// The offsets of the open brackets.
    private var open: [Int] = []

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    mutating func tokens() throws(SyntaxError) -> [String] {
      var tokens: [String] = []
      while place < bytes.count {
        let start = place
        switch bytes[place] {
        case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","):
          place += 1
          continue
        case 0xEF where bytes[place...].starts(with: [0xEF, 0xBB, 0xBF]):
          place += 3
          continue
        case UInt8(ascii: "#"):
          while place < bytes.count, bytes[place] != 0x0A, bytes[place] != 0x0D { place += 1 }
          continue
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "."):
          guard bytes[place...].starts(with: "...".utf8) else { throw problem("a lone dot") }
          place += 3
        case let byte where "([{".utf8.contains(byte):
          open.append(place)
          place += 1
        case let byte where ")]}".utf8.contains(byte): try close(byte)
        case let byte where "!$&:=@|".utf8.contains(byte): place += 1
        case let byte where byte.isASCIIDigit || byte == UInt8(ascii: "-"): try skipNumber()
        case let byte where Self.isWord(byte):
          while place < bytes.count, Self.isWord(bytes[place]) { place += 1 }
        default: throw problem("a character that no token begins with")
        }
        tokens.append(String(decoding: bytes[start..<place], as: UTF8.self))
      }
      if let first = open.first {
        place = first
        throw problem("a bracket that is not closed")
      }
      return tokens
    }

    private mutating func close(_ byte: UInt8) throws(SyntaxError) {
      // In ASCII, the closing bracket comes one or two after the opening one.
      guard let start = open.popLast(), (1...2).contains(Int(byte) - Int(bytes[start])) else {
        throw problem("a bracket that closes none")
      }
      place += 1
    }

    /// A number by https://spec.graphql.org/October2021/#sec-Int-Value or as a decimal fraction.
    private mutating func skipNumber() throws(SyntaxError) {
      if bytes[place] == UInt8(ascii: "-") { place += 1 }
      let isZero = place < bytes.count && bytes[place] == UInt8(ascii: "0")
      let count = skipDigits()
      guard count == 1 || count > 1 && !isZero else { throw problem("an invalid number") }
      if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
        place += 1
        guard skipDigits() > 0 else { throw problem("a number without digits after its point") }
      }
      if place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") {
        place += 1
        if place < bytes.count, "+-".utf8.contains(bytes[place]) { place += 1 }
        guard skipDigits() > 0 else { throw problem("a number without digits in its exponent") }
      }
      guard place < bytes.count else { return }
      if Self.isWord(bytes[place]) || bytes[place] == UInt8(ascii: ".") {
        throw problem("a number that goes on as something else")
      }
    }

    private mutating func skipDigits() -> Int {
      let start = place
      while place < bytes.count, bytes[place].isASCIIDigit { place += 1 }
      return place - start
    }

    /// The escape after a backslash in a string on one line.
    private mutating func skipEscape() throws(SyntaxError) {
      let start = place
      place += 1
      guard place < bytes.count else { return }
      let sign = bytes[place]
      place += 1
      if "\"\\/bfnrt".utf8.contains(sign) { return }
      if sign == UInt8(ascii: "u") {
        let isBraced = place < bytes.count && bytes[place] == UInt8(ascii: "{")
        let rest = bytes[(isBraced ? place + 1 : place)...].prefix(isBraced ? 7 : 4)
        let digits = rest.prefix { $0 < 0x80 && Character(Unicode.Scalar($0)).isHexDigit }
        let isWhole =
          isBraced
          ? !digits.isEmpty && digits.endIndex < bytes.count
            && bytes[digits.endIndex] == UInt8(ascii: "}")
          : digits.count == 4
        place = digits.endIndex + (isBraced ? 1 : 0)
        if isWhole { return }
      }
      place = start
      throw problem("an invalid escape")
    }

    private mutating func skipString() throws(SyntaxError) {
      let isBlock = bytes[place...].starts(with: "\"\"\"".utf8)
      let start = place
      place += isBlock ? 3 : 1
      while place < bytes.count {
        let byte = bytes[place]
        if byte == UInt8(ascii: "\\"), !isBlock {
          try skipEscape()
        } else if byte == UInt8(ascii: "\\") {
          place += bytes[place...].starts(with: "\\\"\"\"".utf8) ? 4 : 1
        } else if isBlock {
          if bytes[place...].starts(with: "\"\"\"".utf8) {
            place += 3
            return
          }
          place += 1
        } else if byte == UInt8(ascii: "\"") {
          place += 1
          return
        } else if byte == 0x0A || byte == 0x0D {
          break
        } else {
          place += 1
        }
      }
      place = start
      throw problem("a string that is not closed")
    }

    private static func isWord(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte.isASCIIDigit
        || byte == UInt8(ascii: "_")
    }

    private func problem(_ what: String) -> SyntaxError {
      SyntaxError(message: "\(what) at byte \(place + 1)")
    }
  }
}
