extension Evaluation {
  /// Compares two operands. https://www.rfc-editor.org/rfc/rfc9535#section-2.3.5.2.2
  static func holds(_ left: OperandValue, _ comparison: Comparison, _ right: OperandValue) -> Bool {
    switch comparison {
    case .equal: isEqual(left, right)
    case .notEqual: !isEqual(left, right)
    case .less: isLess(left, right)
    case .greater: isLess(right, left)
    case .lessOrEqual: isLess(left, right) || isEqual(left, right)
    case .greaterOrEqual: isLess(right, left) || isEqual(left, right)
    }
  }

  private static func isEqual(_ left: OperandValue, _ right: OperandValue) -> Bool {
    switch (left, right) {
    case (.nothing, .nothing): true
    case (.value(let left), .value(let right)): isEqual(left, right)
    default: false
    }
  }

  private static func isEqual(
    _ left: JSONPathContent<Value>, _ right: JSONPathContent<Value>
  ) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)):
      left.count == right.count
        && zip(left, right).allSatisfy { isEqual($0.jsonPathContent, $1.jsonPathContent) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.allSatisfy { name, value in
          right[name].map { isEqual(value.jsonPathContent, $0.jsonPathContent) } ?? false
        }
    default: false
    }
  }

  private static func isLess(_ left: OperandValue, _ right: OperandValue) -> Bool {
    switch (left, right) {
    case (.value(.number(let left)), .value(.number(let right))): left < right
    case (.value(.string(let left)), .value(.string(let right))):
      left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    default: false
    }
  }
}
