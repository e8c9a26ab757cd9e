internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Translates the `request` of a stub.
struct WireMockRequestReader {
  let isLenient: Bool
  /// Whether an export of stubdb wrote the mapping.
  var isExported = false

  /// The request of a document.
  ///
  /// - Throws: ``Untranslatable`` for a part without a counterpart.
  mutating func request(_ request: SourceValue) throws -> [String: JSONValue] {
    guard request.isObject else { throw Untranslatable("request", "it is \(request.typeName)") }
    var document: [String: JSONValue] = [:]
    for member in request.members where !member.value.isNull {
      do {
        try translate(member.name, member.value, of: request, into: &document)
      } catch let error as Untranslatable where isLenient {
        member.value.drop(.matcher, "\(error.name) has no counterpart; the stub matches without it")
      }
    }
    for member in request.members where member.value.isNull { member.value.ignore() }
    // Last, because `headers` may stand behind the parameters.
    if let form = request["formParameters"], !form.isNull { requireFormType(&document) }
    // The usual port of a scheme is the one that stubdb expects.
    if case .string(let scheme) = document["scheme"], let port = URLParts.defaultPort(scheme),
      document["port"] == .number(JSONNumber(port))
    {
      document["port"] = nil
    }
    return document
  }

  private func translate(
    _ name: String, _ value: SourceValue, of request: SourceValue,
    into document: inout [String: JSONValue]
  ) throws {
    let patterns = WireMockPatternReader(isExported: isExported)
    switch name {
    case "method":
      if value.text?.uppercased() != "ANY" { document["method"] = try method(value) }
    case "scheme": document["scheme"] = .string(value.text?.lowercased() ?? "")
    case "port": document["port"] = value.json
    case "host":
      document["host"] = value.isString ? value.json : try patterns.value(value)
    case "url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate":
      try WireMockURL.translate(name, value, of: request, into: &document)
    case "pathParameters", "headers":
      document[name] = try patterns.named(value)
    case "cookies":
      document[name] = PresentValue.demanded(try patterns.named(value), in: name)
    case "queryParameters":
      document["query"] = merged(document["query"], try patterns.named(value))
    case "basicAuth", "basicAuthCredentials":
      document["basicAuth"] = value.json
    case "formParameters":
      append([.object(["form": try patterns.named(value)])], to: &document)
    case "bodyPatterns":
      for pattern in try patterns.list(value) {
        append([try patterns.body(pattern)], to: &document)
      }
    case "multipartPatterns":
      append([.object(["multipart": try multipart(value, patterns)])], to: &document)
    case "customMatcher":
      append([try graphQL(value)], to: &document)
    default:
      throw Untranslatable(name)
    }
  }

  private func method(_ value: SourceValue) throws -> JSONValue {
    guard value.isObject else { return value.json }
    guard let list = value["oneOf"] else { throw Untranslatable("method.noneOf") }
    return list.json
  }

  private func append(_ patterns: [JSONValue], to document: inout [String: JSONValue]) {
    var list: [JSONValue] = []
    if case .array(let before) = document["body"] { list = before }
    document["body"] = .array(list + patterns)
  }

  private func merged(_ one: JSONValue?, _ other: JSONValue) -> JSONValue {
    guard case .object(let one) = one, case .object(let other) = other else { return other }
    return .object(one.merging(other) { _, last in last })
  }

  /// WireMock reads form parameters of a form only.
  private func requireFormType(_ document: inout [String: JSONValue]) {
    var headers: [String: JSONValue] = [:]
    if case .object(let before) = document["headers"] { headers = before }
    if !headers.keys.contains(where: { $0.lowercased() == "content-type" }) {
      headers["Content-Type"] = .object(["contains": "x-www-form-urlencoded"])
    }
    document["headers"] = .object(headers)
  }

  private func multipart(
    _ value: SourceValue, _ patterns: WireMockPatternReader
  ) throws -> JSONValue {
    .array(
      try patterns.list(value).map { part in
        guard part.isObject else { throw Untranslatable("a part", "it is \(part.typeName)") }
        var document: [String: JSONValue] = [:]
        for member in part.members where !member.value.isNull {
          switch member.name {
          case "name": document["name"] = member.value.json
          case "fileName", "filename":
            document["filename"] =
              member.value.isString ? member.value.json : try patterns.value(member.value)
          case "headers":
            let headers = try headers(member.value, of: part, patterns)
            if headers != [:] { document["headers"] = headers }
          case "bodyPatterns":
            document["body"] = .array(try patterns.list(member.value).map(patterns.body))
          case "matchingType":
            if member.value.text?.uppercased() == "ALL" {
              throw Untranslatable("matchingType ALL")
            }
          default: throw Untranslatable(member.name)
          }
        }
        return .object(document)
      })
  }

  /// The patterns of a part's header, without those that say again what its name is.
  private func headers(
    _ value: SourceValue, of part: SourceValue, _ patterns: WireMockPatternReader
  ) throws -> JSONValue {
    guard case .object(var headers) = try patterns.named(value) else { return [:] }
    if let name = headers.keys.first(where: { $0.lowercased() == "content-disposition" }),
      let pattern = value[name]?.peekedJSON,
      WireMockPart.isImplied(
        pattern, name: part["name"]?.peekedText, hasFilename: part["fileName"] != nil)
    {
      headers[name] = nil
    }
    return .object(headers)
  }

  private func graphQL(_ value: SourceValue) throws -> JSONValue {
    guard value.text("name") == "graphql-body-matcher" else {
      throw Untranslatable("customMatcher")
    }
    let parameters = value["parameters"]
    guard let query = parameters?.text("query") else {
      throw Untranslatable("customMatcher")
    }
    var operation: [String: JSONValue] = ["query": .string(query)]
    operation["operationName"] = parameters?.text("operationName").map(JSONValue.string)
    if let variables = parameters?["variables"], !variables.isNull {
      operation["variables"] = variables.json
    } else {
      parameters?["variables"]?.ignore()
      // The extension answers only requests without variables.
      operation["variables"] = [:]
    }
    try value.requireRead()
    value.change(.matcher, "The fields of the GraphQL query must stand in the order of the stub")
    return .object(["graphql": .object(operation)])
  }
}
