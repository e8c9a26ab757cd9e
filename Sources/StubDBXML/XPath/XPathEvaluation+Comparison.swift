extension XPathEvaluation {
  /// Compares two values; a node set satisfies a comparison if any of its nodes does.
  /// https://www.w3.org/TR/1999/REC-xpath-19991116/#booleans
  mutating func holds(
    _ left: XPathValue, _ comparison: XPathComparison, _ right: XPathValue
  ) -> Bool {
    switch (left, right) {
    case (.nodes, .bool), (.bool, .nodes):
      return compare(.bool(isTrue(left)), comparison, .bool(isTrue(right)))
    case (.nodes(let first), .nodes(let second)):
      let others = second.map { text(of: $0) }
      for node in first {
        let text = XPathValue.text(text(of: node))
        for other in others where take(1) && compare(text, comparison, .text(other)) { return true }
        if isExhausted { return false }
      }
      return false
    case (.nodes(let nodes), _):
      for node in nodes where compare(likened(node, right), comparison, right) { return true }
      return false
    case (_, .nodes(let nodes)):
      for node in nodes where compare(left, comparison, likened(node, left)) { return true }
      return false
    default: return compare(left, comparison, right)
    }
  }

  /// Converts the value of a node to the type of the other operand.
  private mutating func likened(_ node: Int, _ other: XPathValue) -> XPathValue {
    let text = text(of: node)
    if case .number = other { return .number(XPathNumber.number(text)) }
    return .text(text)
  }

  /// Compares values other than node sets, as Booleans, else as numbers, else as strings; `<` and `>` compare numbers.
  private mutating func compare(
    _ left: XPathValue, _ comparison: XPathComparison, _ right: XPathValue
  ) -> Bool {
    switch comparison {
    case .equal, .notEqual:
      let isEqual: Bool
      switch (left, right) {
      case (.bool, _), (_, .bool): isEqual = isTrue(left) == isTrue(right)
      case (.number, _), (_, .number): isEqual = number(left) == number(right)
      default: isEqual = text(left).utf8.elementsEqual(text(right).utf8)
      }
      return isEqual == (comparison == .equal)
    case .less: return number(left) < number(right)
    case .lessOrEqual: return number(left) <= number(right)
    case .greater: return number(left) > number(right)
    case .greaterOrEqual: return number(left) >= number(right)
    }
  }

  func isTrue(_ value: XPathValue) -> Bool {
    switch value {
    case .nodes(let places): !places.isEmpty
    case .text(let text): !text.isEmpty
    case .number(let number): number != 0 && !number.isNaN
    case .bool(let value): value
    }
  }

  mutating func number(_ value: XPathValue) -> Double {
    switch value {
    case .number(let number): number
    case .bool(let value): value ? 1 : 0
    default: XPathNumber.number(text(value))
    }
  }

  /// The value as a string; of a node set, the string value of the first node.
  mutating func text(_ value: XPathValue) -> String {
    switch value {
    case .nodes(let places): places.first.map { text(of: $0) } ?? ""
    case .text(let text): text
    case .number(let number): XPathNumber.text(number)
    case .bool(let value): value ? "true" : "false"
    }
  }
}
