extension TemplateHelperCall {
  /// The functions that answer yes or no; nil for others.
  func condition() -> TemplateValue? {
    switch name {
    case "eq": .bool(isEqual)
    case "neq": .bool(!isEqual)
    case "gt": .bool(order > 0)
    case "gte": .bool(order >= 0)
    case "lt": .bool(order < 0)
    case "lte": .bool(order <= 0)
    case "and": .bool(arguments.allSatisfy(\.isTrue))
    case "or": .bool(arguments.contains(where: \.isTrue))
    case "not": .bool(!arguments[0].isTrue)
    case "contains": .bool(contains)
    default: nil
    }
  }

  private var isEqual: Bool {
    if case (.number, .number) = (arguments[0], arguments[1]) { return order == 0 }
    return arguments[0] == arguments[1] || Array(text(0).utf8) == Array(text(1).utf8)
  }

  /// -1, 0 or 1: numbers by their value, everything else by its text.
  private var order: Int {
    if let left = arguments[0].numericValue, let right = arguments[1].numericValue {
      return left < right ? -1 : left > right ? 1 : 0
    }
    let (left, right) = (text(0).utf8, text(1).utf8)
    return left.elementsEqual(right) ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
  }

  private var contains: Bool {
    switch arguments[0] {
    case .list(let elements):
      return elements.contains { $0 == arguments[1] || $0.plainText == text(1) }
    case .object(let members):
      return members[text(1)] != nil
    default:
      return text(1).isEmpty || text(0).contains(text(1))
    }
  }
}
