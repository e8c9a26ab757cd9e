internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Translates the request of an interaction.
struct PactRequestReader {
  let version: PactVersion

  /// The request of a document.
  ///
  /// - Throws: ``Untranslatable`` for a rule without a counterpart.
  func request(_ request: SourceValue) throws -> [String: JSONValue] {
    var document: [String: JSONValue] = [:]
    let rules = request["matchingRules"]
    document["method"] = .string((request.text("method") ?? "GET").uppercased())
    document["path"] = try path(request, PactRules(rules, part: "path"))
    document["queryIsExact"] = true
    let query = try self.query(request["query"], PactRules(rules, part: "query"))
    if !query.isEmpty { document["query"] = .object(query) }
    let headers = try self.headers(request["headers"], PactRules(rules, part: "header"))
    if !headers.isEmpty { document["headers"] = .object(headers) }
    if let body = try body(request, PactRules(rules, part: "body")) { document["body"] = body }
    rules?.keep()
    request.ignore("generators")
    return document
  }

  private func path(_ request: SourceValue, _ rules: PactRules) throws -> JSONValue {
    let path = request.text("path") ?? "/"
    return try pattern(rules[[]], example: path)
      ?? .string(RequestReader.literalTemplate(URLParts.canonicalPath(path)))
  }

  /// A text in versions 1 and 2, lists of values since version 3.
  private func query(_ value: SourceValue?, _ rules: PactRules) throws -> [String: JSONValue] {
    guard let value, !value.isNull else {
      value?.ignore()
      return [:]
    }
    var pairs: [(String, String)] = []
    if value.isObject {
      for member in value.members {
        let list = member.value.isArray ? member.value.elements : [member.value]
        pairs += list.map { (member.name, $0.text ?? "") }
      }
    } else {
      pairs = URLParts.queryItems(value.text ?? "").map { ($0.name, $0.value) }
    }
    var query: [String: JSONValue] = [:]
    for (name, values) in NamedValues(pairs).values {
      query[name] =
        try pattern(rules.ofValues(name), example: values[0])
        ?? (values.count == 1 ? .string(values[0]) : .array(values.map(JSONValue.string)))
    }
    return query
  }

  private func headers(_ value: SourceValue?, _ rules: PactRules) throws -> [String: JSONValue] {
    var headers: [String: JSONValue] = [:]
    for member in value?.members ?? [] {
      let values = member.value.isArray ? member.value.elements : [member.value]
      let text = values.compactMap(\.text).joined(separator: ", ")
      headers[member.name] =
        try pattern(rules.ofValues(member.name), example: text)
        ?? Self.tolerant(member.name, text)
    }
    return headers
  }

