extension RegexTranslator {
  /// Translates the escape after a backslash, outside sets; returns whether it may be repeated.
  mutating func translateEscape(at start: Int) throws(RegexSyntaxError) -> Bool {
    guard let sign = peek() else { throw failure("a '\\' at the end", at: start) }
    switch sign {
    case "Q" where dialect == .java:
      place += 1
      let quoted = takeQuoted()
      output += quoted.map(literal).joined()
      return !quoted.isEmpty
    case "b", "B":
      place += 1
      guard !isNext("{") else { throw failure("\\b{g} is not supported", at: start) }
      output += boundary(isThere: sign == "b")
    case "A", "G", "Z", "z", "R", "X":
      guard dialect == .java else { throw unknownEscape(at: start) }
      place += 1
      output += "\\\(sign)"
    case "1"..."9":
      output += reference()
    case "k":
      place += 1
      guard take("<") else { throw failure("\\k without a name; write \\k<name>", at: start) }
      output += caseless("\\k<\(try groupName())>")
    default:
      if let character = try escapedCharacter(at: start) {
        output += literal(character)
      } else if let set = try escapedSet(at: start) {
        output += set
      } else {
        throw unknownEscape(at: start)
      }
    }
    return true
  }

  private func unknownEscape(at start: Int) -> RegexSyntaxError {
    let language = dialect == .java ? "Java" : "ECMAScript"
    let sign = start + 1 < scalars.count ? String(scalars[start + 1]) : ""
    return failure("\\\(sign) is not an escape of \(language)'s regular expressions", at: start)
  }

  /// The text up to `\E` or the end.
  mutating func takeQuoted() -> [Unicode.Scalar] {
    var quoted: [Unicode.Scalar] = []
    while let scalar = peek() {
      if isNext("\\E") {
        place += 2
        break
      }
      quoted.append(scalar)
      place += 1
    }
    return quoted
  }

  private func boundary(isThere: Bool) -> String {
    let word = wordSet
    return isThere
      ? "(?:(?<=\(word))(?!\(word))|(?<!\(word))(?=\(word)))"
      : "(?:(?<=\(word))(?=\(word))|(?<!\(word))(?!\(word)))"
  }

  /// A reference to a group by number, with as many digits as there are groups; a reference to a missing group never
  /// matches.
  private mutating func reference() -> String {
    refersToGroups = true
    var number = 0
    while let scalar = peek(), Self.isDigit(scalar) {
      let next = number * 10 + Int(scalar.value - 0x30)
      if number > 0, next > groupCount { break }
      number = next
      place += 1
    }
    guard number <= allGroups ?? .max else { return "(?!)" }
    return caseless("\\\(number)")
  }

  private func caseless(_ reference: String) -> String {
    flags.ignoresCase ? "(?i:\(reference))" : "(?:\(reference))"
  }

  // MARK: Characters

  /// The character of an escape; nil, with nothing consumed, for other escapes.
  mutating func escapedCharacter(at start: Int) throws(RegexSyntaxError) -> Unicode.Scalar? {
    guard let sign = peek() else { throw failure("a '\\' at the end", at: start) }
    let character: Unicode.Scalar?
    switch sign {
    case "t": character = "\t"
    case "n": character = "\n"
    case "r": character = "\r"
    case "f": character = "\u{C}"
    case "a" where dialect == .java: character = "\u{7}"
    case "e" where dialect == .java: character = "\u{1B}"
    case "v" where dialect == .ecmaScript: character = "\u{B}"
    case "x", "u", "c", "0":
      place += 1
      return try numbered(sign, at: start)
    case "a"..."z", "A"..."Z", "1"..."9": return nil
    default: character = sign
    }
    place += 1
    return character
  }

  /// `\x41`, `\x{1F600}`, `\u0041`, `\cA` and `\0101`; the letter was consumed.
  private mutating func numbered(
    _ sign: Unicode.Scalar, at start: Int
  ) throws(RegexSyntaxError) -> Unicode.Scalar {
    var value: UInt32?
    switch sign {
    case "c":
      if let letter = peek(), letter.isASCII {
        value = dialect == .java ? letter.value ^ 0x40 : letter.value % 32
        place += 1
      }
    case "0":
      value = takeOctal()
      if value == nil, dialect == .ecmaScript { value = 0 }
    default:
      if take("{") {
        value = takeHexadecimal(1...6)
        if !take("}") { value = nil }
      } else {
        value = takeHexadecimal(sign == "x" ? 2...2 : 4...4)
        if let high = value, sign == "u", (0xD800..<0xDC00).contains(high), isNext("\\u") {
          place += 2
          value = takeHexadecimal(4...4).flatMap { low in
            (0xDC00..<0xE000).contains(low) ? 0x10000 + (high - 0xD800) << 10 + low - 0xDC00 : nil
          }
        }
      }
    }
    guard let value, let scalar = Unicode.Scalar(value) else {
      throw failure("\(text(start..<place)) does not name a character", at: start)
    }
    return scalar
  }

  private mutating func takeHexadecimal(_ count: ClosedRange<Int>) -> UInt32? {
    let begin = place
    while place - begin < count.upperBound, let scalar = peek(), scalar.isASCII,
      scalar.properties.isASCIIHexDigit
    {
      place += 1
    }
    return place - begin < count.lowerBound ? nil : UInt32(text(begin..<place), radix: 16)
  }

  /// One to three octal digits after `\0`, at most 377.
  private mutating func takeOctal() -> UInt32? {
    guard dialect == .java else { return nil }
    let begin = place
    var value: UInt32 = 0
    while place - begin < 3, let scalar = peek(), ("0"..."7").contains(scalar),
      value * 8 + scalar.value - 0x30 <= 0o377
    {
      value = value * 8 + scalar.value - 0x30
      place += 1
    }
    return place == begin ? nil : value
  }

  // MARK: Classes

  /// The set of an escape; nil, with nothing consumed, for other escapes.
  mutating func escapedSet(at start: Int) throws(RegexSyntaxError) -> String? {
    guard let sign = peek() else { return nil }
    switch sign {
    case "d", "D": return taken(flags.isUnicode ? "\\p{Nd}" : "0-9", isNegated: sign == "D")
    case "w", "W": return taken(wordSet, isNegated: sign == "W")
    case "s", "S": return taken(spaces, isNegated: sign == "S")
    case "h" where dialect == .java, "H" where dialect == .java:
      return taken(
        " \\t\\xA0\\u1680\\u180E\\u2000-\\u200A\\u202F\\u205F\\u3000", isNegated: sign == "H")
    case "v" where dialect == .java, "V" where dialect == .java:
      return taken("\\n\\x0B\\f\\r\\x85\\u2028\\u2029", isNegated: sign == "V")
    case "p", "P": return try property(isNegated: sign == "P", at: start)
    case "N" where peek(1) == "{":
      guard let end = scalars[place...].firstIndex(of: "}") else { return nil }
      defer { place = end + 1 }
      return "\\" + text(place..<(end + 1))
    default: return nil
    }
  }

  private mutating func taken(_ set: String, isNegated: Bool) -> String {
    place += 1
    return (isNegated ? "[^" : "[") + set + "]"
  }

  /// The set of `\w`, in brackets.
  private var wordSet: String {
    flags.isUnicode
      ? "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200C\\u200D]" : "[a-zA-Z0-9_]"
  }

  private var spaces: String {
    switch dialect {
    case .java: flags.isUnicode ? "\\p{White_Space}" : " \\t\\n\\x0B\\f\\r"
    case .ecmaScript: "\\t-\\r\\p{Zs}\\u2028\\u2029\\uFEFF"
    }
  }
}
