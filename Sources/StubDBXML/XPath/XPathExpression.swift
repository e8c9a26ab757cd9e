/// An expression. https://www.w3.org/TR/1999/REC-xpath-19991116/#section-Expressions
indirect enum XPathExpression: Sendable {
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

enum XPathComparison: String, Sendable {
  case equal = "="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
}

enum XPathArithmetic: String, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "div"
  case remainder = "mod"
}

/// The starting point of a path.
enum XPathStart: Sendable {
  case root
  case context
  case expression(XPathExpression)
}

/// One step of a path.
struct XPathStep: Sendable {
  var axis: XPathAxis
  var test: XPathNodeTest
  var predicates: [XPathExpression] = []

  /// The step that `//` abbreviates.
  static let anyDescendant = XPathStep(axis: .descendantOrSelf, test: .node)
}

enum XPathAxis: String, Sendable {
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

enum XPathNodeTest: Sendable {
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
enum XPathFunction: String, Sendable {
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
