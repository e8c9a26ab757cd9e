internal import Foundation
internal import StubDBJSON

extension DocumentTree {
  /// A value pattern in its shortest form: a string, a list, or an operator object.
  static func value(_ pattern: ValuePattern) -> DocumentTree {
    switch pattern {
    case .equalTo(let text, false): .string(text)
    case .hasExactly(let patterns): values(patterns)
    default: .object(valueMembers(pattern))
    }
  }

  private static func values(_ patterns: [ValuePattern]) -> DocumentTree {
    var words: [String] = []
    for pattern in patterns {
      guard case .equalTo(let text, false) = pattern else { return .list(patterns.map(value)) }
      words.append(text)
    }
    return .words(words)
  }

  /// A value pattern as an operator and its options.
  static func valueMembers(_ pattern: ValuePattern) -> [(String, DocumentTree)] {
    switch pattern {
    case .equalTo(let text, let caseInsensitive):
      [("equalTo", .string(text))] + flag("caseInsensitive", caseInsensitive)
    case .contains(let text): [("contains", .string(text))]
    case .doesNotContain(let text): [("doesNotContain", .string(text))]
    case .matches(let text): [("matches", .string(text))]
    case .doesNotMatch(let text): [("doesNotMatch", .string(text))]
    case .absent: [("absent", .yes)]
    case .anything: [("anything", .yes)]
    case .equalToCaptured(let name): [("equalToCaptured", .string(name))]
    case .number(let comparison, let number): [(comparison.rawValue, .json(.number(number)))]
    case .date(let comparison, let date): dateMembers(comparison, date)
    case .and(let patterns): [("and", values(patterns))]
    case .or(let patterns): [("or", values(patterns))]
    case .not(let pattern): [("not", value(pattern))]
    case .hasExactly(let patterns): [("hasExactly", values(patterns))]
    case .includes(let patterns): [("includes", values(patterns))]
    }
  }

  private static func flag(_ key: String, _ isSet: Bool) -> [(String, DocumentTree)] {
    isSet ? [(key, .yes)] : []
  }

  private static func text(_ key: String, _ text: String?) -> [(String, DocumentTree)] {
    text.map { [(key, .string($0))] } ?? []
  }

  private static func dateMembers(
    _ comparison: DateComparison, _ date: DatePattern
  ) -> [(String, DocumentTree)] {
    var members: [(String, DocumentTree)] = [(comparison.rawValue, .string(date.expected))]
    members += text("actualFormat", date.actualFormat)
    members += text("truncateExpected", date.truncateExpected)
    members += text("truncateActual", date.truncateActual)
    members += flag("applyTruncationLast", date.applyTruncationLast)
    if let offset = date.expectedOffset { members.append(("expectedOffset", .integer(offset))) }
    members += text("expectedOffsetUnit", date.expectedOffsetUnit)
    return members
  }

  /// The `body` of a request or a part: left out, an object, or a list.
  static func appendBody(
    _ patterns: [BodyPattern], to members: inout [(String, DocumentTree)]
  ) {
    if patterns.count == 1 {
      members.append(("body", .object(bodyMembers(patterns[0]))))
    } else if !patterns.isEmpty {
      members.append(("body", .list(patterns.map { .object(bodyMembers($0)) })))
    }
  }

  /// A body pattern as an operator and its options.
  static func bodyMembers(_ pattern: BodyPattern) -> [(String, DocumentTree)] {
    switch pattern {
    // In a body `and`, `or` and `not` are always those of body patterns.
    case .value(.and(let patterns)): [("and", operands(patterns.map(BodyPattern.value)))]
    case .value(.or(let patterns)): [("or", operands(patterns.map(BodyPattern.value)))]
    case .value(.not(let pattern)): [("not", operand(.value(pattern)))]
    case .value(let pattern): valueMembers(pattern)
    case .and(let patterns): [("and", operands(patterns))]
    case .or(let patterns): [("or", operands(patterns))]
    case .not(let pattern): [("not", operand(pattern))]
    case .binaryEqualTo(let data): [("binaryEqualTo", .string(data.base64EncodedString()))]
    case .equalToJSON(let value, let ignoreArrayOrder, let ignoreExtraElements):
      [("equalToJson", .json(value))] + flag("ignoreArrayOrder", ignoreArrayOrder)
        + flag("ignoreExtraElements", ignoreExtraElements)
    case .matchesJSONPath(let expression, nil): [("matchesJsonPath", .string(expression))]
    case .matchesJSONPath(let expression, let pattern?):
      [
        (
          "matchesJsonPath",
          .object([("expression", .string(expression))] + bodyMembers(pattern))
        )
      ]
    case .matchesJSONSchema(let schema, let version):
      [("matchesJsonSchema", .json(schema))]
        + text("schemaVersion", version == BodyPattern.defaultJSONSchemaVersion ? nil : version)
    case .form(let patterns): [("form", named(patterns, isCaseSensitive: true))]
    case .multipart(let parts): [("multipart", .list(parts.map(part)))]
    case .graphQL(let pattern): [("graphql", graphQL(pattern))]
    case .equalToXML(let pattern):
      [("equalToXml", .string(pattern.document))]
        + flag("enablePlaceholders", pattern.enablePlaceholders)
        + flag("ignoreOrderOfSameNode", pattern.ignoreOrderOfSameNode)
    case .matchesXPath(let pattern): [("matchesXPath", xPath(pattern))]
    }
  }

  private static func operands(_ patterns: [BodyPattern]) -> DocumentTree {
    var words: [String] = []
    for pattern in patterns {
      guard case .value(.equalTo(let text, false)) = pattern else {
        return .list(patterns.map(operand))
      }
      words.append(text)
    }
    return .words(words)
  }

  private static func operand(_ pattern: BodyPattern) -> DocumentTree {
    if case .value(.equalTo(let text, false)) = pattern { return .string(text) }
    return .object(bodyMembers(pattern))
  }

  private static func part(_ part: PartPattern) -> DocumentTree {
    var members = text("name", part.name)
    if let filename = part.filename { members.append(("filename", value(filename))) }
    append("headers", part.headers, isCaseSensitive: false, to: &members)
    appendBody(part.body, to: &members)
    return .object(members)
  }

  private static func graphQL(_ pattern: GraphQLPattern) -> DocumentTree {
    var members: [(String, DocumentTree)] = []
    if let name = pattern.operationName { members.append(("operationName", value(name))) }
    if let variables = pattern.variables { members.append(("variables", .json(variables))) }
    members += text("query", pattern.query)
    return .object(members)
  }

  private static func xPath(_ pattern: XPathPattern) -> DocumentTree {
    if pattern.namespaces.isEmpty, pattern.value == nil { return .string(pattern.expression) }
    var members: [(String, DocumentTree)] = [("expression", .string(pattern.expression))]
    if !pattern.namespaces.isEmpty {
      members.append(("namespaces", .json(.object(pattern.namespaces.mapValues(JSONValue.string)))))
    }
    if let value = pattern.value { members += valueMembers(value) }
    return .object(members)
  }
}
