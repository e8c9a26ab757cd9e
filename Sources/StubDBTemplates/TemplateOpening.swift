/// The head of a block: the words after `#`, or after `else`.
enum TemplateOpening {
  case condition(TemplateCondition)
  case loop(TemplateLoop)
  /// A call that takes the content of the block as an argument.
  case content(TemplateExpression)

  private static let words = ["if", "unless", "each", "with", "arrayJoin"]

  init(_ parser: inout TemplateExpressionParser) throws(TemplateError) {
    let start = parser.position
    let word = parser.takeWord()
    if !Self.words.contains(word), let helper = TemplateHelper.all[word] {
      self = try Self.call(helper, at: start, &parser)
      return
    }
    guard Self.words.contains(word) else {
      let known = Self.words + TemplateHelper.all.values.filter(\.opensBlocks).map(\.name)
      throw parser.error(
        "unknown block \"\(word)\"\(TemplateExpressionParser.advice(word, known.sorted()))",
        at: start)
    }
    parser.skipSpaces()
    guard !parser.isAtEnd else {
      throw parser.error("\"\(word)\" needs a value, such as request.json.items", at: start)
    }
    if word == "if" || word == "unless" {
      let expression = try parser.wholeExpression()
      self = .condition(TemplateCondition(expression: expression, isNegated: word == "unless"))
    } else {
      let separator = word == "arrayJoin" ? try parser.operand() : nil
      let list = try parser.wholeExpression()
      self = .loop(
        TemplateLoop(
          list: list, names: try parser.blockParameters(), isOnce: word == "with",
          separator: separator))
    }
    try parser.expectEnd()
  }

  /// A block named after a function: its content is either the missing argument, or kept if the function returns true.
  private static func call(
    _ helper: TemplateHelper, at start: Int, _ parser: inout TemplateExpressionParser
  ) throws(TemplateError) -> TemplateOpening {
    guard helper.opensBlocks else {
      throw parser.error(
        "\"\(helper.name)\" opens no block; write {{\(helper.name) …}}", at: start)
    }
    let expression = try parser.call(helper.name, from: start, until: nil, block: helper.block)
    try parser.expectEnd()
    if case .condition = helper.block {
      return .condition(TemplateCondition(expression: expression, isNegated: false))
    }
    return .content(expression)
  }
}

extension TemplateExpressionParser {
  /// Whether the next characters are this word, followed by its end.
  func isNext(_ word: String) -> Bool {
    var copy = self
    return copy.takeWord() == word
  }

  /// Reads `as |item index|`; empty if it is absent.
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
      guard !name.isEmpty, !isAtEnd else { throw error("\"|\" is missing after the names") }
      if Self.isTaken(name) || names.contains(name) {
        throw error("\"\(name)\" already has a meaning; choose another name", at: start)
      }
      names.append(name)
    }
    guard (1...2).contains(names.count) else {
      throw error("a loop names its element, and optionally its index: as |item index|")
    }
    return names
  }

  /// Whether the name has a meaning in every template, so that a template must not redefine it.
  static func isTaken(_ name: String) -> Bool {
    TemplateNames.roots.contains(name) || TemplateHelper.all[name] != nil || name.hasPrefix("@")
      || TemplateNames.loopNames.contains(name) || ["true", "false", "null"].contains(name)
  }
}
