import StubDBJSON
import StubDBModel
import StubDBSupport

extension PatternCheck {
  /// Checks a body pattern; nil where it can be played.
  mutating func refusal(of pattern: BodyPattern) -> Refusal? {
    switch pattern {
    case .value(let value): return refusal(of: value, isInObject: true)
    case .binaryEqualTo: return nil
    case .equalToJSON(let value, _, _):
      return (Self.refusal(ofJSONAsText: value) ?? refusal(ofPlaceholdersIn: value))?
        .inside("equalToJson")
    case .matchesJSONPath(let path, let operand):
      return refusal(ofPath: path, operand)?.inside("matchesJsonPath")
    case .matchesJSONSchema(let schema, let version):
      return Self.refusal { () throws(Refusal) in
        try operands.add(schema: schema, version: version)
      }?.inside("matchesJsonSchema")
    case .form(let fields): return refusal(of: fields)?.inside("form")
    case .multipart(let parts):
      for (index, part) in parts.enumerated() {
        if let found = refusal(of: part) { return found.inside("multipart", String(index)) }
      }
      return nil
    case .graphQL(let pattern): return refusal(of: pattern)?.inside("graphql")
    case .equalToXML(let pattern):
      return Self.refusal { () throws(Refusal) in try operands.add(pattern) }?.inside("equalToXml")
    case .matchesXPath(let pattern): return refusal(of: pattern)?.inside("matchesXPath")
    case .and(let patterns): return refusal(ofAny: patterns)?.inside("and")
    case .or(let patterns): return refusal(ofAny: patterns)?.inside("or")
    case .not(let inner): return refusal(of: inner)?.inside("not")
    }
  }

  private mutating func refusal(ofAny patterns: [BodyPattern]) -> Refusal? {
    for (index, pattern) in patterns.enumerated() {
      if let found = refusal(of: pattern) { return found.inside(String(index)) }
    }
    return nil
  }

  /// A path with an operator is written as an object with `expression`.
  private mutating func refusal(ofPath path: String, _ operand: BodyPattern?) -> Refusal? {
    let found = Self.refusal { () throws(Refusal) in try operands.add(path: path) }
    guard let operand else { return found }
    return found?.inside("expression") ?? refusal(of: operand)
  }

  /// An XPath with anything beside it is written as an object with `expression`.
  private mutating func refusal(of pattern: XPathPattern) -> Refusal? {
    let found = Self.refusal { () throws(Refusal) in try operands.add(pattern) }
    guard pattern.value != nil || !pattern.namespaces.isEmpty else { return found }
    return found?.inside("expression")
      ?? pattern.value.flatMap { refusal(of: $0, isInObject: true) }
  }

  private mutating func refusal(of part: PartPattern) -> Refusal? {
    if let filename = part.filename, let found = refusal(of: filename) {
      return found.inside("filename")
    }
    if let found = refusal(of: part.headers) { return found.inside("headers") }
    return refusal(ofList: part.body)
  }

  /// The patterns under `body`: one stands there itself, several in a list.
  mutating func refusal(ofList patterns: [BodyPattern]) -> Refusal? {
    for (index, pattern) in patterns.enumerated() {
      guard let found = refusal(of: pattern) else { continue }
      return patterns.count == 1 ? found.inside("body") : found.inside("body", String(index))
    }
    return nil
  }

  private mutating func refusal(of pattern: GraphQLPattern) -> Refusal? {
    if let name = pattern.operationName, let found = refusal(of: name) {
      return found.inside("operationName")
    }
    if let variables = pattern.variables, let found = refusal(ofPlaceholdersIn: variables) {
      return found.inside("variables")
    }
    guard let query = pattern.query else { return nil }
    return Self.refusal { () throws(Refusal) in try operands.add(query: query) }?.inside("query")
  }

  /// Compiles the expressions of placeholders, and refuses placeholders that do not exist.
  private mutating func refusal(ofPlaceholdersIn value: JSONValue) -> Refusal? {
    switch value {
    case .null, .bool, .number:
      return nil
    case .string(let text):
      return refusal(ofPlaceholder: text)
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        if let found = refusal(ofPlaceholdersIn: element) { return found.inside(String(index)) }
      }
      return nil
    case .object(let members):
      for (name, member) in members {
        if let found = refusal(ofPlaceholdersIn: member) { return found.inside(name) }
      }
      return nil
    }
  }

  /// A text that is an object or array itself, as WireMock's stubs write it, would only match a JSON string.
  private static func refusal(ofJSONAsText value: JSONValue) -> Refusal? {
    guard case .string(let text) = value, let first = text.utf8.first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let inner = try? JSONValue(parsing: text)
    else { return nil }
    return Refusal(
      code: .invalidPattern,
      reason: "a text that is JSON itself matches only a body that is this string; write "
        + "\"equalToJson\": \(TextExcerpt.plain(inner.canonicalText)), or for the string "
        + "\"matchesJsonPath\": {\"expression\": \"$\", \"equalTo\": …}", path: [])
  }

  private mutating func refusal(ofPlaceholder text: String) -> Refusal? {
    switch JSONPlaceholder(text) {
    case .regex(let expression): return refusal(ofExpression: expression)
    case .unknown(let word):
      let words = JSONPlaceholder.words + ["regex"]
      let advice =
        words.nearest(to: word).map { "did you mean ${json-unit.\($0)}?" }
        ?? "there are \(words.joined(separator: ", "))"
      return Refusal(
        code: .invalidPattern,
        reason: "there is no placeholder \(TextExcerpt.quoted(text)); \(advice)", path: [])
    default: return nil
    }
  }
}
