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

  /// How many kinds of credentials are distinguished: each is a stub.
  private static let maximumChoiceCount = 8

  /// Adds required parameters and the schema of the content, but in places that the pattern has something for.
  func apply(to pattern: inout RequestPattern) throws(FormatError) {
    if options.requirements.contains(.required) { parameters.addRequired(to: &pattern) }
    if options.requirements.contains(.body), pattern.body.isEmpty, let body = try body() {
      pattern.body = [body]
    }
  }
}

// MARK: - Content

extension OpenAPIRequirements {
  private func body() throws(FormatError) -> BodyPattern? {
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

  private func swaggerBody() throws(FormatError) -> BodyPattern? {
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
  private func schema(_ value: SourceValue) throws(FormatError) -> BodyPattern? {
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
  /// Says which credentials are not asked for; once for an operation, whose stubs ask for them in several places.
  func reportSecurity() {
    guard options.requirements.contains(.security),
      let choices = (operation["security"] ?? root["security"])?.elements
    else { return }
    if choices.count > Self.maximumChoiceCount {
      operation.note(
        .changed, .matcher,
        "Of \(choices.count) kinds of credentials, the first \(Self.maximumChoiceCount) are taken")
    }
    var known: Set<String> = []
    for name in choices.prefix(Self.maximumChoiceCount).flatMap({ $0.members.map(\.name) })
    where known.insert(name).inserted && (try? credential(name)) == nil {
      operation.note(
        .changed, .matcher,
        schemes?[name] == nil
          ? "The security scheme \(name) is not described, so its credentials are not asked for"
          : "Stubs do not see the credentials of the security scheme \(name), and do not ask for them"
      )
    }
  }

  private var schemes: SourceValue? {
    isSwagger ? root["securityDefinitions"] : root["components"]?["securitySchemes"]
  }

  /// The pattern with the credentials that a request must have, one for each choice; nil if it needs none.
  func secured(_ pattern: RequestPattern) throws(FormatError) -> [RequestPattern]? {
    guard options.requirements.contains(.security),
      let choices = (operation["security"] ?? root["security"])?.elements, !choices.isEmpty
    else { return nil }
    var patterns: [RequestPattern] = []
    for choice in choices.prefix(Self.maximumChoiceCount) {
      var secured = pattern
      for credential in try credentials(choice) { credential.add(to: &secured) }
      // A choice that asks for nothing, or for what stubs do not see, lets everybody in.
      if secured == pattern { return nil }
      if !patterns.contains(secured) { patterns.append(secured) }
    }
    return patterns
  }

  /// The pattern for requests that have the credentials of no choice: of each, one is missing.
  ///
  /// Empty if there are too many combinations, which the report says: a stub for all requests would refuse credentials.
  func unsecured(_ pattern: RequestPattern) throws(FormatError) -> [RequestPattern] {
    let choices = (operation["security"] ?? root["security"])?.elements ?? []
    var patterns = [pattern]
    for choice in choices.prefix(Self.maximumChoiceCount) {
      let credentials = try credentials(choice)
      guard patterns.count * credentials.count <= Self.maximumChoiceCount else {
        operation.note(
          .changed, .matcher,
          "What is missing in a request without credentials has too many combinations; none gets 401"
        )
        return []
      }
      patterns = patterns.flatMap { pattern in
        credentials.map { credential in
          var pattern = pattern
          credential.refuse(in: &pattern)
          return pattern
        }
      }
    }
    return patterns
  }

  private func credentials(_ choice: SourceValue) throws(FormatError) -> [Credential] {
    var credentials: [Credential] = []
    for (name, _) in choice.members {
      if let credential = try credential(name) { credentials.append(credential) }
    }
    return credentials
  }

  private func credential(_ name: String) throws(FormatError) -> Credential? {
    guard let reference = schemes?[name] else { return nil }
    let scheme = try references.resolved(reference)
    switch (scheme.text("type")?.lowercased(), scheme.text("scheme")?.lowercased()) {
    case ("basic", _), ("http", "basic"): return .field(.authorization, "(?i)basic .+")
    case ("http", "bearer"), ("oauth2", _), ("openidconnect", _):
      return .field(.authorization, "(?i)bearer .+")
    case ("http", let kind?):
      return .field(.authorization, "(?i)\(NSRegularExpression.escapedPattern(for: kind)) .+")
    case ("apikey", _):
      guard let key = scheme.text("name") else { return nil }
      switch scheme.text("in")?.lowercased() {
      case "query": return .parameter(key)
      case "cookie": return .cookie(key)
      case "header": return HTTPField.Name(key).map { .field($0, ".+") }
      default: return nil
      }
    default: return nil
    }
  }
}

/// What a request proves itself with.
private enum Credential {
  case field(HTTPField.Name, String)
  case parameter(String)
  case cookie(String)

  func add(to pattern: inout RequestPattern) {
    switch self {
    case .field(let name, let expression):
      pattern.headers.removeAll { $0.name == name }
      pattern.headers.append(HeaderPattern(name, .matches(expression)))
    case .parameter(let name): pattern.query = Self.adding(name, to: pattern.query)
    case .cookie(let name): pattern.cookies = Self.adding(name, to: pattern.cookies)
    }
  }

  /// Makes a pattern of requests without it.
  func refuse(in pattern: inout RequestPattern) {
    switch self {
    case .field(let name, let expression):
      let refused = ValuePattern.not(.matches(expression))
      let before = pattern.headers.first { $0.name == name }?.pattern
      if before == refused { return }
      pattern.headers.removeAll { $0.name == name }
      pattern.headers.append(
        HeaderPattern(name, before.map { .and([$0, refused]) } ?? refused))
    case .parameter(let name): pattern.query = Self.refusing(name, in: pattern.query)
    case .cookie(let name): pattern.cookies = Self.refusing(name, in: pattern.cookies)
    }
  }

  private static func adding(_ name: String, to list: [NamedPattern]) -> [NamedPattern] {
    list.contains { $0.name == name } ? list : list + [NamedPattern(name, .matches(".+"))]
  }

  private static func refusing(_ name: String, in list: [NamedPattern]) -> [NamedPattern] {
    list.filter { $0.name != name } + [NamedPattern(name, .not(.matches(".+")))]
  }
}
