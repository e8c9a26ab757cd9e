internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// The kinds of contents and of their matchers.
enum MockServerBodyKind: String {
  case binary = "BINARY"
  case json = "JSON"
  case jsonSchema = "JSON_SCHEMA"
  case jsonPath = "JSON_PATH"
  case parameters = "PARAMETERS"
  case regex = "REGEX"
  case string = "STRING"
  case xml = "XML"
  case xmlSchema = "XML_SCHEMA"
  case xPath = "XPATH"
  case file = "FILE"
  case jsonRPC = "JSON_RPC"
  case graphQL = "GRAPHQL"

  /// The kinds by the member that only they have.
  private static let byMember: [(member: String, kind: MockServerBodyKind)] = [
    ("base64Bytes", .binary), ("json", .json), ("jsonSchema", .jsonSchema),
    ("jsonPath", .jsonPath), ("parameters", .parameters), ("regex", .regex), ("string", .string),
    ("xml", .xml), ("xmlSchema", .xmlSchema), ("xpath", .xPath), ("filePath", .file),
    ("paramsSchema", .jsonRPC), ("variablesSchema", .graphQL),
  ]
  private static let others: Set<String> = [
    "type", "not", "optional", "contentType", "charset", "matchType", "subString",
    "namespacePrefixes", "templateType", "method", "query", "operationName", "rawBytes",
  ]

  /// Why its patterns match less than in MockServer, so that negated they would match more; nil if they do not.
  var narrower: String? {
    switch self {
    case .parameters: "MockServer ignores the case of parameters, and stubs compare it"
    case .xml: "MockServer compares XML in another way"
    case .xPath: "MockServer reads names with prefixes in another way"
    case .graphQL: "MockServer compares queries in another way"
    case .jsonRPC: "MockServer ignores the case of the method, and stubs compare it"
    case .binary, .json, .jsonSchema, .jsonPath, .regex, .string, .xmlSchema, .file: nil
    }
  }

  /// The kind of an object that is a matcher or a content with a type; nil for plain JSON.
  ///
  /// - Throws: The error that `unknown` makes of a type that is not known.
  static func kind(
    of value: SourceValue, unknown: (String) -> any Error
  ) throws -> MockServerBodyKind? {
    guard value.isObject, !value.members.isEmpty else { return nil }
    if let type = value["type"]?.peekedText, type == type.uppercased(),
      type.allSatisfy({ $0.isLetter || $0 == "_" })
    {
      guard let kind = MockServerBodyKind(rawValue: type) else { throw unknown(type) }
      return kind
    }
    let names = value.members.map(\.name)
    guard let known = byMember.first(where: { names.contains($0.member) }),
      names.allSatisfy({ name in
        others.contains(name) || byMember.contains { $0.member == name }
      })
    else { return nil }
    return known.kind
  }
}

/// Translates matchers of contents.
struct MockServerBodyReader {
  let input: ImportInput
  let texts: MockServerTexts

  /// The pattern of a content; nil if any content matches.
  func pattern(_ value: SourceValue) throws -> BodyPattern? {
    if let text = value.text { return text.isEmpty ? nil : .value(.equalTo(text)) }
    let kind = try MockServerBodyKind.kind(of: value) {
      Untranslatable("a content of the type \($0)")
    }
    guard let kind else { return Self.partial(value.json) }
    value.ignore("type", "contentType", "charset", "rawBytes")
    let isNegated = value.flag("not")
    if isNegated, let reason = kind.narrower { throw Untranslatable("not", reason) }
    var pattern = try self.pattern(kind, value)
    if isNegated { pattern = .not(pattern) }
    if isNegated, kind == .string {
      // Without content the matcher of a text does not match in MockServer, negated or not.
      pattern = .and([.not(.value(.absent)), pattern])
    }
    return value.flag("optional") ? .or([.value(.absent), pattern]) : pattern
  }

  /// JSON of which only what is given must be there, in any order.
  private static func partial(_ json: JSONValue) -> BodyPattern {
    .equalToJSON(json, ignoreArrayOrder: true, ignoreExtraElements: true)
  }

