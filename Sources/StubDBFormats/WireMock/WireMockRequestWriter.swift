internal import Foundation
internal import HTTPTypes
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
  func members() throws -> [String: JSONValue] {
    var members = try address()
    for member in document.members {
      try translate(member.name, member.value, into: &members)
    }
    var located = request
    if isOfDefaultPort {
      // The field has no port where that is the scheme's own.
      var headers: [String: JSONValue] = [:]
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
    guard let host = document["host"]?.peekedJSON,
      StubTranslation.refusesOtherPorts(request.wholeURL),
      request.scheme == nil, request.port == nil
    else { return false }
    return !StubTranslation.mayMatchPort(host)
      && !request.headers.contains(where: \.name.isHost)
  }

  private func address() throws -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
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
    _ name: String, _ value: SourceValue, into members: inout [String: JSONValue]
  ) throws {
    switch name {
    case "method", "scheme", "port", "path", "url", "queryIsExact": value.keep()
    case "host":
      if let host = try patterns.pattern(value, .single) { members["host"] = host }
    case "query", "pathParameters", "headers", "cookies": break
    case "basicAuth":
      guard !request.headers.contains(where: { $0.name == .authorization }) else {
        throw Untranslatable("basicAuth", "beside a pattern of Authorization")
      }
      members["basicAuth"] = value.json
    case "body": try body(value, into: &members)
    default: throw Untranslatable(name, "WireMock keeps no values")
    }
    try named(name, value, into: &members)
  }

  private func named(
    _ name: String, _ value: SourceValue, into members: inout [String: JSONValue]
  ) throws {
    let found: [String: JSONValue]
    switch name {
    case "query": found = try patterns.named(value, .multiple)
    case "headers": found = try patterns.named(value, .header)
    case "cookies": found = try patterns.named(value, .cookie)
    case "pathParameters": found = try patterns.named(value, .single)
    default: return
    }
    if !found.isEmpty { members[name == "query" ? "queryParameters" : name] = .object(found) }
  }

  private func body(_ value: SourceValue, into members: inout [String: JSONValue]) throws {
    var contents: [JSONValue] = []
    for pattern in value.isArray ? value.elements : [value] {
      guard let (name, operand) = pattern.mainOperator else { throw Untranslatable("body") }
      guard pattern["isExact"]?.json != true else {
        throw Untranslatable(
          "isExact", "WireMock allows other \(name == "form" ? "fields" : "parts")")
      }
      switch name {
      case "form":
        try take("formParameters", .object(try patterns.named(operand, .multiple)), into: &members)
        if !asksForForm {
          pattern.change(
            .matcher, "WireMock reads form fields only where the Content-Type is that of a form")
        }
      case "multipart": try take("multipartPatterns", try multipart(operand), into: &members)
      case "graphql": try take("customMatcher", try graphQL(operand), into: &members)
      default:
        if let content = try patterns.pattern(pattern, .body) { contents.append(content) }
      }
    }
    if !contents.isEmpty { members["bodyPatterns"] = .array(contents) }
  }

  private func take(
    _ name: String, _ value: JSONValue, into members: inout [String: JSONValue]
  ) throws {
    guard members[name] == nil else { throw Untranslatable(name, "of two patterns") }
    if name == "formParameters", value == [:] {
      throw Untranslatable("form", "without fields")
    }
    members[name] = value
  }

  private var asksForForm: Bool {
    request.headers.contains {
      $0.name == .contentType && $0.pattern.text.contains("x-www-form-urlencoded")
    }
  }

  private func multipart(_ value: SourceValue) throws -> JSONValue {
    guard !value.elements.isEmpty else { throw Untranslatable("multipart", "without parts") }
    return .array(
      try value.elements.map { part in
        var members: [String: JSONValue] = ["matchingType": "ANY"]
        var headers = try part["headers"].map { try patterns.named($0, .header) } ?? [:]
        if part["name"] != nil || part["filename"] != nil,
          headers.keys.contains(where: { $0.lowercased() == "content-disposition" })
        {
          throw Untranslatable("multipart", "with a name and a pattern of Content-Disposition")
        }
        if let filename = part["filename"] {
          guard let text = filename.literal else {
            throw Untranslatable("multipart", "WireMock compares the names of files as they are")
          }
          filename.keep()
          members["fileName"] = .string(text)
          headers["Content-Disposition"] = WireMockPart.hasFilename
        }
        if let name = part.text("name") {
          members["name"] = .string(name)
          // WireMock overlooks the name.
          headers["Content-Disposition"] = WireMockPart.disposition(name: name)
        }
        if let body = part["body"] {
          let contents = try (body.isArray ? body.elements : [body]).compactMap {
            try patterns.pattern($0, .body)
          }
          if !contents.isEmpty { members["bodyPatterns"] = .array(contents) }
        }
        members["headers"] = headers.isEmpty ? nil : .object(headers)
        return .object(members)
      })
  }

  private func graphQL(_ value: SourceValue) throws -> JSONValue {
    guard let query = value.text("query") else {
      throw Untranslatable("graphql", "without a query")
    }
    var parameters: [String: JSONValue] = ["query": .string(query)]
    if let operation = value["operationName"] {
      guard let name = operation.literal else {
        throw Untranslatable("graphql", "WireMock's extension compares the operation as it is")
      }
      operation.keep()
      parameters["operationName"] = .string(name)
    }
    if let variables = value["variables"], variables.json != [:] {
      parameters["variables"] = variables.json
    }
    let isFree = value["variables"] == nil
    value.change(
      .matcher,
      "Needs WireMock's GraphQL extension, which overlooks the order of fields"
        + (isFree ? " and answers only requests without variables" : ""))
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
