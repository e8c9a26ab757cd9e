package import StubDBJSON

extension JSONObject {
  package mutating func merge(
    _ other: JSONObject, uniquingKeysWith combine: (JSONValue, JSONValue) throws -> JSONValue
  ) rethrows {
    for (name, value) in other {
      self[name] = try self[name].map { try combine($0, value) } ?? value
    }
  }

  package func merging(
    _ other: JSONObject, uniquingKeysWith combine: (JSONValue, JSONValue) throws -> JSONValue
  ) rethrows -> JSONObject {
    var merged = self
    try merged.merge(other, uniquingKeysWith: combine)
    return merged
  }

  package func mapValues(
    _ transform: (JSONValue) throws -> JSONValue
  ) rethrows -> JSONObject {
    JSONObject(try map { ($0.key, try transform($0.value)) })
  }

  package func compactMapValues(
    _ transform: (JSONValue) throws -> JSONValue?
  ) rethrows -> JSONObject {
    JSONObject(try compactMap { member in try transform(member.value).map { (member.key, $0) } })
  }
}
