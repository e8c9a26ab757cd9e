/// An expression. https://www.w3.org/TR/1999/REC-xpath-19991116/#section-Expressions
package indirect enum XPathExpression: Sendable {
  case or(XPathExpression, XPathExpression)
  case and(XPathExpression, XPathExpression)
  case comparison(XPathExpression, XPathComparison, XPathExpression)
  case arithmetic(XPathExpression, XPathArithmetic, XPathExpression)
  case negative(XPathExpression)
  case union(XPathExpression, XPathExpression)
  case literal(String)
  case number(Double)
  case function(XPathFunction, [XPathExpression])
  /// A node set with predicates.
  case filter(XPathExpression, [XPathExpression])
  case path(XPathStart, [XPathStep])
}

package enum XPathComparison: String, Sendable {
  case equal = "="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
}

package enum XPathArithmetic: String, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "div"
  case remainder = "mod"
}

/// The starting point of a path.
package enum XPathStart: Sendable {
  case root
  case context
  case expression(XPathExpression)
}

/// One step of a path.
package struct XPathStep: Sendable {
  package var axis: XPathAxis
  package var test: XPathNodeTest
  package var predicates: [XPathExpression] = []

  /// The step that `//` abbreviates.
  static let anyDescendant = XPathStep(axis: .descendantOrSelf, test: .node)
}

package enum XPathAxis: String, Sendable {
  case child
  case descendant
  case parent
  case ancestor
  case followingSibling = "following-sibling"
  case precedingSibling = "preceding-sibling"
  case following
  case preceding
  case attribute
  case `self`
  case descendantOrSelf = "descendant-or-self"
  case ancestorOrSelf = "ancestor-or-self"
}

package enum XPathNodeTest: Sendable {
  /// The principal node type: an element, or an attribute on the attribute axis.
  case any
  case prefix(String)
  case name(prefix: String, local: String)
  case node
  case text
  case comment
  case processingInstruction(String?)
}

/// The functions, with the numbers of arguments they take.
package enum XPathFunction: String, Sendable {
  case last, position, count, name, string, concat, contains, substring, translate, boolean, not
  case number, sum, floor, ceiling, round
  case localName = "local-name"
  case namespaceURI = "namespace-uri"
  case startsWith = "starts-with"
  case substringBefore = "substring-before"
  case substringAfter = "substring-after"
  case stringLength = "string-length"
  case normalizeSpace = "normalize-space"
  case isTrue = "true"
  case isFalse = "false"

  var arguments: ClosedRange<Int> {
    switch self {
    case .last, .position, .isTrue, .isFalse: 0...0
    case .count, .boolean, .not, .sum, .floor, .ceiling, .round: 1...1
    case .name, .localName, .namespaceURI, .string, .stringLength, .normalizeSpace, .number: 0...1
    case .startsWith, .contains, .substringBefore, .substringAfter: 2...2
    case .substring: 2...3
    case .translate: 3...3
    case .concat: 2...100
    }
  }

  /// Whether the only argument must be a node set.
  var takesNodes: Bool {
    switch self {
    case .count, .sum, .name, .localName, .namespaceURI: true
    default: false
    }
  }
}

/// An XPath 1.0 expression, parsed and checked once.
///
/// All of XPath 1.0 is supported except variables, the namespace axis and the functions `id()` and `lang()`. Without
/// namespaces, names are compared as written, prefix included. With namespaces, the rule of XPath applies: a prefix
/// refers to its namespace, and a name without a prefix is in no namespace.
/// https://www.w3.org/TR/1999/REC-xpath-19991116/
package struct XPath: Sendable {
  /// The expression as written.
  package let text: String
  /// The expression as it was read.
  package let expression: XPathExpression
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
