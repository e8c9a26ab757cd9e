internal import Foundation
internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

/// Writes the `request` of a stub.
struct WireMockRequestWriter {
  let request: RequestPattern
  /// The request of the stub's document.
  let document: SourceValue
  private let needsNames: Bool

  private let patterns = WireMockPatternWriter()

  /// Templates of the answer may ask for placeholders of the path.
  init(_ request: RequestPattern, document: SourceValue, isTemplate: Bool) {
    self.request = request
    self.document = document
    needsNames = isTemplate || !request.pathParameters.isEmpty
  }

  /// The request of a mapping.
  ///
  /// - Throws: ``Untranslatable`` for a part without a counterpart: the mapping would match more without it.
  func members() throws -> JSONObject {
    var members = try address()
    for part in RequestPart.all {
      if let value = document[part.rawValue] { try translate(part, value, into: &members) }
    }
    var located = request
    if isOfDefaultPort {
      // The field has no port where that is the scheme's own.
      var headers: JSONObject = [:]
      if case .object(let others)? = members["headers"] { headers = others }
      headers["Host"] = members["host"]
      (members["headers"], members["host"]) = (.object(headers), nil)
      (located.wholeURL, located.host) = (nil, nil)
    }
    let url = try WireMockURLWriter(request: located, needsNames: needsNames).members()
    members.merge(url.values) { _, last in last }
    if url.coverQuery { members["queryParameters"] = nil }
    return members
  }

  /// Whether the request has a host, and of the schemes only the default ports: WireMock says so by the field `Host`.
  var isOfDefaultPort: Bool {
    guard let host = request.host,
      StubTranslation.refusesOtherPorts(request.wholeURL),
      request.scheme == nil, request.port == nil
    else { return false }
    return !StubTranslation.mayMatchPort(host)
      && !request.headers.contains(where: \.name.isHost)
  }

  private func address() throws -> JSONObject {
    var members: JSONObject = [:]
    switch request.methods.count {
    case 0: break
    case 1: members["method"] = .string(request.methods[0].rawValue)
    default:
      members["method"] = ["oneOf": .array(request.methods.map { .string($0.rawValue) })]
    }
    members["scheme"] = request.scheme.map(JSONValue.string)
    if let host = request.host {
      members["host"] = host.literal.map { ["equalTo": .string($0)] }
    }
    // A port that is left out is any port there.
    if let port = request.port ?? request.scheme.flatMap(URLParts.defaultPort) {
      members["port"] = .number(JSONNumber(port))
    }
    return members
  }

  private func translate(
    _ part: RequestPart, _ value: SourceValue, into members: inout JSONObject
  ) throws {
    func set(_ name: String, _ named: JSONObject) {
      if !named.isEmpty { members[name] = .object(named) }
    }
    switch part {
    case .method, .scheme, .port, .path, .url, .queryIsExact: value.keep()
    case .host:
      if let host = try request.host.flatMap({ try patterns.pattern($0, .single, at: value) }) {
        members["host"] = host
      }
    case .query:
      set("queryParameters", try patterns.named(request.query, .multiple, at: value))
    case .headers:
      set("headers", try patterns.named(request.headers.map(\.named), .header, at: value))
    case .cookies: set("cookies", try patterns.named(request.cookies, .cookie, at: value))
    case .pathParameters:
      set("pathParameters", try patterns.named(request.pathParameters, .single, at: value))
    case .basicAuth:
      guard !request.headers.contains(where: { $0.name == .authorization }) else {
        throw Untranslatable("basicAuth", "beside a pattern of Authorization")
      }
      members["basicAuth"] = value.json
    case .body: try body(value, into: &members)
    case .captured: throw Untranslatable(part.rawValue, "WireMock keeps no values")
    }
  }

  private func body(_ value: SourceValue, into members: inout JSONObject) throws {
    var contents: [JSONValue] = []
    for (pattern, place) in zip(request.body, value.elementsOrSelf) {
      switch pattern.operation {
      case let form as FormOperator:
        try refuse(form.isExact, "fields")
        try take(
          "formParameters", .object(try patterns.named(form.fields, .multiple, at: place["form"])),
          into: &members)
        if !asksForForm {
          place.change(
            .matcher, "WireMock reads form fields only where the Content-Type is that of a form")
        }
      case let multipart as MultipartOperator:
        try refuse(multipart.isExact, "parts")
        try take(
          "multipartPatterns", try self.multipart(multipart, at: place.list("multipart")),
          into: &members)
      case let query as GraphQLPattern:
        try take("customMatcher", try graphQL(query, at: place["graphql"] ?? place), into: &members)
      default:
        if let content = try patterns.pattern(pattern, .body, at: place) {
          contents.append(content)
        }
      }
    }
    if !contents.isEmpty { members["bodyPatterns"] = .array(contents) }
  }

