import StubDBJSON
import StubDBModel
import StubDBSupport

/// A JSON value that knows where it stands, so that what a query selects can be taken out.
struct LocatedJSON: JSONPathValue {
  private let value: JSONValue
  private let path: [String]

  var jsonPathContent: JSONPathContent<LocatedJSON> {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let number): .number(number.doubleValue)
    case .string(let text): .string(text)
    case .array(let elements):
      .array(elements.enumerated().map { LocatedJSON($0.element, path + [String($0.offset)]) })
    case .object(let members):
      .object(
        Dictionary(
          members.map { ($0.key, LocatedJSON($0.value, path + [$0.key])) }
        ) { first, _ in first })
    }
  }

  private init(_ value: JSONValue, _ path: [String]) {
    self.value = value
    self.path = path
  }

  /// The value without what the query selects; null if it selects the value itself, or visits too many values.
  static func removing(
    _ query: JSONPath, from value: JSONValue, visiting limit: inout Int
  ) -> JSONValue {
    guard let selected = query.values(in: LocatedJSON(value, []), visiting: &limit) else {
      return .null
    }
    let paths = Set(selected.map(\.path))
    return paths.isEmpty ? value : without(paths, value, at: []) ?? .null
  }

  private static func without(
    _ paths: Set<[String]>, _ value: JSONValue, at place: [String]
  ) -> JSONValue? {
    if paths.contains(place) { return nil }
    switch value {
    case .array(let elements):
      return .array(
        elements.enumerated().compactMap {
          without(paths, $0.element, at: place + [String($0.offset)])
        })
    case .object(let members):
      var left: [String: JSONValue] = [:]
      for (name, member) in members { left[name] = without(paths, member, at: place + [name]) }
      return .object(left)
    default: return value
    }
  }
}
