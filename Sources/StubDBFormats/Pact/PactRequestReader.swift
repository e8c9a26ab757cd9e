internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Translates the request of an interaction.
struct PactRequestReader {
  let version: PactVersion
  let isLenient: Bool

  /// The request of a document.
  ///
  /// - Throws: ``Untranslatable`` for a rule without a counterpart, unless stubs may answer more.
  func request(_ request: SourceValue) throws -> [String: JSONValue] {
    var document: [String: JSONValue] = [:]
    document["method"] = .string((request.text("method") ?? "GET").uppercased())
    document["queryIsExact"] = true
    try translate("path", of: request) { document["path"] = try path(request, $0) }
    try translate("query", of: request) {
      let query = try self.query(request["query"], $0)
      if !query.isEmpty { document["query"] = .object(query) }
    }
    try translate("headers", of: request) {
      let headers = try self.headers(request["headers"], $0)
      if !headers.isEmpty { document["headers"] = .object(headers) }
    }
    try translate("body", of: request) { document["body"] = try body(request, $0) }
    request["matchingRules"]?.keep()
    request.ignore("generators")
    return document
  }

  /// Translates a part with its rules; in a lenient import, the stub matches without one that has no counterpart.
  private func translate(
    _ part: String, of request: SourceValue, _ translate: (PactRules) throws -> Void
  ) throws {
    let rules = request["matchingRules"]
    do {
      try translate(PactRules(rules, part: part == "headers" ? "header" : part))
    } catch let error as Untranslatable where isLenient {
      (request[part] ?? request).drop(
        .matcher, "\(error.name) has no counterpart; the stub matches without it")
    }
  }

  private func path(_ request: SourceValue, _ rules: PactRules) throws -> JSONValue {
    let path = request.text("path") ?? "/"
    return try PactRulePatterns(source: request).pattern(rules[[]], example: path)
      ?? .string(URLParts.literalTemplate(URLParts.canonicalPath(path)))
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
      let patterns = try values.enumerated().map { place, text in
        try PactRulePatterns(source: value).pattern(
          rules.ofValue(name, at: place), example: text) ?? .string(text)
      }
      if values.count > 1 {
        value.tree.log.add(
          .changed, .unordered, at: value, "The values of \(name) may come in any order")
      }
      query[name] = patterns.count == 1 ? patterns[0] : .object(["hasExactly": .array(patterns)])
    }
    return query
  }

  private func headers(_ value: SourceValue?, _ rules: PactRules) throws -> [String: JSONValue] {
    var headers: [String: JSONValue] = [:]
    for member in value?.members ?? [] {
      let values = member.value.isArray ? member.value.elements : [member.value]
      let text = values.compactMap(\.text).joined(separator: ", ")
      headers[member.name] =
        try PactRulePatterns(source: member.value).pattern(
          rules.ofValue(member.name), example: text) ?? Self.tolerant(member.name, text)
    }
    return headers
  }

  /// White space after commas, and the character encoding of a type, make no difference.
  static func tolerant(_ name: String, _ text: String) -> JSONValue {
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

  private func body(_ request: SourceValue, _ rules: PactRules) throws -> JSONValue? {
    guard let body = request["body"] else { return nil }
    let content = try PactContent(body, version: version, headers: request["headers"])
    switch content.form {
    case .none: return nil
    case .empty: return .object(["absent": true])
    case .json(let value):
      guard !rules.isEmpty else { return .object(["equalToJson": value]) }
      let schema = PactSchema(rules: rules, source: body)
      let pattern = JSONValue.object(["matchesJsonSchema": try schema.schema(of: value)])
      let texts = try PactScalarTexts(rules: rules).patterns(of: value)
      return texts.isEmpty ? pattern : .array([pattern] + texts)
    case .text(let text):
      guard rules.isEmpty else { throw Untranslatable("a matching rule of a text") }
      if content.type.contains("urlencoded") { return Self.form(text) }
      if content.type.contains("xml") { return .object(["equalToXml": .string(text)]) }
      return .object(["equalTo": .string(text)])
    case .bytes(let data):
      return .object(["binaryEqualTo": .string(data.base64EncodedString())])
    }
  }

  /// The fields of a form, and no further one.
  private static func form(_ text: String) -> JSONValue {
    let items = URLParts.queryItems(text)
    let fields = NamedValues(items.map { ($0.name, $0.value) }).values.map { name, values in
      (name, values.count == 1 ? JSONValue.string(values[0]) : .array(values.map(JSONValue.string)))
    }
    return .object([
      "form": .object(Dictionary(fields) { first, _ in first }), "isExact": true,
    ])
  }
}
