/// An XPath 1.0 expression, read and checked once.
///
/// All of XPath 1.0 but variables, the namespace axis and the functions `id()` and `lang()`. Without namespaces names
/// are compared as they are written, prefix included; with them by the rule of XPath: a prefix stands for its
/// namespace, a name without a prefix is in none. https://www.w3.org/TR/1999/REC-xpath-19991116/
package struct XPath: Sendable {
  /// The expression as it was written.
  package let text: String
  private let expression: XPathExpression
  private let namespaces: [String: String]?

  /// Reads an expression.
  ///
  /// - Throws: An ``XPathSyntaxError`` where the text is no expression, or uses a prefix that has no namespace.
  package init(_ text: String, namespaces: [String: String] = [:]) throws(XPathSyntaxError) {
    self.text = text
    self.namespaces = namespaces.isEmpty ? nil : namespaces
    var parser = try XPathParser(text, prefixes: namespaces.isEmpty ? nil : Set(namespaces.keys))
    expression = try parser.parse()
  }

  /// What the expression selects or comes to; nil where more nodes than the limit would be visited.
  ///
  /// What was visited is taken off the limit, which then is below 0 where it was not enough.
  package func evaluate(in tree: XMLTree, visiting limit: inout Int) -> XPathResult? {
    var evaluation = XPathEvaluation(tree: tree, namespaces: namespaces, limit: limit)
    let value = evaluation.value(of: expression, at: XPathContext(node: 0))
    let result = evaluation.result(of: value)
    limit = evaluation.left
    return evaluation.isExhausted ? nil : result
  }
}
