import StubDBJSON
import StubDBModel

extension StubFacet {
  /// How deep the members of a JSON pattern are looked at, and how many of them.
  private static let limit = (depth: 6, count: 64)

  /// The parts of the content that patterns want to have one value.
  static func bodyFacets(of patterns: [BodyPattern]) -> [StubFacet] {
    patterns.flatMap { pattern -> [StubFacet] in
      switch pattern {
      case .and(let inner): return bodyFacets(of: inner)
      case .value(.equalTo(_, caseInsensitive: false)): return [.text]
      case .form(let fields):
        return fields.filter { literal($0.pattern) != nil }.map { .form($0.name) }
      case .graphQL(let pattern):
        let members = pattern.variables.map { Self.members(of: $0, at: ["variables"]) } ?? []
        return members + (pattern.operationName.flatMap(literal) == nil ? [] : [.operation])
      case .matchesJSONPath(let path, .value(.equalTo(let text, caseInsensitive: false))?):
        guard !looksLikeContainer(text), let path = try? JSONPath(path) else { return [] }
        return [.path(path)]
      case .equalToJSON(let value, _, let ignoreExtraElements):
        let members = Self.members(of: value, at: [])
        return ignoreExtraElements ? members : members + [.json]
      default: return []
      }
    }
  }

  /// The scalars that lie in objects only, whose places the order and extra elements of arrays do not change.
  private static func members(of value: JSONValue, at path: [String]) -> [StubFacet] {
    guard case .object(let members) = value, path.count < limit.depth else { return [] }
    let found = members.flatMap { name, member -> [StubFacet] in
      if case .object = member { return Self.members(of: member, at: path + [name]) }
      return scalar(member) == nil ? [] : [.member(path + [name])]
    }
    return Array(found.prefix(limit.count))
  }

  /// The value that the patterns want the part to have; nil where none of them says one.
  func bodyKey(of patterns: [BodyPattern]) -> String? {
    for pattern in patterns {
      if let key = bodyKey(of: pattern) { return key }
    }
    return nil
  }

  private func bodyKey(of pattern: BodyPattern) -> String? {
    switch (self, pattern) {
    case (_, .and(let patterns)): return bodyKey(of: patterns)
    case (.text, .value(let value)): return Self.literal(value)
    case (.form(let name), .form(let fields)):
      return fields.first { ByteText.isEqual($0.name, name) }.flatMap { Self.literal($0.pattern) }
    case (.operation, .graphQL(let pattern)):
      return pattern.operationName.flatMap(Self.literal)
    case (.member(let path), .graphQL(let pattern)):
      guard path.first == "variables", let variables = pattern.variables else { return nil }
      return Self.member(path.dropFirst(), of: variables).flatMap(Self.scalar)
    case (.member(let path), .equalToJSON(let value, _, _)):
      return Self.member(path[...], of: value).flatMap(Self.scalar)
    case (.json, .equalToJSON(let value, _, ignoreExtraElements: false)):
      return JSONPlaceholder.isHeld(by: value) ? nil : String(JSONComparison.fingerprint(value))
    case (.path(let path), .matchesJSONPath(let text, .value(let value)?)):
      guard path.description == text, let key = Self.literal(value),
        !Self.looksLikeContainer(key)
      else { return nil }
      return key
    default: return nil
    }
  }

  /// The values that a content has for the part.
  func bodyKeys(of body: PreparedBody) -> [String] {
    switch self {
    case .text:
      if case .value(let text) = body.text { return [text] }
    case .form(let name):
      if case .value(let items) = body.form {
        return BodyMatching.values(of: name, in: items).values
      }
    case .operation:
      if case .value(.object(let members)) = body.graphQL,
        case .string(let name)? = members["operationName"]
      {
        return [name]
      }
    case .member(let path):
      // Of a request with JSON content it is the same.
      if case .value(let value) = body.graphQL, let member = Self.member(path[...], of: value) {
        return Self.scalar(member).map { [$0] } ?? []
      }
    case .path(let path):
      if case .value(let selection) = body.selection(of: path) { return selection.scalarTexts }
    case .json:
      return body.fingerprint.map { [String($0)] } ?? []
    case .host, .method, .query, .header: break
    }
    return []
  }

  private static func member(_ path: ArraySlice<String>, of value: JSONValue) -> JSONValue? {
    path.reduce(Optional(value)) { value, name in
      guard case .object(let members)? = value else { return nil }
      return members[name]
    }
  }

  /// A text that is the same for scalars that are equal; nil for what is no scalar, and for placeholders.
  private static func scalar(_ value: JSONValue) -> String? {
    switch value {
    case .null: "null"
    case .bool(let value): String(value)
    // Zero has two signs.
    case .number(let number): String(number.doubleValue + 0)
    case .string(let text): JSONPlaceholder(text) == nil ? "\"" + text : nil
    case .array, .object: nil
    }
  }

  /// Whether a text may be that of an array or an object: those are not looked up by their text.
  private static func looksLikeContainer(_ text: String) -> Bool {
    text.utf8.first == UInt8(ascii: "[") || text.utf8.first == UInt8(ascii: "{")
  }
}
