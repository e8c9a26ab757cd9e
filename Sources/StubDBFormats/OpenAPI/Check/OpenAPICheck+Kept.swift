package import StubDBDescriptions
internal import StubDBJSON

extension OpenAPICheck {
  /// What the description says of requests and answers, to be kept without the file, whose name messages have.
  ///
  /// - Throws: ``FormatError`` for a reference that cannot be followed.
  package func kept(file: String) throws(FormatError) -> KeptDescription {
    let reader = KeptOperationReader(description: description)
    var operations: [KeptDescription.Operation] = []
    for operation in description.operations { operations.append(try reader.kept(operation)) }
    let definitions = try KeptAnswerReader(description: description).add(to: &operations)
    return KeptDescription(
      file: file, title: description.root["info"]?.text("title") ?? file,
      hosts: description.hosts.map { $0.lowercased() }.sorted(), operations: operations,
      definitions: definitions)
  }
}

/// Reads what an operation says of its requests.
private struct KeptOperationReader {
  let description: OpenAPIOperations

  func kept(_ operation: OpenAPIOperation) throws(FormatError) -> KeptDescription.Operation {
    var kept = KeptDescription.Operation(
      method: operation.method, path: operation.path,
      paths: operation.paths.map { "/" + $0.map(\.text).joined(separator: "/") },
      pointer: "\(operation.value.pointer)")
    for parameter in operation.parameters.parameters
    where ["path", "query", "header", "cookie"].contains(parameter.place) {
      // The specification gives these three no meaning as parameters.
      if parameter.place == "header",
        ["accept", "content-type", "authorization"].contains(parameter.name.lowercased())
      {
        continue
      }
      // The members of an object are parameters by themselves.
      if parameter.place == "query", parameter.schema.text("type") == "object" {
        kept.allowsAnyQuery = true
      }
      kept.parameters.append(
        .init(
          place: parameter.place, name: parameter.name,
          isRequired: parameter.place == "path" || parameter.value.flag("required"),
          schema: try schema(of: parameter)))
    }
    kept.parameters += keys()
    try addContent(of: operation, to: &kept)
    return kept
  }

  /// The parameters of the query that prove who asks.
  private func keys() -> [KeptDescription.Parameter] {
    let root = description.root
    let schemes =
      description.isSwagger
      ? root["securityDefinitions"] : root["components"]?["securitySchemes"]
    return (schemes?.members ?? []).compactMap { member in
      guard member.value.text("type") == "apiKey", member.value.text("in") == "query",
        let name = member.value.text("name")
      else { return nil }
      return .init(place: "query", name: name, isRequired: false, schema: nil)
    }
  }

  /// The schema of a text; nil if it is not that of a text, since how lists and objects become text depends on their
  /// style.
  private func schema(
    of parameter: OpenAPIParameters.Parameter
  ) throws(FormatError) -> JSONValue? {
    let holder = parameter.value
    guard holder["schema"] != nil || description.isSwagger else { return nil }
    let type = parameter.schema["type"]
    guard type?.peekedText != "array", type?.peekedText != "object", type?.isArray != true else {
      return nil
    }
    guard case .object(var members)? = try translated(parameter.schema) else { return nil }
    // In Swagger 2 `required: true` says it of the parameter.
    if description.isSwagger { members["required"] = nil }
    return .object(members)
  }

  private func addContent(
    of operation: OpenAPIOperation, to kept: inout KeptDescription.Operation
  ) throws(FormatError) {
    if let reference = operation.value["requestBody"] {
      let body = try description.references.resolved(reference)
      kept.requiresContent = body.flag("required")
      for member in body["content"]?.members ?? [] {
        let media = try description.references.resolved(member.value)
        kept.content[member.name] = try media["schema"].map(content) ?? true
      }
      return
    }
    let form = operation.parameters.form
    guard operation.parameters.body != nil || !form.isEmpty else { return }
    let consumed = (operation.value["consumes"] ?? description.root["consumes"])?.elements
      .compactMap(\.text)
    let body = operation.parameters.body
    kept.requiresContent = body?.flag("required") ?? form.contains(where: \.isRequired)
    let schema = try body?["schema"].map(content) ?? true
    for type in consumed ?? (body == nil ? ["*/*"] : ["application/json"]) {
      kept.content[type] = schema
    }
  }

  private func content(_ value: SourceValue) throws(FormatError) -> JSONValue {
    try translated(value) ?? true
  }

  /// The schema with all that it refers to; nil if that is too much.
  private func translated(_ value: SourceValue) throws(FormatError) -> JSONValue? {
    description.references.translatedCount = 0
    var translation = OpenAPISchema(
      references: description.references, isOld: description.isOld, direction: .request)
    return try translation.schema(of: value)
  }
}
