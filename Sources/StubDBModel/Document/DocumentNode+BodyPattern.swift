internal import Foundation
internal import StubDBJSON

extension DocumentNode {
  /// One body pattern, or a list of them that all must match.
  func bodyPatterns() throws(DocumentError) -> [BodyPattern] {
    switch value {
    case .object(let members): return [try bodyPattern(members)]
    case .array:
      var patterns: [BodyPattern] = []
      for node in try list("a list of body patterns") {
        guard case .object(let members) = node.value else {
          throw node.wrongType("an operator such as {\"contains\": \"…\"}")
        }
        patterns.append(try node.bodyPattern(members))
      }
      return patterns
    default: throw wrongType("an operator such as {\"equalToJson\": {…}}, or a list of them")
    }
  }

  /// The operands of `and` and `or`, where a plain string is allowed too.
  private func operandPatterns() throws(DocumentError) -> [BodyPattern] {
    var patterns: [BodyPattern] = []
    for node in try list("a list of body patterns") { patterns.append(try node.operandPattern()) }
    return patterns
  }

  private func operandPattern() throws(DocumentError) -> BodyPattern {
    switch value {
    case .string(let text): return .value(.equalTo(text))
    case .object(let members): return try bodyPattern(members)
    default: throw wrongType("a string or an operator such as {\"contains\": \"…\"}")
    }
  }

  private func bodyPattern(
    _ members: [String: JSONValue], besides others: [String] = []
  ) throws(DocumentError) -> BodyPattern {
    let name = try mainOperator(of: members, .body, besides: others)
    let operand = member(name, of: members)
    switch name {
    case "and": return .and(try operand.operandPatterns())
    case "or": return .or(try operand.operandPatterns())
    case "not": return .not(try operand.operandPattern())
    case "binaryEqualTo": return .binaryEqualTo(try operand.base64())
    case "equalToJson":
      return .equalToJSON(
        operand.value, ignoreArrayOrder: try flag("ignoreArrayOrder", of: members),
        ignoreExtraElements: try flag("ignoreExtraElements", of: members))
    case "matchesJsonPath": return try operand.jsonPathPattern()
    case "matchesJsonSchema": return try jsonSchemaPattern(operand, of: members)
    case "form": return .form(try operand.namedPatterns(.form))
    case "multipart": return .multipart(try operand.partPatterns())
    case "graphql": return .graphQL(try operand.graphQLPattern())
    case "equalToXml":
      return .equalToXML(
        XMLPattern(
          try operand.filledString("the XML document"),
          enablePlaceholders: try flag("enablePlaceholders", of: members),
          ignoreOrderOfSameNode: try flag("ignoreOrderOfSameNode", of: members)))
    case "matchesXPath": return .matchesXPath(try operand.xPathPattern())
    default: return .value(try valueOperator(name, of: members))
    }
  }

  private func jsonPathPattern() throws(DocumentError) -> BodyPattern {
    guard case .object(let members) = value else {
      return .matchesJSONPath(try filledString("the JSONPath"))
    }
    let expression = try object(.jsonPath).required("expression")
    return .matchesJSONPath(
      try expression.filledString("the JSONPath"),
      members.count == 1 ? nil : try bodyPattern(members, besides: ["expression"]))
  }

  private func jsonSchemaPattern(
    _ schema: DocumentNode, of members: [String: JSONValue]
  ) throws(DocumentError) -> BodyPattern {
    switch schema.value {
    case .object, .bool: break
    default: throw schema.wrongType("a JSON Schema (an object, true or false)")
    }
    guard members["schemaVersion"] != nil else { return .matchesJSONSchema(schema.value) }
    let version = try member("schemaVersion", of: members)
      .word("a schema version", of: BodyPattern.jsonSchemaVersions)
    return .matchesJSONSchema(
      schema.value, version: version == BodyPattern.defaultJSONSchemaVersion ? nil : version)
  }

  private func xPathPattern() throws(DocumentError) -> XPathPattern {
    guard case .object(let members) = value else {
      return XPathPattern(try filledString("the XPath"))
    }
    let object = try object(.xPath)
    var pattern = XPathPattern(
      try object.required("expression").filledString("the XPath"))
    if let namespaces = object["namespaces"] {
      for (prefix, node) in try namespaces.members("an object of prefixes and namespace URIs") {
        pattern.namespaces[prefix] = try node.filledString("the namespace URI")
      }
    }
    if members.count > 1 + (object.has("namespaces") ? 1 : 0) {
      let name = try mainOperator(of: members, .value, besides: ["expression", "namespaces"])
      pattern.value = try valueOperator(name, of: members)
    }
    return pattern
  }

  private func partPatterns() throws(DocumentError) -> [PartPattern] {
    var parts: [PartPattern] = []
    for node in try list("a list of part patterns") {
      let object = try node.object(.part)
      parts.append(
        PartPattern(
          name: try object["name"]?.string(), filename: try object["filename"]?.valuePattern(),
          headers: try object["headers"]?.namedPatterns(.header) ?? [],
          body: try object["body"]?.bodyPatterns() ?? []))
    }
    return parts
  }

  private func graphQLPattern() throws(DocumentError) -> GraphQLPattern {
    let object = try object(.graphQL)
    return GraphQLPattern(
      operationName: try object["operationName"]?.valuePattern(),
      variables: object["variables"]?.value,
      query: try object["query"]?.filledString("the query"))
  }

  func base64() throws(DocumentError) -> Data {
    let text = try string()
    guard let data = Data(base64Encoded: text) else {
      throw failure(.invalidValue, "the text is not base64 (RFC 4648 section 4, with padding)")
    }
    return data
  }
}