  /// White space after commas, and the character encoding of a type, make no difference.
  private static func tolerant(_ name: String, _ text: String) -> JSONValue {
    if name.lowercased() == "content-type", !text.contains(";") {
      return .object([
        "matches": .string(NSRegularExpression.escapedPattern(for: text) + #"\s*(;.*)?"#)
      ])
    }
    guard text.contains(",") else { return .string(text) }
    let parts = text.split(separator: ",").map {
      NSRegularExpression.escapedPattern(for: $0.trimmingCharacters(in: .whitespaces))
    }
    return .object(["matches": .string(parts.joined(separator: #"\s*,\s*"#))])
  }

  /// The pattern of a value that follows all rules; nil without rules.
  private func pattern(_ rules: [PactRules.Rule], example: String) throws -> JSONValue? {
    let patterns = try rules.map { try pattern($0, example: example) }
    return patterns.count > 1 ? .object(["and": .array(patterns)]) : patterns.first
  }

  /// The pattern of a value with a rule.
  private func pattern(_ rule: PactRules.Rule, example: String) throws -> JSONValue {
    switch rule.kind {
    case "regex":
      guard case .string(let expression) = rule.arguments["regex"] else { break }
      return .object(["matches": .string(expression)])
    case "type": return .object(["matches": ".+"])
    case "equality": return .string(example)
    case "include":
      guard case .string(let text) = rule.arguments["value"] else { break }
      return .object(["contains": .string(text)])
    case "integer": return .object(["matches": "-?[0-9]+"])
    case "decimal", "number": return .object(["matches": #"-?[0-9]+(\.[0-9]+)?"#])
    case "boolean": return .object(["matches": "true|false"])
    case "notEmpty", "date", "time", "timestamp", "datetime": return .object(["matches": ".+"])
    default: break
    }
    throw Untranslatable("the matching rule \(rule.kind)")
  }

  private func body(_ request: SourceValue, _ rules: PactRules) throws -> JSONValue? {
    guard let body = request["body"] else { return nil }
    let content = PactContent(body, version: version, headers: request["headers"])
    switch content.form {
    case .none: return nil
    case .empty: return .object(["absent": true])
    case .json(let value):
      guard !rules.isEmpty else { return .object(["equalToJson": value]) }
      return .object(["matchesJsonSchema": try PactSchema(rules: rules).schema(of: value)])
    case .text(let text):
      guard rules.isEmpty else { throw Untranslatable("a matching rule of a text") }
      if content.type.contains("urlencoded") {
        let fields = NamedValues(URLParts.queryItems(text).map { ($0.name, $0.value) }).values
        return .object([
          "form": .object(
            Dictionary(
              fields.map { name, values in
                (
                  name,
                  values.count == 1
                    ? JSONValue.string(values[0]) : .array(values.map(JSONValue.string))
                )
              }
            ) { first, _ in first })
        ])
      }
      if content.type.contains("xml") { return .object(["equalToXml": .string(text)]) }
      return .object(["equalTo": .string(text)])
    case .bytes(let data):
      return .object(["binaryEqualTo": .string(data.base64EncodedString())])
    }
  }
}

/// The content of a message of a contract.
struct PactContent {
  enum Form {
    case none, empty
    case json(JSONValue)
    case text(String)
    case bytes(Data)
  }

  let form: Form
  /// The media type in lower case; empty if it is not known.
  let type: String

  init(_ body: SourceValue, version: PactVersion, headers: SourceValue?) {
    let header = headers?.members.first { $0.name.lowercased() == "content-type" }?.value
    let declared = header?.elements.first?.peekedText ?? header?.peekedText
    if version.number >= 4 {
      guard body.isObject, let content = body["content"] else {
        type = declared?.lowercased() ?? ""
        form = body.isNull ? .empty : .none
        body.ignoreUnread()
        return
      }
      type = (body.text("contentType") ?? declared ?? "").lowercased()
      let encoding = body.text("encoded")?.lowercased() ?? "false"
      body.ignoreUnread()
      form =
        encoding == "base64"
        ? .bytes(Data(base64Encoded: content.text ?? "") ?? Data())
        : Self.form(content, type)
    } else {
      type = declared?.lowercased() ?? ""
      form = body.isNull ? .empty : Self.form(body, type)
      body.keep()
    }
  }

  private static func form(_ value: SourceValue, _ type: String) -> Form {
    guard value.isString else { return .json(value.json) }
    let text = value.text ?? ""
    if text.isEmpty { return .empty }
    if type.contains("json") || type.isEmpty {
      if let json = try? JSONValue(parsing: text), json.isContainer { return .json(json) }
      if type.contains("json") { return .json(.string(text)) }
    }
    return .text(text)
  }
}

/// Translates the response of an interaction.
struct PactResponseReader {
  let version: PactVersion

  /// The response of a document: its examples, because rules say what else a provider may answer.
  func response(_ response: SourceValue) throws -> [String: JSONValue] {
    var document: [String: JSONValue] = [:]
    response.ignore("matchingRules")
    if let status = response.integer("status"), (100...999).contains(status) {
      document["status"] = .number(JSONNumber(status))
    }
    var headers: [String: JSONValue] = [:]
    for member in response["headers"]?.members ?? [] {
      let values = member.value.isArray ? member.value.elements : [member.value]
      let texts = values.compactMap { $0.text.map(JSONValue.string) }
      headers[member.name] = texts.count == 1 ? texts[0] : .array(texts)
    }
    if !headers.isEmpty { document["headers"] = .object(headers) }
    if let generators = response["generators"], !generators.members.isEmpty {
      generators.change(.generated, "Generators are not applied; the example is answered")
    } else {
      response.ignore("generators")
    }
    guard let body = response["body"] else { return document }
    let content = PactContent(body, version: version, headers: response["headers"])
    switch content.form {
    case .none, .empty: break
    case .json(let value): document["json"] = value
    case .text(let text): document["text"] = .string(text)
    case .bytes(let data): document["base64"] = .string(data.base64EncodedString())
    }
    return document
  }
}
