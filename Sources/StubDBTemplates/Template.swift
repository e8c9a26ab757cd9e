/// A text with placeholders, in the subset of Handlebars that docs/templates.md lists.
///
/// It is parsed and checked once. Rendering fails only on values of the wrong kind and on exceeded bounds.
package struct Template: Hashable, Sendable {
  let nodes: [TemplateNode]
  /// The original text, for the places of errors.
  let source: String
  /// What the environment prepares.
  package let needs: TemplateNeeds

  /// Whether a text may contain placeholders: whether it holds two braces.
  package static func isTemplate(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: "{")) && text.contains("{{")
  }

  /// Parses a template; `names` are those of the enclosing loops.
  ///
  /// - Throws: A ``TemplateError`` with the place of the first error.
  package init(_ text: String, names: TemplateNames = .outside) throws(TemplateError) {
    var parser = TemplateParser(text, names: names)
    nodes = try parser.parse()
    needs = parser.needs
    source = text
  }

  /// The value that replaces the whole text if the text is a single `{{json …}}`; nil for other texts.
  package var soleJSON: TemplateCall? {
    guard nodes.count == 1, case .output(let expression) = nodes[0],
      case .call(let helper, let arguments, _) = expression.kind,
      ["json", "toJson"].contains(helper.name)
    else { return nil }
    return TemplateCall(expression: arguments[0], source: source)
  }

  /// The place of a query, for an error that the caller finds in it.
  package func place(of query: TemplateNeeds.Query) -> TemplatePlace {
    TemplatePlace(query.offset, in: Array(source.utf8))
  }
}

/// An expression that stands alone and is evaluated for its value.
package struct TemplateCall: Hashable, Sendable {
  let expression: TemplateExpression
  let source: String
}

/// The head of a block that stands alone: `{{#each …}}`, `{{#if …}}`, `{{#unless …}}` or `{{else}}` as a whole text.
///
/// It is used by structures that contain templates, such as JSON, to repeat or omit their parts.
package struct TemplateBlock: Hashable, Sendable {
  /// The kinds of blocks.
  package enum Kind: Hashable, Sendable {
    /// Repeats the content.
    case each
    /// Keeps or omits the content.
    case condition
    /// Keeps the content if the preceding condition does not hold.
    case otherwise
  }

  /// The kind of block.
  package let kind: Kind
  /// The names that are known inside the block.
  package let names: TemplateNames
  /// What the environment prepares.
  package let needs: TemplateNeeds
  let loop: TemplateLoop?
  let condition: TemplateCondition?
  let source: String

  /// Whether a text looks like the head of a block.
  package static func isBlock(_ text: String) -> Bool {
    text.hasPrefix("{{#") || text.hasPrefix("{{else") || text.hasPrefix("{{/")
  }

  /// The place of a query, for an error that the caller finds in it.
  package func place(of query: TemplateNeeds.Query) -> TemplatePlace {
    TemplatePlace(query.offset, in: Array(source.utf8))
  }

  /// Parses a text that is a single opening tag.
  package init(_ text: String, names outer: TemplateNames) throws(TemplateError) {
    var scanner = TemplateScanner(text)
    guard case .tag(let tag)? = try scanner.next(), try scanner.next() == nil else {
      throw scanner.error(
        "a name that opens a block must be a single tag, such as {{#each request.json.items}}",
        at: 0)
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
