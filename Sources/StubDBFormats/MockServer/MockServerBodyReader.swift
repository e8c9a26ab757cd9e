internal import Foundation
internal import StubDBJSON

/// Translates matchers of contents.
struct MockServerBodyReader {
  /// The kinds of matchers by the member that only they have.
  private static let kinds: [(member: String, kind: String)] = [
    ("base64Bytes", "BINARY"), ("json", "JSON"), ("jsonSchema", "JSON_SCHEMA"),
    ("jsonPath", "JSON_PATH"), ("parameters", "PARAMETERS"), ("regex", "REGEX"),
    ("string", "STRING"), ("xml", "XML"), ("xmlSchema", "XML_SCHEMA"), ("xpath", "XPATH"),
    ("filePath", "FILE"), ("paramsSchema", "JSON_RPC"), ("variablesSchema", "GRAPHQL"),
  ]
  private static let others: Set<String> = [
    "type", "not", "optional", "contentType", "charset", "matchType", "subString",
    "namespacePrefixes", "templateType", "method", "query", "operationName", "rawBytes",
  ]

  /// The kinds whose patterns match less than in MockServer, and why: negated they would match more.
  private static let narrower = [
    "PARAMETERS": "MockServer ignores the case of parameters, and stubs compare it",
    "XML": "MockServer compares XML in another way",
    "XPATH": "MockServer reads names with prefixes in another way",
    "GRAPHQL": "MockServer compares queries in another way",
    "JSON_RPC": "MockServer ignores the case of the method, and stubs compare it",
  ]

  let input: ImportInput
  let texts: MockServerTexts

  /// The kind of an object that is a matcher or a content with a type; nil for plain JSON.
  static func kind(of value: SourceValue) -> String? {
    guard value.isObject, !value.members.isEmpty else { return nil }
    if let type = value["type"]?.peekedText?.uppercased(), type == value["type"]?.peekedText,
      type.allSatisfy({ $0.isLetter || $0 == "_" })
    {
      return type
    }
    let names = value.members.map(\.name)
    guard let known = kinds.first(where: { names.contains($0.member) }),
      names.allSatisfy({ name in
        Self.others.contains(name) || Self.kinds.contains { $0.member == name }
      })
    else { return nil }
    return known.kind
  }

  /// The pattern of a content; nil if any content matches.
  func pattern(_ value: SourceValue) throws -> JSONValue? {
    if let text = value.text {
      return text.isEmpty ? nil : .object(["equalTo": .string(text)])
    }
    guard let kind = Self.kind(of: value) else {
      return Self.partial(value.json)
    }
    value.ignore("type", "contentType", "charset", "rawBytes")
    let isNegated = value.flag("not")
    if isNegated, let reason = Self.narrower[kind] { throw Untranslatable("not", reason) }
    var pattern = try self.pattern(kind, value)
    if isNegated { pattern = .object(["not": pattern]) }
    if isNegated, kind == "STRING" {
      // Without content the matcher of a text does not match in MockServer, negated or not.
      pattern = ["and": [["not": ["absent": true]], pattern]]
    }
    if value.flag("optional") { pattern = MockServerTexts.optional(pattern) }
    return pattern
  }

  /// JSON of which only what is given must be there, in any order.
  private static func partial(_ json: JSONValue) -> JSONValue {
    .object(["equalToJson": json, "ignoreArrayOrder": true, "ignoreExtraElements": true])
  }

  private func pattern(_ kind: String, _ value: SourceValue) throws -> JSONValue {
    switch kind {
    case "STRING":
      let text = value.text("string") ?? ""
      return .object([value.flag("subString") ? "contains" : "equalTo": .string(text)])
    case "REGEX":
      let expression = try ForeignExpression(value.text("regex") ?? "", .java)
      return .object(["matches": .string(expression.whole)])
    case "JSON":
      let json = try Self.json(value["json"], "json")
      let isStrict = value.text("matchType")?.uppercased() == "STRICT"
      return isStrict ? .object(["equalToJson": json]) : Self.partial(json)
    case "JSON_SCHEMA":
      return try schema(value["jsonSchema"])
    case "JSON_PATH": return try jsonPath(value["jsonPath"], isNegated: value.flag("not"))
    case "PARAMETERS":
      guard let parameters = value["parameters"] else { throw Untranslatable("parameters") }
      let reader = MockServerRequestReader(input: input, options: ImportOptions(), texts: texts)
      return .object(["form": .object(try reader.patterns(parameters))])
    case "XML": return .object(["equalToXml": .string(value.text("xml") ?? "")])
    case "XPATH": return try xPath(value)
    case "BINARY": return .object(["binaryEqualTo": .string(value.text("base64Bytes") ?? "")])
    case "GRAPHQL": return try graphQL(value)
    case "JSON_RPC": return try call(value)
    case "FILE":
      let file = value["filePath"]
      guard let file, let name = file.text, let folder = input.folder else {
        throw Untranslatable("a content in a file")
      }
      let bytes = try folder.read(name, from: input.directory) { file.failure($0) }
      return .object(["binaryEqualTo": .string(bytes.base64EncodedString())])
    default: throw Untranslatable("a content of the type \(kind)")
    }
  }

