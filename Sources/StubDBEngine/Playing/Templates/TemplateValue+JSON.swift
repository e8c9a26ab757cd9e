import StubDBJSON
import StubDBTemplates

extension TemplateValue {
  init(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let number): self = .number(number.text)
    case .string(let text): self = .text(text)
    case .array(let elements): self = .list(elements.map { TemplateValue($0) })
    case .object(let members):
      self = .object(
        Dictionary(members.map { ($0, TemplateValue($1)) }, uniquingKeysWith: { $1 }))
    }
  }
}

extension JSONValue {
  init(_ value: TemplateValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let text): self = .number(JSONNumber(unchecked: text))
    case .text(let text): self = .string(text)
    case .list(let elements): self = .array(elements.map { JSONValue($0) })
    case .object(let members): self = .object(JSONObject(members.map { ($0, JSONValue($1)) }))
    }
  }

  /// The value at a place inside, by names of members and indices of arrays, or nil.
  subscript(path: ArraySlice<String>) -> JSONValue? {
    var value = self
    for name in path {
      switch value {
      case .object(let members):
        guard let member = members[name] else { return nil }
        value = member
      case .array(let elements):
        guard let index = Int(name), elements.indices.contains(index) else { return nil }
        value = elements[index]
      default:
        return nil
      }
    }
    return value
  }

  /// Whether arrays and objects nest deeper than a document allows.
  var isTooDeep: Bool {
    var level: [JSONValue] = [self]
    for _ in 0...JSONValue.maximumDepth {
      level = level.flatMap { value -> [JSONValue] in
        switch value {
        case .array(let elements): elements
        case .object(let members): Array(members.values)
        default: []
        }
      }
      if level.isEmpty { return false }
    }
    return true
  }
}
