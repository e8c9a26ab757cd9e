/// What opens a block on its own: `{{#each …}}`, `{{#if …}}`, `{{#unless …}}` or `{{else}}` as a whole text.
///
/// For structures around templates, such as JSON, whose parts are repeated or left out.
public struct TemplateBlock: Hashable, Sendable {
  /// What the block does.
  public enum Kind: Hashable, Sendable {
    /// Repeats what belongs to it.
    case each
    /// Keeps or drops what belongs to it.
    case condition
    /// Keeps what belongs to it where the condition before does not hold.
    case otherwise
  }

  /// What the block does.
  public let kind: Kind
  /// The names inside it.
  public let names: TemplateNames
  /// What the surroundings prepare.
  public let needs: TemplateNeeds
  let loop: TemplateLoop?
  let condition: TemplateCondition?
  let source: String

  /// Whether a text is meant to open a block.
  public static func isBlock(_ text: String) -> Bool {
    text.hasPrefix("{{#") || text.hasPrefix("{{else") || text.hasPrefix("{{/")
  }

  /// Where a query stands, for an error that is found outside.
  public func place(of query: TemplateNeeds.Query) -> TemplatePlace {
    TemplatePlace(query.offset, in: Array(source.utf8))
  }

  /// Reads a text that is one opening tag and nothing else.
  public init(_ text: String, names outer: TemplateNames) throws(TemplateError) {
    var scanner = TemplateScanner(text)
    guard case .tag(let tag)? = try scanner.next(), try scanner.next() == nil else {
      throw scanner.error(
        "a name that opens a block is the tag alone, such as {{#each request.json.items}}", at: 0)
    }
    var parser = TemplateExpressionParser(scanner.bytes, tag.content, names: outer)
    parser.skipSpaces()
    source = text
    if parser.take("#") {
      switch try TemplateOpening(&parser) {
      case .condition(let condition):
        (kind, names, loop, self.condition) = (.condition, outer, nil, condition)
      case .loop(let loop) where !loop.isOnce && loop.separator == nil:
        (kind, names, self.loop, condition) = (.each, outer.inside(loop), loop, nil)
      case .loop, .content:
        throw scanner.error(
          "a block in JSON is {{#each …}}, {{#if …}}, {{#unless …}} or a condition such as {{#eq …}}",
          at: 0)
      }
    } else if parser.isNext("else") {
      _ = parser.takeWord()
      try parser.expectEnd()
      (kind, names, loop, condition) = (.otherwise, outer, nil, nil)
    } else {
      throw scanner.error("a block is opened by {{#each …}}, {{#if …}} or {{#unless …}}", at: 0)
    }
    needs = parser.needs
  }
}
