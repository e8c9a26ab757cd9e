internal import HTTPTypes
internal import StubDBJSON
internal import StubDBModel

extension OpenAPICheck {
  /// Says where the pattern of a stub demands what no request has that follows the description.
  mutating func checkRequest(
    of stub: ExportedStub, _ operation: OpenAPIOperation, _ path: [String]
  ) throws(FormatError) {
    let check = OpenAPIRequestCheck(description, operation)
    for problem in try check.problems(of: stub.stub.request, path: path) {
      add(.requestCannotMatch, .error, stub, at: problem.pointer, problem.message)
    }
    if try check.lacksSecurity(stub.stub.request) {
      add(
        .securityMissing, .note, stub, at: "/request",
        "\(operation.method) \(operation.path) asks for credentials, and the stub does not")
    }
  }
}

/// Compares the pattern of a stub with what an operation says of its requests.
struct OpenAPIRequestCheck {
  struct Problem {
    var pointer: String
    var message: String
  }

  private let description: OpenAPIOperations
  private let operation: OpenAPIOperation

  init(_ description: OpenAPIOperations, _ operation: OpenAPIOperation) {
    (self.description, self.operation) = (description, operation)
  }

  func problems(
    of pattern: RequestPattern, path: [String]
  ) throws(FormatError) -> [Problem] {
    var problems: [Problem] = []
    for (name, value) in operation.pathValues(in: path) {
      problems += try violation(by: value, of: name, in: "path", at: ["request", "url"])
    }
    for parameter in pattern.pathParameters {
      guard let text = parameter.pattern.literal else { continue }
      problems += try violation(
        by: text, of: parameter.name, in: "path",
        at: ["request", "pathParameters", parameter.name])
    }
    for header in pattern.headers {
      guard let text = header.pattern.literal else { continue }
      problems += try violation(
        by: text, of: header.name.rawName, in: "header",
        at: ["request", "headers", header.name.rawName])
    }
    return try problems + queryProblems(pattern) + bodyProblems(pattern)
  }

  private func parameter(_ name: String, in place: String) -> OpenAPIParameters.Parameter? {
    operation.parameters.parameters.first {
      $0.place == place
        && (place == "header" ? $0.name.lowercased() == name.lowercased() : $0.name == name)
    }
  }

  private func violation(
    by text: String, of name: String, in place: String, at tokens: [String]
  ) throws(FormatError) -> [Problem] {
    guard let parameter = parameter(name, in: place),
      let schema = try OpenAPIValueSchema(parameter.value, of: description),
      let message = schema.violation(by: text)
    else { return [] }
    return [
      Problem(
        pointer: "\(JSONPointer(tokens))",
        message: "no request has this \(place) parameter, whose schema requires \(message)")
    ]
  }

  // MARK: Query

  private func queryProblems(_ pattern: RequestPattern) throws(FormatError) -> [Problem] {
    let described = operation.parameters.parameters.filter { $0.place == "query" }
    // The members of an object are parameters by themselves.
    let isOpen = described.contains { $0.schema.text("type") == "object" }
    let keys = try securityPatterns()?.flatMap { $0.query.map(\.name) } ?? []
    var problems: [Problem] = []
    for parameter in pattern.query {
      guard let text = parameter.pattern.literal else { continue }
      let pointer = "\(JSONPointer(["request", "query", parameter.name]))"
      // Lists may be written `ids[]`.
      let names = [parameter.name, parameter.name.replacing("[]", with: "")]
      if !isOpen, !keys.contains(parameter.name),
        !described.contains(where: { names.contains($0.name) })
      {
        problems.append(
          Problem(
            pointer: pointer,
            message: "the description has no query parameter \(parameter.name)"))
      }
      problems += try violation(
        by: text, of: parameter.name, in: "query", at: ["request", "query", parameter.name])
    }
    guard pattern.queryIsExact else { return problems }
    for parameter in described
    where parameter.value.flag("required") && !isOpen
      && !pattern.query.contains(where: { $0.name == parameter.name })
    {
      problems.append(
        Problem(
          pointer: "/request/query",
          message: "every request has the query parameter \(parameter.name), which the stub forbids"
        ))
    }
    return problems
  }

  // MARK: Content

  private func bodyProblems(_ pattern: RequestPattern) throws(FormatError) -> [Problem] {
    var problems: [Problem] = []
    for body in pattern.body {
      guard let equal = body.operation as? EqualToJSONOperator,
        !equal.value.holdsPlaceholder,
        let schema = try contentSchema(for: equal.value)
      else { continue }
      for violation in schema.violations(in: equal.value) {
        // Requests may have more than such a pattern says.
        let isOpen = equal.ignoreExtraElements
        if isOpen,
          ["required", "minProperties", "minItems", "oneOf", "anyOf"].contains(violation.keyword)
        {
          continue
        }
        problems.append(
          Problem(
            pointer: "/request/body\(violation.pointer)",
            message: "no request has this content, whose schema requires \(violation.message)"))
        break
      }
    }
    return problems
  }

  /// The schema of JSON content of requests; nil if there is none that can be read.
  private func contentSchema(for value: JSONValue) throws(FormatError) -> JSONSchema? {
    var given = operation.parameters.body?["schema"]
    if let reference = operation.value["requestBody"] {
      let content = try description.references.resolved(reference)["content"]?.members ?? []
      guard let media = content.first(where: { $0.name.contains("json") }) else { return nil }
      given = try description.references.resolved(media.value)["schema"]
    }
    guard let given else { return nil }
    let schemas = description.schemas
    guard
      case .compiled(let schema) = try schemas.outcome(
        of: given, .request, levelCount: value.levelCount)
    else { return nil }
    return schema
  }

  // MARK: Credentials

  /// What requests must have to prove who asks, one pattern for each choice; nil if nothing.
  private func securityPatterns() throws(FormatError) -> [RequestPattern]? {
    var options = ImportOptions()
    options.requirements = [.security]
    return try OpenAPIRequirements(
      operation: operation.value, root: description.root, parameters: operation.parameters,
      references: description.references, options: options, isSwagger: description.isSwagger
    ).secured(RequestPattern())
  }

  /// Whether the operation asks for credentials of which the stub asks for none.
  func lacksSecurity(_ pattern: RequestPattern) throws(FormatError) -> Bool {
    guard pattern.basicAuth == nil, let choices = try securityPatterns() else { return false }
    return !choices.contains { choice in
      choice.headers.allSatisfy { wanted in pattern.headers.contains { $0.name == wanted.name } }
        && choice.query.allSatisfy { wanted in pattern.query.contains { $0.name == wanted.name } }
        && choice.cookies.allSatisfy { wanted in
          pattern.cookies.contains { $0.name == wanted.name }
        }
    }
  }
}