  private func refuse(_ isExact: Bool, _ others: String) throws {
    if isExact { throw Untranslatable("isExact", "WireMock allows other \(others)") }
  }

  private func take(
    _ name: String, _ value: JSONValue, into members: inout JSONObject
  ) throws {
    guard members[name] == nil else { throw Untranslatable(name, "of two patterns") }
    if value == [:] { throw Untranslatable("form", "without fields") }
    members[name] = value
  }

  private var asksForForm: Bool {
    request.headers.contains {
      $0.name == .contentType && $0.pattern.text.contains("x-www-form-urlencoded")
    }
  }

  private func multipart(
    _ operation: MultipartOperator, at places: [SourceValue]
  ) throws -> JSONValue {
    guard !places.isEmpty else { throw Untranslatable("multipart", "without parts") }
    return .array(try zip(operation.parts, places).map { try part($0, at: $1) })
  }

  private func part(_ part: PartPattern, at place: SourceValue) throws -> JSONValue {
    var members: JSONObject = ["matchingType": "ANY"]
    var headers = try patterns.named(part.headers.map(\.named), .header, at: place["headers"])
    if part.name != nil || part.filename != nil,
      headers.keys.contains(where: { $0.lowercased() == "content-disposition" })
    {
      throw Untranslatable("multipart", "with a name and a pattern of Content-Disposition")
    }
    place.keep("name", "filename")
    if let filename = part.filename {
      guard let text = filename.literal else {
        throw Untranslatable("multipart", "WireMock compares the names of files as they are")
      }
      members["fileName"] = .string(text)
      headers["Content-Disposition"] = WireMockPart.hasFilename
    }
    if let name = part.name {
      members["name"] = .string(name)
      // WireMock overlooks the name.
      headers["Content-Disposition"] = WireMockPart.disposition(name: name)
    }
    let contents = try zip(part.body, place["body"]?.elementsOrSelf ?? []).compactMap {
      try patterns.pattern($0, .body, at: $1)
    }
    if !contents.isEmpty { members["bodyPatterns"] = .array(contents) }
    members["headers"] = headers.isEmpty ? nil : .object(headers)
    return .object(members)
  }

  private func graphQL(_ pattern: GraphQLPattern, at value: SourceValue) throws -> JSONValue {
    guard let query = pattern.query else { throw Untranslatable("graphql", "without a query") }
    var parameters: JSONObject = ["query": .string(query)]
    if let operation = pattern.operationName {
      guard let name = operation.literal else {
        throw Untranslatable("graphql", "WireMock's extension compares the operation as it is")
      }
      parameters["operationName"] = .string(name)
    }
    if let variables = pattern.variables, variables != [:] { parameters["variables"] = variables }
    value.change(
      .matcher,
      "Needs WireMock's GraphQL extension, which overlooks the order of fields"
        + (pattern.variables == nil ? " and answers only requests without variables" : ""))
    return ["name": "graphql-body-matcher", "parameters": .object(parameters)]
  }
}

/// Patterns for the header of a part, because WireMock itself overlooks a part's name.
enum WireMockPart {
  static let hasFilename: JSONValue = ["contains": "filename="]

  static func disposition(name: String) -> JSONValue {
    let name = WireMockURLWriter.escaped(name)
    return ["matches": .string(#"(?s).*;\s*name="?"# + name + #""?\s*(?:;.*)?"#)]
  }

  /// Whether a pattern says no more than the name of the part and that it is a file.
  static func isImplied(_ pattern: JSONValue, name: String?, hasFilename: Bool) -> Bool {
    if hasFilename, pattern == Self.hasFilename { return true }
    guard let name else { return false }
    return pattern == disposition(name: name)
      || pattern == ["contains": .string("name=\"\(name)\"")]
  }
}

extension HTTPField.Name {
  /// Whether it is the field that clients write by themselves.
  var isHost: Bool { canonicalName == "host" }
}
