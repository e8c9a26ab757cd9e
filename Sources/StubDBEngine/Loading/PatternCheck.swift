import StubDBModel

/// Goes through the patterns of a stub: refuses what cannot be played, and compiles regular expressions.
struct PatternCheck {
  private(set) var expressions = RegexTable()

  /// Checks a request pattern; nil where it can be played.
  mutating func refusal(
    of pattern: borrowing RequestPattern, template: PathTemplate?
  ) -> Refusal? {
    if let host = pattern.host, let found = refusal(of: host) { return found.inside("host") }
    if case .value(let path) = pattern.path, let found = refusal(of: path, isInObject: true) {
      return found.inside("path")
    }
    if let found = refusal(of: pattern.pathParameters, template: template)
      ?? refusal(of: pattern.query)?.inside("query")
      ?? refusal(of: pattern.headers)?.inside("headers")
      ?? refusal(of: pattern.cookies)?.inside("cookies")
    {
      return found
    }
    for (index, body) in pattern.body.enumerated() {
      guard let found = refusal(of: body) else { continue }
      return pattern.body.count == 1
        ? found.inside("body") : found.inside("body", String(index))
    }
    return nil
  }

  private mutating func refusal(of patterns: [NamedPattern]) -> Refusal? {
    for named in patterns {
      if let found = refusal(of: named.pattern) { return found.inside(named.name) }
    }
    return nil
  }

  private mutating func refusal(
    of parameters: [NamedPattern], template: PathTemplate?
  ) -> Refusal? {
    for parameter in parameters
    where template?.segments.contains(.placeholder(parameter.name[...])) != true {
      return Refusal(
        code: .invalidPattern,
        reason: "the path has no placeholder {\(parameter.name)}; add it to the path",
        path: ["pathParameters", parameter.name])
    }
    return refusal(of: parameters)?.inside("pathParameters")
  }

  /// `isInObject` says that a document writes the pattern as an operator even where a list would do.
  private mutating func refusal(
    of pattern: ValuePattern, isInObject: Bool = false
  ) -> Refusal? {
    switch pattern {
    case .equalTo, .contains, .doesNotContain, .absent, .anything:
      return nil
    case .matches(let expression):
      return refusal(ofExpression: expression, operator: "matches")
    case .doesNotMatch(let expression):
      return refusal(ofExpression: expression, operator: "doesNotMatch")
    case .number(let comparison, _):
      return .notSupported(comparison.rawValue)
    case .date(let comparison, _):
      return .notSupported(comparison.rawValue)
    case .and(let patterns):
      return refusal(ofAny: patterns)?.inside("and")
    case .or(let patterns):
      return refusal(ofAny: patterns)?.inside("or")
    case .not(let inner):
      return refusal(of: inner)?.inside("not")
    case .hasExactly(let patterns):
      let found = refusal(ofAny: patterns)
      return isInObject ? found?.inside("hasExactly") : found
    case .includes(let patterns):
      return refusal(ofAny: patterns)?.inside("includes")
    }
  }

  private mutating func refusal(ofAny patterns: [ValuePattern]) -> Refusal? {
    for (index, pattern) in patterns.enumerated() {
      if let found = refusal(of: pattern) { return found.inside(String(index)) }
    }
    return nil
  }

  private mutating func refusal(
    ofExpression expression: String, operator name: String
  ) -> Refusal? {
    if expressions.add(expression) { return nil }
    return Refusal(
      code: .invalidRegularExpression,
      reason: "\(TextExcerpt.quoted(expression)) is not a regular expression", path: [name])
  }

  private mutating func refusal(of pattern: BodyPattern) -> Refusal? {
    switch pattern {
    case .value(let value): return refusal(of: value, isInObject: true)
    case .binaryEqualTo: return nil
    case .equalToJSON(let value, _, _):
      return Self.placeholder(in: value)?.inside("equalToJson")
    case .matchesJSONPath: return .notSupported("matchesJsonPath")
    case .matchesJSONSchema: return .notSupported("matchesJsonSchema")
    case .form: return .notSupported("form")
    case .multipart: return .notSupported("multipart")
    case .graphQL: return .notSupported("graphql")
    case .equalToXML: return .notSupported("equalToXml")
    case .matchesXPath: return .notSupported("matchesXPath")
    case .and(let patterns): return refusal(ofAny: patterns, operator: "and")
    case .or(let patterns): return refusal(ofAny: patterns, operator: "or")
    case .not(let inner): return refusal(of: inner)?.inside("not")
    }
  }

  private mutating func refusal(ofAny patterns: [BodyPattern], operator name: String) -> Refusal? {
    for (index, pattern) in patterns.enumerated() {
      if let found = refusal(of: pattern) { return found.inside(name, String(index)) }
    }
    return nil
  }

  /// The first JsonUnit placeholder. https://wiremock.org/docs/request-matching/#placeholders
  private static func placeholder(in value: JSONValue) -> Refusal? {
    switch value {
    case .null, .bool, .number:
      return nil
    case .string(let text):
      let isPlaceholder =
        text.utf8.starts(with: "${json-unit.".utf8) || text.utf8.starts(with: "#{json-unit.".utf8)
      return isPlaceholder ? .notSupported() : nil
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        if let found = placeholder(in: element) { return found.inside(String(index)) }
      }
      return nil
    case .object(let members):
      for (name, member) in members {
        if let found = placeholder(in: member) { return found.inside(name) }
      }
      return nil
    }
  }
}
