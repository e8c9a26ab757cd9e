extension TemplateHelper {
  /// The functions that answer yes or no.
  static let conditions: [TemplateHelper] = [
    condition("eq", 2...2) { $0.isEqual }, condition("neq", 2...2) { !$0.isEqual },
    condition("gt", 2...2) { $0.order > 0 }, condition("gte", 2...2) { $0.order >= 0 },
    condition("lt", 2...2) { $0.order < 0 }, condition("lte", 2...2) { $0.order <= 0 },
    condition("and", 1...many) { $0.arguments.allSatisfy(\.isTrue) },
    condition("or", 1...many) { $0.arguments.contains(where: \.isTrue) },
    condition("not", 1...1) { !$0.arguments[0].isTrue },
    condition("contains", 2...2) { $0.contains },
  ]

  private static func condition(
    _ name: String, _ arguments: ClosedRange<Int>,
    _ holds: @escaping @Sendable (TemplateHelperCall) -> Bool
  ) -> TemplateHelper {
    TemplateHelper(name, arguments, options: ["yes", "no"], block: .condition) {
      (call, _) throws(Failure) in
      call.answer(holds(call))
    }
  }
}

extension TemplateHelperCall {
  /// True or false, or the values of `yes=` and `no=` in their place.
  func answer(_ holds: Bool) -> TemplateValue {
    options[holds ? "yes" : "no"] ?? .bool(holds)
  }

  fileprivate var isEqual: Bool {
    if case (.number, .number) = (arguments[0], arguments[1]) { return order == 0 }
    return text(0).utf8.elementsEqual(text(1).utf8)
  }

  fileprivate var order: Int { arguments[0].order(to: arguments[1]) }

  /// Whether the first argument contains the second; a missing value contains nothing and is contained in nothing.
  fileprivate var contains: Bool {
    if arguments[1] == .null { return false }
    switch arguments[0] {
    case .null:
      return false
    case .list(let elements):
      return elements.contains { $0.plainText.utf8.elementsEqual(text(1).utf8) }
    case .object(let members):
      return members[text(1)] != nil
    default:
      return ByteSearch(text(1)).isFound(in: text(0))
    }
  }
}

extension TemplateValue {
  /// Compares two values, as -1, 0 or 1: numbers by value, everything else as text.
  func order(to other: TemplateValue) -> Int {
    if let left = decimalValue, let right = other.decimalValue {
      return left < right ? -1 : left > right ? 1 : 0
    }
    if let left = numericValue, let right = other.numericValue {
      return left < right ? -1 : left > right ? 1 : 0
    }
    let (left, right) = (plainText.utf8, other.plainText.utf8)
    return left.elementsEqual(right) ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
  }
}
