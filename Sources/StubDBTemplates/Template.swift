/// A text with placeholders, in the subset of Handlebars that docs/templates.md lists.
///
/// It is parsed and checked once. Rendering fails only on values of the wrong kind and on exceeded bounds.
public struct Template: Hashable, Sendable {
  let nodes: [TemplateNode]
  /// The original text, for the places of errors.
  let source: String
  /// What the environment prepares.
  public let needs: TemplateNeeds

  /// Whether a text may contain placeholders: whether it holds two braces.
  public static func isTemplate(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: "{")) && text.contains("{{")
  }

  /// Parses a template; `names` are those of the enclosing loops.
  ///
  /// - Throws: A ``TemplateError`` with the place of the first error.
  public init(_ text: String, names: TemplateNames = .outside) throws(TemplateError) {
    var parser = TemplateParser(text, names: names)
    nodes = try parser.parse()
    needs = parser.needs
    source = text
  }

  /// The value that replaces the whole text if the text is a single `{{json …}}`; nil for other texts.
  public var soleJSON: TemplateCall? {
    guard nodes.count == 1, case .output(let expression) = nodes[0],
      case .call(let helper, let arguments, _) = expression.kind,
      ["json", "toJson"].contains(helper.name)
    else { return nil }
    return TemplateCall(expression: arguments[0], source: source)
  }

  /// The place of a query, for an error that the caller finds in it.
  public func place(of query: TemplateNeeds.Query) -> TemplatePlace {
    TemplatePlace(query.offset, in: Array(source.utf8))
  }
}

/// An expression that stands alone and is evaluated for its value.
public struct TemplateCall: Hashable, Sendable {
  let expression: TemplateExpression
  let source: String
}
