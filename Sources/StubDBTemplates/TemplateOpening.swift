/// What opens a block: the words behind `#`, or behind `else`.
enum TemplateOpening {
  case condition(TemplateCondition)
  case loop(TemplateLoop)

  private static let words = ["if", "unless", "each"]

  init(_ parser: inout TemplateExpressionParser) throws(TemplateError) {
    let start = parser.position
    let word = parser.takeWord()
    guard Self.words.contains(word) else {
      throw parser.error(
        "there is no block \"\(word)\"\(TemplateExpressionParser.advice(word, Self.words))",
        at: start)
    }
    parser.skipSpaces()
    guard !parser.isAtEnd else {
      throw parser.error("\"\(word)\" needs a value, such as request.json.items", at: start)
    }
    let expression = try parser.wholeExpression()
    if word == "each" {
      self = .loop(TemplateLoop(list: expression, names: try parser.blockParameters()))
    } else {
      self = .condition(
        TemplateCondition(expression: expression, isNegated: word == "unless"))
    }
    try parser.expectEnd()
  }
}

extension TemplateExpressionParser {
  /// Whether the word is next, and ends.
  func isNext(_ word: String) -> Bool {
    var copy = self
    return copy.takeWord() == word
  }

  /// `as |item index|`; empty where there is none.
  fileprivate mutating func blockParameters() throws(TemplateError) -> [String] {
    skipSpaces()
    guard !isAtEnd, isBlockParameters else { return [] }
    _ = takeWord()
    skipSpaces()
    _ = take("|")
    var names: [String] = []
    while true {
      skipSpaces()
      if take("|") { break }
      let start = position
      let name = takeWord()
      guard !name.isEmpty, !isAtEnd else { throw error("\"|\" is missing behind the names") }
      let isTaken =
        TemplateNames.roots.contains(name) || TemplateHelper.all[name] != nil
        || TemplateNames.loopNames.contains(name) || ["true", "false", "null"].contains(name)
      if isTaken || name.hasPrefix("@") || names.contains(name) {
        throw error("\"\(name)\" means something already; choose another name", at: start)
      }
      names.append(name)
    }
    guard (1...2).contains(names.count) else {
      throw error("a loop names its element, and its place if wanted: as |item index|")
    }
    return names
  }
}
