/// An XPath 1.0 expression, parsed and checked once.
///
/// All of XPath 1.0 is supported except variables, the namespace axis and the functions `id()` and `lang()`. Without
/// namespaces, names are compared as written, prefix included. With namespaces, the rule of XPath applies: a prefix
/// refers to its namespace, and a name without a prefix is in no namespace.
/// https://www.w3.org/TR/1999/REC-xpath-19991116/
package struct XPath: Sendable {
  /// The expression as written.
  package let text: String
  private let expression: XPathExpression
  private let namespaces: [String: String]?

  /// Parses an expression.
  ///
  /// - Throws: An ``XPathSyntaxError`` if the text is not an expression, or uses a prefix without a namespace.
  package init(_ text: String, namespaces: [String: String] = [:]) throws(XPathSyntaxError) {
    self.text = text
    self.namespaces = namespaces.isEmpty ? nil : namespaces
    var parser = try XPathParser(text, prefixes: namespaces.isEmpty ? nil : Set(namespaces.keys))
    expression = try parser.parse()
  }

  /// The nodes that the expression selects, or its value; nil if more nodes than the limit would be visited.
  ///
  /// Subtracts the nodes visited from the limit, which ends below 0 if it did not suffice.
  package func evaluate(in tree: XMLTree, visiting limit: inout Int) -> XPathResult? {
    var evaluation = XPathEvaluation(tree: tree, namespaces: namespaces, limit: limit)
    let value = evaluation.value(of: expression, at: XPathContext(node: 0))
    let result = evaluation.result(of: value)
    limit = evaluation.left
    return evaluation.isExhausted ? nil : result
  }
}

/// An error in text that is not an XPath expression, with its place.
package struct XPathSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A phrase that says what is wrong.
  package let message: String
  /// The offset in Unicode scalars, from 0.
  package let offset: Int

  /// The message with its place.
  package var description: String { "\(message) at character \(offset + 1)" }
}

/// The value of an expression.
package struct XPathResult: Hashable, Sendable {
  /// Whether something is selected; for a value other than a node set, its Boolean value.
  package var isSomething: Bool
  /// The string values of the selected nodes in document order, or the string value of another result.
  package var texts: [String]
}
