/// A text with placeholders, in the part of Handlebars that docs/templates.md lists.
///
/// Read and checked once; carrying it out only fails on values that do not fit.
public struct Template: Hashable, Sendable {
  let nodes: [TemplateNode]
  /// The text as it was written, for the places of errors.
  let source: String
  /// What the surroundings prepare.
  public let needs: TemplateNeeds

  /// Whether a text may contain placeholders: whether it holds two braces.
  public static func isTemplate(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: "{")) && text.contains("{{")
  }

  /// Reads a template; `names` are those of the loops around it.
  ///
  /// - Throws: A ``TemplateError`` with the place of the first thing that is wrong.
  public init(_ text: String, names: TemplateNames = .outside) throws(TemplateError) {
    var parser = TemplateParser(text, names: names)
    nodes = try parser.parse()
    needs = parser.needs
    source = text
  }

  /// The value to put in place of the whole text, where the text is nothing but one `{{json …}}`; nil for others.
  public var soleJSON: TemplateCall? {
    guard nodes.count == 1, case .output(let expression) = nodes[0],
      case .call(let helper, let arguments, _) = expression.kind,
      ["json", "toJson"].contains(helper.name)
    else { return nil }
    return TemplateCall(expression: arguments[0], source: source)
  }

  /// Where a query stands, for an error that is found outside.
  public func place(of query: TemplateNeeds.Query) -> TemplatePlace {
    TemplatePlace(query.offset, in: Array(source.utf8))
  }
}

/// An expression on its own, whose value is asked for.
public struct TemplateCall: Hashable, Sendable {
  let expression: TemplateExpression
  let source: String
}
