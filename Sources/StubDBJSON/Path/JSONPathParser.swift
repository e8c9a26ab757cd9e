extension JSONPath {
  /// A recursive-descent parser of the grammar of RFC 9535, appendix A.
  struct Parser {
    /// How deep brackets, parentheses and calls may nest.
    static let maximumDepth = 128

    let scalars: [Unicode.Scalar]
    var position = 0
    var depth = 0

    init(_ text: String) {
      scalars = Array(text.unicodeScalars)
    }

    mutating func parseQuery() throws(JSONPathSyntaxError) -> [Segment] {
      guard take("$") else { throw failure("a query begins with '$'") }
      let segments = try parseSegments()
      if position < scalars.count { throw failure("unexpected text") }
      return segments
    }

    /// Parses segments as long as there are any; white space after the last one is not consumed.
    mutating func parseSegments() throws(JSONPathSyntaxError) -> [Segment] {
      var segments: [Segment] = []
      while true {
        let start = position
        skipWhiteSpace()
        guard let segment = try parseSegment() else {
          position = start
          return segments
        }
        segments.append(segment)
      }
    }

    private mutating func parseSegment() throws(JSONPathSyntaxError) -> Segment? {
      if take("[") { return Segment(isDescendant: false, selectors: try parseBracketed()) }
      guard take(".") else { return nil }
      if take(".") {
        if take("[") { return Segment(isDescendant: true, selectors: try parseBracketed()) }
        return Segment(isDescendant: true, selectors: [try parseShorthand()])
      }
      return Segment(isDescendant: false, selectors: [try parseShorthand()])
    }

    private mutating func parseShorthand() throws(JSONPathSyntaxError) -> Selector {
      if take("*") { return .wildcard }
      let start = position
      guard let first = peek(), Self.isNameFirst(first) else {
        throw failure("expected a member name or '*' after '.'")
      }
      while let scalar = peek(), Self.isNameFirst(scalar) || Self.isDigit(scalar) { position += 1 }
      return .name(text(from: start))
    }

    private mutating func parseBracketed() throws(JSONPathSyntaxError) -> [Selector] {
      try descend()
      var selectors: [Selector] = []
      repeat {
        skipWhiteSpace()
        selectors.append(try parseSelector())
        skipWhiteSpace()
      } while take(",")
      guard take("]") else { throw failure("expected ',' or ']'") }
      depth -= 1
      return selectors
    }

    private mutating func parseSelector() throws(JSONPathSyntaxError) -> Selector {
      switch peek() {
      case "*":
        position += 1
        return .wildcard
      case "'", "\"":
        return .name(try parseString())
      case "?":
        position += 1
        skipWhiteSpace()
        return .filter(try parseCondition())
      default:
        return try parseIndexOrSlice()
      }
    }

    private mutating func parseIndexOrSlice() throws(JSONPathSyntaxError) -> Selector {
      let start = try parseInteger()
      let afterStart = position
      skipWhiteSpace()
      guard take(":") else {
        position = afterStart
        guard let start else { throw failure("expected a selector") }
        return .index(start)
      }
      skipWhiteSpace()
      let end = try parseInteger()
      let afterEnd = position
      skipWhiteSpace()
      guard take(":") else {
        position = afterEnd
        return .slice(start: start, end: end, step: 1)
      }
      skipWhiteSpace()
      return .slice(start: start, end: end, step: try parseInteger() ?? 1)
    }

    /// An integer that JSON can hold exactly, without leading zeros, or nil.
    private mutating func parseInteger() throws(JSONPathSyntaxError) -> Int? {
      let start = position
      let isNegative = take("-")
      let digits = position
      while let scalar = peek(), Self.isDigit(scalar) { position += 1 }
      if position == digits {
        if isNegative { throw failure("expected a digit after '-'") }
        return nil
      }
      if scalars[digits] == "0", position > digits + 1 || isNegative {
        throw failure("an integer may not begin with 0", at: start)
      }
      guard let value = Int(text(from: start)), value.magnitude < 1 << 53 else {
        throw failure("an integer beyond 2^53 - 1", at: start)
      }
      return value
    }

    mutating func parseString() throws(JSONPathSyntaxError) -> String {
      guard let quote = peek() else { throw failure("expected a string") }
      let start = position
      position += 1
      var result = String.UnicodeScalarView()
      while let scalar = peek() {
        position += 1
        if scalar == quote { return String(result) }
        if scalar == "\\" {
          result.append(try parseEscape(quote: quote))
        } else if scalar.value < 0x20 {
          throw failure("a control character in a string must be escaped", at: position - 1)
        } else {
          result.append(scalar)
        }
      }
      throw failure("the string is not closed", at: start)
    }

    private mutating func parseEscape(
      quote: Unicode.Scalar
    ) throws(JSONPathSyntaxError) -> Unicode.Scalar {
      let escape = peek()
      position += 1
      switch escape {
      case "b": return "\u{8}"
      case "f": return "\u{c}"
      case "n": return "\n"
      case "r": return "\r"
      case "t": return "\t"
      case "/", "\\": return escape ?? "\\"
      case "u": return try parseUnicodeEscape()
      case quote: return quote
      default: throw failure("an escape that strings do not have", at: position - 2)
      }
    }

    private mutating func parseUnicodeEscape() throws(JSONPathSyntaxError) -> Unicode.Scalar {
      let start = position - 2
      let first = try parseHex()
      if let scalar = Unicode.Scalar(first) { return scalar }
      guard first < 0xDC00, take("\\"), take("u") else {
        throw failure("half of a surrogate pair", at: start)
      }
      guard let scalar = JSONEscapes.scalar(first, try parseHex()) else {
        throw failure("half of a surrogate pair", at: start)
      }
      return scalar
    }

    private mutating func parseHex() throws(JSONPathSyntaxError) -> UInt32 {
      var value: UInt32 = 0
      for _ in 0..<4 {
        guard let scalar = peek(), scalar.isASCII, let digit = Character(scalar).hexDigitValue
        else {
          throw failure("expected four hexadecimal digits")
        }
        value = value << 4 + UInt32(digit)
        position += 1
      }
      return value
    }
  }
}

extension JSONPath.Parser {
  func peek() -> Unicode.Scalar? {
    position < scalars.count ? scalars[position] : nil
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    position += 1
    return true
  }

  mutating func takeWord(_ word: String) -> Bool {
    let word = Array(word.unicodeScalars)
    guard scalars[position...].starts(with: word) else { return false }
    position += word.count
    return true
  }

  mutating func skipWhiteSpace() {
    while let scalar = peek(), scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" {
      position += 1
    }
  }

  func text(from start: Int) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<position])
    return String(text)
  }

  /// Counts one level of nesting, so that a hostile query cannot exhaust the stack.
  mutating func descend() throws(JSONPathSyntaxError) {
    depth += 1
    if depth > Self.maximumDepth {
      throw failure("more than \(Self.maximumDepth) levels of nesting")
    }
  }

  func failure(_ message: String, at place: Int? = nil) -> JSONPathSyntaxError {
    JSONPathSyntaxError(message: message, offset: place ?? position)
  }

  static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar)
  }

  /// Whether a shorthand name may begin with the scalar.
  static func isNameFirst(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
      || scalar.value >= 0x80
  }
}