  private static func json(_ value: SourceValue?, _ name: String) throws -> JSONValue {
    guard let value else { throw Untranslatable(name) }
    guard value.isString, let text = value.text else { return value.json }
    guard let json = try? JSONValue(parsing: text) else {
      throw Untranslatable(name, "its text is not JSON")
    }
    return json
  }

  private func schema(_ value: SourceValue?) throws -> JSONValue {
    let schema = try Self.json(value, "jsonSchema")
    var members: [String: JSONValue] = ["matchesJsonSchema": schema]
    if case .object(let parts) = schema, case .string(let dialect) = parts["$schema"] {
      if dialect.contains("draft-07") || dialect.contains("draft-06") {
        members["schemaVersion"] = "draft-07"
      } else if dialect.contains("draft-04") {
        throw Untranslatable("a schema of draft 4")
      }
    }
    return .object(members)
  }

  private func jsonPath(_ value: SourceValue?, isNegated: Bool) throws -> JSONValue {
    guard let value, let text = value.text else { throw Untranslatable("jsonPath") }
    guard let path = JaywayPath(text) else {
      throw Untranslatable("jsonPath", "\(text) has no counterpart in RFC 9535")
    }
    if path.isRewritten {
      value.change(.jsonPathDialect, "\(text) was rewritten as \(path.query)")
    }
    if let difference = path.difference {
      if isNegated { throw Untranslatable("not", difference) }
      value.change(.jsonPathDialect, difference)
    }
    guard path.isDefinite else { return ["matchesJsonPath": .string(path.query)] }
    // A path to null or to an empty list matches here, not in MockServer.
    return [
      "matchesJsonPath": SelectedValue.pattern(
        path.query, ["and": [.object(SelectedValue.notNull), ["not": ["equalToJson": []]]]])
    ]
  }

  private func xPath(_ value: SourceValue) throws -> JSONValue {
    let expression = JSONValue.string(value.text("xpath") ?? "")
    guard let prefixes = value["namespacePrefixes"], !prefixes.members.isEmpty else {
      return .object(["matchesXPath": expression])
    }
    return .object([
      "matchesXPath": .object(["expression": expression, "namespaces": prefixes.json])
    ])
  }

  private func graphQL(_ value: SourceValue) throws -> JSONValue {
    var operation: [String: JSONValue] = [:]
    operation["query"] = value.text("query").map(JSONValue.string)
    operation["operationName"] = value.text("operationName").map(JSONValue.string)
    let pattern = JSONValue.object(["graphql": .object(operation)])
    guard let variables = value["variablesSchema"], !variables.isNull else { return pattern }
    let schema = try Self.json(variables, "variablesSchema")
    return .object([
      "and": .array([
        pattern,
        .object([
          "matchesJsonSchema": .object([
            "type": "object", "required": ["variables"],
            "properties": .object(["variables": schema]),
          ])
        ]),
      ])
    ])
  }

  private func call(_ value: SourceValue) throws -> JSONValue {
    var patterns: [JSONValue] = []
    if let method = value["method"] {
      guard case .object(let operand) = try Self.members(texts.pattern(method)) else {
        throw Untranslatable("method")
      }
      patterns.append(
        .object([
          "matchesJsonPath": .object(operand.merging(["expression": "$.method"]) { _, new in new })
        ]))
    }
    if let params = value["paramsSchema"], !params.isNull {
      patterns.append(
        .object([
          "matchesJsonSchema": .object([
            "type": "object", "required": ["params"],
            "properties": .object(["params": try Self.json(params, "paramsSchema")]),
          ])
        ]))
    }
    guard !patterns.isEmpty else { throw Untranslatable("JSON_RPC") }
    return patterns.count == 1 ? patterns[0] : .object(["and": .array(patterns)])
  }

  /// A pattern as an object, also a plain text.
  private static func members(_ pattern: JSONValue) throws -> JSONValue {
    if case .string = pattern { return .object(["equalTo": pattern]) }
    return pattern
  }
}
