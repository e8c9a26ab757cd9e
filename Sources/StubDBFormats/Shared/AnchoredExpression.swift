/// The anchors of expressions that become a part of another expression.
enum AnchoredExpression {
  /// Whether an expression is a choice as a whole, so that its ends belong to one of the alternatives.
  static func isChoice(_ text: String) -> Bool {
    var depth = 0
    return ExpressionToken.tokens(of: text).contains { token in
      if token == .plain("(") { depth += 1 }
      if token == .plain(")") { depth -= 1 }
      return token == .plain("|") && depth <= 0
    }
  }

  /// An expression that is no choice, without the anchors at its ends: it is matched as a whole.
  static func withoutEnds(_ text: String) -> String {
    var tokens = ExpressionToken.tokens(of: text)[...]
    while let first = tokens.first, isStart(first), !isCounted(tokens, at: tokens.startIndex) {
      tokens.removeFirst()
    }
    while let last = tokens.last, [.plain("$"), .escaped("\\z"), .escaped("\\Z")].contains(last) {
      tokens.removeLast()
    }
    return tokens.map(\.text).joined()
  }

  /// An expression whose anchors for the start represent another place, which `start` is an assertion of; what it is put into
  /// comes to its beginning there.
  ///
  /// Where nothing can come before them, they are left out.
  static func moved(_ text: String, to start: String) -> String {
    let tokens = ExpressionToken.tokens(of: text)
    var result = ""
    // Whether the alternatives of the groups around begin at the start.
    var groups: [Bool] = []
    var isAtStart = true
    var place = 0
    while place < tokens.count {
      let token = tokens[place]
      switch token {
      case .plain("("):
        let kind = groupKind(tokens[(place + 1)...])
        result += "(" + kind
        place += kind.count
        if !kind.hasSuffix(")") {
          // In a group that comes several times, it is before itself.
          isAtStart =
            isAtStart && !kind.hasPrefix("?<=") && !kind.hasPrefix("?<!")
            && !isRepeated(tokens, from: place)
          groups.append(isAtStart)
        }
      case .plain(")"):
        _ = groups.popLast()
        isAtStart = false
        result += ")"
      case .plain("|"):
        isAtStart = groups.last ?? true
        result += "|"
      case _ where isStart(token):
        if !isAtStart || isCounted(tokens[...], at: place) { result += start }
      default:
        isAtStart = false
        result += token.text
      }
      place += 1
    }
    return result
  }

  private static func isStart(_ token: ExpressionToken) -> Bool {
    [.plain("^"), .escaped("\\A"), .escaped("\\G")].contains(token)
  }

  /// Whether a number of times follows, which would otherwise belong to what is before.
  private static func isCounted(_ tokens: ArraySlice<ExpressionToken>, at place: Int) -> Bool {
    place + 1 < tokens.endIndex && ["*", "+", "?", "{"].contains(tokens[place + 1].text)
  }

  /// What says the kind of a group: `?:`, `?<name>`, or `?i)` for flags alone; empty for a usual one.
  ///
  /// All of it are characters by themselves.
  private static func groupKind(_ tokens: ArraySlice<ExpressionToken>) -> String {
    guard tokens.first == .plain("?") else { return "" }
    var kind = ""
    for token in tokens {
      guard case .plain(let character) = token else { return "" }
      kind.append(character)
      switch character {
      case "<": continue
      case "=", "!", ":", ">", ")": return kind
      default: continue
      }
    }
    return ""
  }

  /// Whether the group whose inside begins at a place may come more than once.
  private static func isRepeated(_ tokens: [ExpressionToken], from place: Int) -> Bool {
    var depth = 1
    for index in place + 1..<max(place + 1, tokens.count) {
      if tokens[index] == .plain("(") { depth += 1 }
      if tokens[index] == .plain(")") { depth -= 1 }
      guard depth == 0 else { continue }
      return index + 1 < tokens.count && ["*", "+", "{"].contains(tokens[index + 1].text)
    }
    return false
  }
}
