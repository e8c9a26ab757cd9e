public import StubDBJSON
internal import StubDBModel

extension JSONValue: JSONPathValue {
  /// The value, one level deep, with numbers as the nearest double.
  public var jsonPathContent: JSONPathContent<JSONValue> {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let number): .number(number.doubleValue)
    case .string(let text): .string(text)
    case .array(let elements): .array(elements)
    case .object(let members): .object(members)
    }
  }
}
