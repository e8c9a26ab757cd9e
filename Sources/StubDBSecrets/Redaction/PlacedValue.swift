internal import StubDBJSONPath
internal import StubDBModel

/// A JSON value that knows where it is, so that a query says what it selected and where.
struct PlacedValue: JSONPathValue {
  let value: JSONValue
  let pointer: JSONPointer

  var jsonPathContent: JSONPathContent<PlacedValue> {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let number): .number(number.doubleValue)
    case .string(let text): .string(text)
    case .array(let elements):
      .array(elements.enumerated().map { PlacedValue(value: $1, pointer: pointer.appending($0)) })
    case .object(let members):
      .object(
        Dictionary(
          uniqueKeysWithValues: members.map { name, value in
            (name, PlacedValue(value: value, pointer: pointer.appending(name)))
          }))
    }
  }
}
