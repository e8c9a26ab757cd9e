internal import Foundation
internal import HTTPTypes
internal import StubDBJSON
internal import StubDBModel

/// Translates the `request` of a stub.
struct WireMockRequestReader {
  let isLenient: Bool
  let patterns: WireMockPatternReader

  /// - Throws: ``Untranslatable`` for a part without a counterpart, `DocumentError` for one with a wrong value.
  func request(_ request: SourceValue) throws -> RequestPattern {
    var pattern = RequestPattern()
    try request.translateMembers(of: "request", isLenient: isLenient) { name, value in
      try translate(name, value, of: request, into: &pattern)
    }
    // WireMock reads form parameters of a form only. Last, because `headers` may stand behind the parameters.
    if request.given("formParameters") != nil,
      !pattern.headers.contains(where: { $0.name == .contentType })
    {
      pattern.headers.append(HeaderPattern(.contentType, .contains("x-www-form-urlencoded")))
    }
    // The usual port of a scheme is the one that stubdb expects.
    if let scheme = pattern.scheme, pattern.port == URLParts.defaultPort(scheme) {
      pattern.port = nil
    }
    return pattern
  }

  private func translate(
    _ name: String, _ value: SourceValue, of request: SourceValue,
    into pattern: inout RequestPattern
  ) throws {
    switch name {
    case "method":
      if value.text?.uppercased() != "ANY" {
        pattern.methods = try RequestPattern.reading(.method, try method(value)).methods
      }
    case "scheme": pattern.scheme = value.text?.lowercased() ?? ""
    case "port": pattern.port = try RequestPattern.reading(.port, value.json).port
    case "host": pattern.host = try patterns.value(value)
    case "url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate":
      try WireMockURL.translate(name, value, of: request, into: &pattern)
    case "pathParameters": pattern.pathParameters = try patterns.named(value)
    case "headers": pattern.headers = try patterns.headers(value)
    case "cookies": pattern.cookies = PresentValue.demanded(try patterns.named(value))
    case "queryParameters":
      for named in try patterns.named(value) { pattern.query[named.name] = named.pattern }
    case "basicAuth", "basicAuthCredentials":
      pattern.basicAuth = try RequestPattern.reading(.basicAuth, value.json).basicAuth
    case "formParameters": pattern.body.append(.form(try patterns.named(value)))
    case "bodyPatterns": pattern.body += try patterns.bodies(value)
    case "multipartPatterns":
      pattern.body.append(.multipart(try patterns.list(value).map(part)))
    case "customMatcher": pattern.body.append(try graphQL(value))
    default: throw Untranslatable(name)
    }
  }

  private func method(_ value: SourceValue) throws -> JSONValue {
    guard value.isObject else { return value.json }
    guard let list = value["oneOf"] else { throw Untranslatable("method.noneOf") }
    return list.json
  }

  private func part(_ value: SourceValue) throws -> PartPattern {
    var part = PartPattern()
    try value.translateMembers(of: "a part", isLenient: false) { name, member in
      switch name {
      case "name": part.name = member.text
      case "fileName", "filename": part.filename = try patterns.value(member)
      case "headers":
        let headers = try patterns.headers(member)
        part.headers = headers.filter { !isImplied($0.name, in: member, of: value) }
      case "bodyPatterns": part.body = try patterns.bodies(member)
      case "matchingType":
        if member.text?.uppercased() == "ALL" { throw Untranslatable("matchingType ALL") }
      default: throw Untranslatable(name)
      }
    }
    return part
  }

  /// Whether the pattern of a part's header only says again what the name of the part is.
  private func isImplied(
    _ name: HTTPField.Name, in headers: SourceValue, of part: SourceValue
  ) -> Bool {
    guard name == .contentDisposition, let pattern = headers[name.rawName]?.peekedJSON else {
      return false
    }
    return WireMockPart.isImplied(
      pattern, name: part["name"]?.peekedText, hasFilename: part["fileName"] != nil)
  }

  private func graphQL(_ value: SourceValue) throws -> BodyPattern {
    let parameters = value["parameters"]
    guard value.text("name") == "graphql-body-matcher", let query = parameters?.text("query") else {
      throw Untranslatable("customMatcher")
    }
    var operation = GraphQLPattern(query: query)
    operation.operationName = parameters?.text("operationName").map { .equalTo($0) }
    if let variables = parameters?["variables"], variables.isNull { variables.ignore() }
    // The extension answers only requests without variables where none are given.
    operation.variables = parameters?.given("variables")?.json ?? [:]
    try value.requireRead()
    value.change(.matcher, "The fields of the GraphQL query must stand in the order of the stub")
    return .graphQL(operation)
  }
}
