/// One token of an expression.
package enum XPathToken: Hashable {
  case number(Double)
  case literal(String)
  /// A name, with its prefix if it has one; the local part may be `*`.
  case name(String)
  /// A symbol, or a name that is an operator.
  case sign(String)
}

/// Splits an expression into tokens. https://www.w3.org/TR/1999/REC-xpath-19991116/#exprlex
package struct XPathLexer {
  private let scalars: [Unicode.Scalar]
  private var place = 0
  package private(set) var tokens: [(token: XPathToken, offset: Int)] = []

  package init(_ text: String) throws(XPathSyntaxError) {
    scalars = Array(text.unicodeScalars)
    while place < scalars.count {
      if Self.isSpace(scalars[place]) {
        place += 1
      } else {
        let start = place
        tokens.append((try next(), start))
      }
    }
  }

  var end: Int { scalars.count }

  private mutating func next() throws(XPathSyntaxError) -> XPathToken {
    let scalar = scalars[place]
    if scalar == "\"" || scalar == "'" { return try literal(scalar) }
    let isFraction = scalar == "." && place + 1 < scalars.count && Self.isDigit(scalars[place + 1])
    if Self.isDigit(scalar) || isFraction { return number() }
    if Self.isNameStart(scalar) { return name() }
    for sign in ["//", "::", "..", "!=", "<=", ">="] where isAt(sign) {
      place += 2
      return .sign(sign)
    }
    guard "/.@()[],|+-=<>*".unicodeScalars.contains(scalar) else {
      let what = scalar == "$" ? "variables are not supported" : "an unexpected character"
      throw XPathSyntaxError(message: what, offset: place)
    }
    place += 1
    if scalar == "*" { return isAfterOperand ? .sign("*") : .name("*") }
    return .sign(String(scalar))
  }

  private mutating func literal(_ quote: Unicode.Scalar) throws(XPathSyntaxError) -> XPathToken {
    guard let end = scalars[(place + 1)...].firstIndex(of: quote) else {
      throw XPathSyntaxError(message: "a text that is not closed", offset: place)
    }
    let text = String(String.UnicodeScalarView(scalars[(place + 1)..<end]))
    place = end + 1
    return .literal(text)
  }

  private mutating func number() -> XPathToken {
    let start = place
    while place < scalars.count, Self.isDigit(scalars[place]) { place += 1 }
    if place < scalars.count, scalars[place] == "." {
      place += 1
      while place < scalars.count, Self.isDigit(scalars[place]) { place += 1 }
    }
    var text = String(String.UnicodeScalarView(scalars[start..<place]))
    if text.hasPrefix(".") { text = "0" + text }
    if text.hasSuffix(".") { text += "0" }
    return .number(Double(text) ?? .nan)
  }

  private mutating func name() -> XPathToken {
    let first = takeWord()
    if isAfterOperand, ["and", "or", "div", "mod"].contains(first) { return .sign(first) }
    guard place + 1 < scalars.count, scalars[place] == ":", scalars[place + 1] != ":" else {
      return .name(first)
    }
    if scalars[place + 1] == "*" {
      place += 2
      return .name(first + ":*")
    }
    guard Self.isNameStart(scalars[place + 1]) else { return .name(first) }
    place += 1
    return .name(first + ":" + takeWord())
  }

  private mutating func takeWord() -> String {
    let start = place
    while place < scalars.count, Self.isNamePart(scalars[place]) { place += 1 }
    return String(String.UnicodeScalarView(scalars[start..<place]))
  }

  /// Whether the preceding token is an operand, so that `*` and names are operators here.
  private var isAfterOperand: Bool {
    switch tokens.last?.token {
    case nil: false
    case .sign(let sign): [")", "]", "..", "."].contains(sign)
    case .number, .literal, .name: true
    }
  }

  private func isAt(_ text: String) -> Bool {
    scalars[place...].starts(with: text.unicodeScalars)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
      || scalar.value >= 0xC0 && scalar.properties.isAlphabetic
  }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    isNameStart(scalar) || isDigit(scalar) || scalar == "-" || scalar == "." || scalar.value >= 0xB7
  }
}
