internal import HTTPTypes
internal import StubDBDrift
internal import StubDBJSON

/// Compares an answer with what an operation says of its status.
struct OpenAPIAnswerCheck {
  /// What is wrong with an answer.
  struct Problem {
    var id: OpenAPIFinding.ID
    var level: OpenAPIFinding.Level
    /// In the response, or in its content.
    var pointer: String
    var isInContent = false
    var message: String
  }

  /// So many violations of one schema are listed.
  private static let maximumCount = 20
  /// So much work may go into one schema.
  private static let checkLimit = 1_000_000

  private let description: OpenAPIOperations
  private let operation: OpenAPIOperation
  private let isHead: Bool
  private(set) var problems: [Problem] = []
  /// Why the content could not be compared; nil if it could.
  private(set) var unknown: String?
  /// The name of the response of the description: `404`, `4XX`, `default`, or nil.
  private(set) var response: String?

  init(_ description: OpenAPIOperations, _ operation: OpenAPIOperation, isHead: Bool) {
    (self.description, self.operation, self.isHead) = (description, operation, isHead)
  }

  mutating func check(_ answer: SampledAnswer) throws(FormatError) {
    guard let name = operation.response(answer.status),
      let reference = operation.value["responses"]?[name]
    else {
      let isSuccess = (200..<300).contains(answer.status)
      return add(
        .undefinedStatus, isSuccess ? .error : .warning, at: "/status",
        "the description has no status \(answer.status) of \(operation.method) \(operation.path)")
    }
    response = name
    let value = try description.references.resolved(reference)
    try checkHeaders(answer, value)
    if !isHead, !answer.content.isEmpty { try checkContent(answer, value) }
  }

  private mutating func add(
    _ id: OpenAPIFinding.ID, _ level: OpenAPIFinding.Level, at pointer: String, _ message: String
  ) {
    problems.append(
      Problem(
        id: id, level: level, pointer: pointer, isInContent: id == .bodySchema, message: message))
  }

  // MARK: Header fields

  private mutating func checkHeaders(
    _ answer: SampledAnswer, _ response: SourceValue
  ) throws(FormatError) {
    for member in response["headers"]?.members ?? []
    where member.name.lowercased() != "content-type" {
      guard let name = HTTPField.Name(member.name) else { continue }
      let header = try description.references.resolved(member.value)
      let pointer = "\(JSONPointer(["headers", member.name]))"
      guard let text = answer.headers[name] else {
        if header.flag("required") {
          add(
            .missingRequiredHeader, .error, at: pointer,
            "the answer has no header field \(member.name)")
        }
        continue
      }
      guard let schema = try OpenAPIValueSchema(header, of: description) else { continue }
      if let message = schema.violation(by: text) {
        add(
          .headerSchema, .error, at: pointer, "the schema of the header field requires \(message)")
      }
    }
  }

  // MARK: Content

  private mutating func checkContent(
    _ answer: SampledAnswer, _ response: SourceValue
  ) throws(FormatError) {
    let type = answer.headers[.contentType].flatMap(MediaType.init)
    let described = try media(of: response)
    guard !described.isEmpty else {
      return add(
        .undefinedMediaType, .warning, at: "",
        "the description has no content of the status \(answer.status)")
    }
    let found = described.first { Self.fits($0.type, type) }
    guard let found else {
      let types = described.map(\.type).joined(separator: ", ")
      return add(
        .undefinedMediaType, .error, at: "/headers/Content-Type",
        "the description has \(types), not \(type?.description ?? "content without a media type")")
    }
    guard type?.isJSON ?? true, let schema = found.schema else { return }
    guard let value = try? JSONValue(parsing: answer.content) else {
      if type?.isJSON ?? false {
        add(.bodySchema, .error, at: "", "the content is not JSON")
      }
      return
    }
    try validate(value, schema)
  }

  private mutating func validate(
    _ value: JSONValue, _ schema: SourceValue
  ) throws(FormatError) {
    let schemas = description.schemas
    switch try schemas.outcome(of: schema, .response, levelCount: value.levelCount) {
    case .tooLarge: unknown = "the schema of \(operation.method) \(operation.path) is too large"
    case .unreadable(let reason):
      unknown = "the schema of \(operation.method) \(operation.path) cannot be read: \(reason)"
    case .compiled(let compiled):
      var limit = Self.checkLimit
      guard let violations = compiled.violations(in: value, checks: &limit) else {
        unknown = "its content takes too long to compare with the schema"
        return
      }
      for violation in violations.prefix(Self.maximumCount) {
        add(
          .bodySchema, .error, at: violation.pointer.description,
          "the schema requires \(violation.message)")
      }
    }
  }

  /// The media types of a response with their schemas.
  private func media(
    of response: SourceValue
  ) throws(FormatError) -> [(type: String, schema: SourceValue?)] {
    if description.isSwagger {
      guard let schema = response["schema"] else { return [] }
      let types =
        (operation.value["produces"] ?? description.root["produces"])?.elements
        .compactMap(\.text) ?? []
      return (types.isEmpty ? ["*/*"] : types).map { ($0, schema) }
    }
    var found: [(type: String, schema: SourceValue?)] = []
    for member in response["content"]?.members ?? [] {
      let media = try description.references.resolved(member.value)
      found.append((member.name, media["schema"]))
    }
    return found
  }

  /// Whether a media type fits one of a description, which may be `text/*` or `*/*`.
  private static func fits(_ described: String, _ type: MediaType?) -> Bool {
    guard let range = MediaType(described) else { return false }
    if range.description == "*/*" { return true }
    guard let type else { return false }
    if range.description.hasSuffix("/*") {
      return type.description.hasPrefix(range.description.dropLast())
    }
    return range == type
  }
}

/// The schema of a value that is sent as text: a parameter, a header field.
struct OpenAPIValueSchema {
  private let schema: JSONSchema

  /// Nil if there is no schema, or one that texts are not compared with.
  ///
  /// - Throws: ``FormatError`` for a reference that cannot be followed.
  init?(_ holder: SourceValue, of description: OpenAPIOperations) throws(FormatError) {
    // In Swagger 2, and where there is no schema, the keywords are in the parameter itself.
    guard let given = holder["schema"] ?? (description.isSwagger ? holder : nil) else { return nil }
    let resolved = try description.references.resolved(given)
    let type = resolved["type"]
    // How lists and objects become text depends on their style.
    guard type?.peekedText != "array", type?.peekedText != "object", type?.isArray != true else {
      return nil
    }
    // In Swagger 2 `required: true` says it of the parameter.
    let isParameter = description.isSwagger && holder["schema"] == nil
    guard
      case .compiled(let compiled) = try description.schemas.outcome(
        of: resolved, .request, without: isParameter ? "required" : nil)
    else { return nil }
    schema = compiled
  }

  /// What of the schema a text violates, as a string and as any other value; nil if nothing.
  func violation(by text: String) -> String? {
    var readings = [JSONValue.string(text)]
    if let value = try? JSONValue(parsing: text) { readings.insert(value, at: 0) }
    var first: String?
    for reading in readings {
      guard let violation = schema.violations(in: reading).first else { return nil }
      first = first ?? violation.message
    }
    return first
  }
}