  private func pattern(
    _ kind: MockServerBodyKind, _ value: SourceValue
  ) throws -> BodyPattern {
    switch kind {
    case .string:
      let text = value.text("string") ?? ""
      return .value(value.flag("subString") ? .contains(text) : .equalTo(text))
    case .regex:
      return .value(.matches(try ForeignExpression(value.text("regex") ?? "", .java).whole))
    case .json:
      let json = try Self.json(value["json"], "json")
      let isStrict = value.text("matchType")?.uppercased() == "STRICT"
      return isStrict ? .equalToJSON(json) : Self.partial(json)
    case .jsonSchema: return try schema(value["jsonSchema"])
    case .jsonPath: return try jsonPath(value["jsonPath"], isNegated: value.flag("not"))
    case .parameters:
      guard let parameters = value["parameters"] else { throw Untranslatable("parameters") }
      let reader = MockServerRequestReader(input: input, options: ImportOptions(), texts: texts)
      return .form(try reader.patterns(parameters))
    case .xml: return .equalToXML(XMLPattern(value.text("xml") ?? ""))
    case .xPath: return try xPath(value)
    case .binary:
      let bytes = JSONValue.string(value.text("base64Bytes") ?? "")
      return try RequestPattern.reading(.body, ["binaryEqualTo": bytes]).body[0]
    case .graphQL: return try graphQL(value)
    case .jsonRPC: return try call(value)
    case .file:
      guard let file = value["filePath"], let name = file.text, let folder = input.folder else {
        throw Untranslatable("a content in a file")
      }
      return .binaryEqualTo(
        try folder.read(name, from: input.directory) { file.failure($0) })
    case .xmlSchema: throw Untranslatable("a content of the type \(kind.rawValue)")
    }
  }

  private static func json(_ value: SourceValue?, _ name: String) throws -> JSONValue {
    guard let value else { throw Untranslatable(name) }
    return try value.parsedJSON(as: name)
  }

  private func schema(_ value: SourceValue?) throws -> BodyPattern {
    let schema = try Self.json(value, "jsonSchema")
    if case .object(let parts) = schema, case .string(let dialect) = parts["$schema"] {
      if dialect.contains("draft-07") || dialect.contains("draft-06") {
        return .matchesJSONSchema(schema, dialect: .draft07)
      } else if dialect.contains("draft-04") {
        throw Untranslatable("a schema of draft 4")
      }
    }
    return .matchesJSONSchema(schema)
  }

  private func jsonPath(_ value: SourceValue?, isNegated: Bool) throws -> BodyPattern {
    guard let value, let text = value.text else { throw Untranslatable("jsonPath") }
    let path = try JaywayPath.read(value, as: "jsonPath", text)
    if let difference = path.difference {
      if isNegated { throw Untranslatable("not", difference) }
      value.change(.jsonPathDialect, difference)
    }
    // A path to null or to an empty list matches here, not in MockServer.
    let something = BodyPattern.and([SelectedValue.notNull, .not(.equalToJSON([]))])
    return .matchesJSONPath(path.query, path.isDefinite ? something : nil)
  }

  private func xPath(_ value: SourceValue) throws -> BodyPattern {
    var path = XPathPattern(value.text("xpath") ?? "")
    for (prefix, name) in value["namespacePrefixes"]?.members ?? [] {
      guard let name = name.text else { throw Untranslatable("namespacePrefixes") }
      path.namespaces[prefix] = name
    }
    return .matchesXPath(path)
  }

  private func graphQL(_ value: SourceValue) throws -> BodyPattern {
    let pattern = BodyPattern.graphQL(
      GraphQLPattern(
        operationName: value.text("operationName").map { .equalTo($0) },
        query: value.text("query")))
    guard let variables = value.given("variablesSchema") else { return pattern }
    return .and([pattern, try Self.member("variables", variables, "variablesSchema")])
  }

  private func call(_ value: SourceValue) throws -> BodyPattern {
    var patterns: [BodyPattern] = []
    if let method = value["method"] {
      patterns.append(.matchesJSONPath("$.method", .value(try texts.pattern(method))))
    }
    if let params = value.given("paramsSchema") {
      patterns.append(try Self.member("params", params, "paramsSchema"))
    }
    guard !patterns.isEmpty else { throw Untranslatable("JSON_RPC") }
    return patterns.count == 1 ? patterns[0] : .and(patterns)
  }

  /// The pattern of an object with a member that satisfies a schema.
  private static func member(
    _ member: String, _ schema: SourceValue, _ name: String
  ) throws -> BodyPattern {
    .matchesJSONSchema([
      "type": "object", "required": [.string(member)],
      "properties": .object([member: try schema.parsedJSON(as: name)]),
    ])
  }
}
