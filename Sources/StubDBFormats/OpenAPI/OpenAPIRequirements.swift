internal import Foundation
internal import HTTPTypes
internal import StubDBJSON
internal import StubDBModel

/// What of a description requests must satisfy, where `--require` asks for it.
struct OpenAPIRequirements {
  let operation: SourceValue
  let root: SourceValue
  let parameters: OpenAPIParameters
  let references: OpenAPIReferences
  let options: ImportOptions
  let isSwagger: Bool

  /// How many kinds of credentials are told apart: each is a stub.
  private static let maximumChoiceCount = 8

  /// Adds required parameters and the schema of the content, but in places that the pattern has something for.
  func apply(to pattern: inout RequestPattern) throws(ImportError) {
    if options.requirements.contains(.required) { parameters.addRequired(to: &pattern) }
    if options.requirements.contains(.body), pattern.body.isEmpty, let body = try body() {
      pattern.body = [body]
    }
  }
}

// MARK: - Content

extension OpenAPIRequirements {
  private func body() throws(ImportError) -> BodyPattern? {
    if isSwagger { return try swaggerBody() }
    guard let reference = operation["requestBody"] else { return nil }
    let body = try references.resolved(reference)
    let content = body["content"]?.members ?? []
    let isRequired = body.flag("required")
    var patterns: [BodyPattern] = []
    for member in content {
      let media = try references.resolved(member.value)
      let type = member.name.prefix { $0 != ";" }.lowercased()
      if type.hasSuffix("json"), let schema = media["schema"] {
        guard let pattern = try self.schema(schema) else { return isRequired ? Self.some : nil }
        patterns.append(pattern)
      } else if type == "application/x-www-form-urlencoded", let schema = media["schema"] {
        let names = try references.resolved(schema).list("required").compactMap(\.text)
        guard !names.isEmpty else { return isRequired ? Self.some : nil }
        patterns.append(.form(names.map { NamedPattern($0, .matches("[\\s\\S]*")) }))
      } else {
        // Nothing is known of such a content.
        return isRequired ? Self.some : nil
      }
    }
    guard !patterns.isEmpty else { return isRequired ? Self.some : nil }
    if !isRequired { patterns.append(.value(.absent)) }
    return patterns.count == 1 ? patterns[0] : .or(patterns)
  }

  /// Any content, but not none.
  private static var some: BodyPattern { .not(.value(.absent)) }

  private func swaggerBody() throws(ImportError) -> BodyPattern? {
    if let body = parameters.body, let schema = body["schema"] {
      let isRequired = body.flag("required")
      guard let pattern = try self.schema(schema) else { return isRequired ? Self.some : nil }
      return isRequired ? pattern : .or([pattern, .value(.absent)])
    }
    let types = (operation["consumes"] ?? root["consumes"])?.elements.compactMap(\.text) ?? []
    let names = parameters.form.filter(\.isRequired).map(\.name)
    guard !names.isEmpty, !types.contains(where: { $0.contains("multipart") }) else {
      return names.isEmpty ? nil : Self.some
    }
    return .form(names.map { NamedPattern($0, .matches("[\\s\\S]*")) })
  }

  /// The schema as one of draft 2020-12; nil if it is too large or cannot be read, which the report says.
  private func schema(_ value: SourceValue) throws(ImportError) -> BodyPattern? {
    var translation = OpenAPISchema(references: references, isOld: isOld)
    let problem: String
    if let schema = try translation.schema(of: value) {
      do {
        _ = try JSONSchema(schema, dialect: .draft202012)
        return .matchesJSONSchema(schema)
      } catch {
        problem = "the schema cannot be read (\(error))"
      }
    } else {
      problem = "the schema is too large, or all of them together are"
    }
    value.tree.log.add(
      .dropped, .schemaSize, at: operation, "The content is not compared: \(problem)")
    return nil
  }

  /// Whether schemas are those of OpenAPI 3.0 and before, which are no JSON Schema.
  private var isOld: Bool { isSwagger || root["openapi"]?.peekedText?.hasPrefix("3.0") ?? false }
}

// MARK: - Security

extension OpenAPIRequirements {
  /// The pattern with the credentials that a request must have, one for each choice; nil if it needs none.
  func secured(_ pattern: RequestPattern) throws(ImportError) -> [RequestPattern]? {
    guard options.requirements.contains(.security),
      let choices = (operation["security"] ?? root["security"])?.elements, !choices.isEmpty
    else { return nil }
    var patterns: [RequestPattern] = []
    if choices.count > Self.maximumChoiceCount {
      operation.tree.log.add(
        .changed, .matcher, at: operation,
        "Of \(choices.count) kinds of credentials, the first \(Self.maximumChoiceCount) are taken")
    }
    for choice in choices.prefix(Self.maximumChoiceCount) {
      var secured = pattern
      for (name, _) in choice.members { try add(name, to: &secured) }
      // A choice that asks for nothing, or for what stubs do not see, lets everybody in.
      if secured == pattern { return nil }
      if !patterns.contains(secured) { patterns.append(secured) }
    }
    return patterns
  }

  private func add(_ name: String, to pattern: inout RequestPattern) throws(ImportError) {
    let all = isSwagger ? root["securityDefinitions"] : root["components"]?["securitySchemes"]
    guard let reference = all?[name] else {
      operation.tree.log.add(
        .changed, .matcher, at: operation,
        "The security scheme \(name) is not described, so its credentials are not asked for")
      return
    }
    let scheme = try references.resolved(reference)
    switch (scheme.text("type")?.lowercased(), scheme.text("scheme")?.lowercased()) {
    case ("basic", _), ("http", "basic"): Self.add("(?i)basic .+", .authorization, to: &pattern)
    case ("http", "bearer"), ("oauth2", _), ("openidconnect", _):
      Self.add("(?i)bearer .+", .authorization, to: &pattern)
    case ("http", let kind?):
      let kind = NSRegularExpression.escapedPattern(for: kind)
      Self.add("(?i)\(kind) .+", .authorization, to: &pattern)
    case ("apikey", _):
      guard let key = scheme.text("name") else { return }
      switch scheme.text("in")?.lowercased() {
      case "query": pattern.query = Self.adding(key, to: pattern.query)
      case "cookie": pattern.cookies = Self.adding(key, to: pattern.cookies)
      case "header":
        guard let field = HTTPField.Name(key) else { return }
        Self.add(".+", field, to: &pattern)
      default: return
      }
    default: return
    }
  }

  private static func add(
    _ expression: String, _ name: HTTPField.Name, to pattern: inout RequestPattern
  ) {
    pattern.headers.removeAll { $0.name == name }
    pattern.headers.append(HeaderPattern(name, .matches(expression)))
  }

  private static func adding(_ name: String, to list: [NamedPattern]) -> [NamedPattern] {
    list.contains { $0.name == name } ? list : list + [NamedPattern(name, .matches(".+"))]
  }
}
