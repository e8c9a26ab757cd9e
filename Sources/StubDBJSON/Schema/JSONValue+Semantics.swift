extension Dictionary where Key == String {
  /// The member with exactly these scalars as its name; a dictionary treats canonically equivalent names as equal.
  func value(named name: String) -> Value? {
    guard let place = index(forKey: name), self[place].key.utf8.elementsEqual(name.utf8) else {
      return nil
    }
    return self[place].value
  }
}

extension JSONValue {
  /// Whether two values are equal by JSON Schema: numbers by quantity, strings by scalars.
  func isSemanticallyEqual(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): left.isNumericallyEqual(to: right)
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isSemanticallyEqual(to: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.allSatisfy { name, value in
          right.value(named: name)?.isSemanticallyEqual(to: value) ?? false
        }
    default: self == other
    }
  }

  /// A text that is equal for values that are equal by JSON Schema.
  var semanticText: String {
    switch self {
    case .number(let number): number.canonicalText
    case .array(let elements): "[" + elements.map(\.semanticText).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }
        .map { JSONValue.string($0.key).canonicalText + ":" + $0.value.semanticText }
        .joined(separator: ",") + "}"
    default: canonicalText
    }
  }

  func isOf(type: String) -> Bool {
    switch self {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .number(let number): type == "number" || type == "integer" && number.isWhole
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }
}
