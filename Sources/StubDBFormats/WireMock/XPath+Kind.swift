import StubDBXML

extension XPath {
  /// What an expression gives, whatever the document is.
  enum Kind: Hashable, Sendable {
    case nodes, boolean, number, text
  }

  /// What the expression gives.
  var kind: Kind {
    switch expression {
    case .or, .and, .comparison: .boolean
    case .arithmetic, .negative, .number: .number
    case .literal: .text
    case .union, .filter, .path: .nodes
    case .function(let function, _): function.result
    }
  }

  /// Whether all nodes that it selects are texts and attributes, which have nothing but a text.
  var selectsOnlyTexts: Bool { expression.selectsOnlyTexts }
}

extension XPathFunction {
  fileprivate var result: XPath.Kind {
    switch self {
    case .last, .position, .count, .stringLength, .number, .sum, .floor, .ceiling, .round: .number
    case .contains, .startsWith, .boolean, .not, .isTrue, .isFalse: .boolean
    case .name, .string, .concat, .substring, .translate, .localName, .namespaceURI,
      .substringBefore, .substringAfter, .normalizeSpace:
      .text
    }
  }
}

extension XPathExpression {
  fileprivate var selectsOnlyTexts: Bool {
    switch self {
    case .union(let first, let second): first.selectsOnlyTexts && second.selectsOnlyTexts
    case .filter(let inner, _): inner.selectsOnlyTexts
    case .path(_, let steps):
      steps.last.map { step in
        if case .text = step.test { return true }
        return step.axis == .attribute
      } ?? false
    default: false
    }
  }
}
