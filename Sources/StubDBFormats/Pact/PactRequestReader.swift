internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Translates the request of an interaction.
struct PactRequestReader {
  let version: PactVersion
  let isLenient: Bool

  /// - Throws: ``Untranslatable`` for a rule without a counterpart, unless stubs may answer more.
  func request(_ request: SourceValue) throws -> RequestPattern {
    let method = JSONValue.string((request.text("method") ?? "GET").uppercased())
    var pattern = try RequestPattern.reading(.method, method)
    pattern.queryIsExact = true
    try translate("path", of: request) { pattern.path = try path(request, $0) }
    try translate("query", of: request) { pattern.query = try query(request["query"], $0) }
    try translate("headers", of: request) { rules in
      pattern.headers = try headers(request["headers"], rules)
    }
    try translate("body", of: request) { pattern.body = try body(request, $0) }
    request["matchingRules"]?.keep()
    request.ignore("generators")
    return pattern
  }

  /// Translates a part with its rules; in a lenient import, the stub matches without one that has no counterpart.
  private func translate(
    _ part: String, of request: SourceValue, _ translate: (PactRules) throws -> Void
  ) throws {
    let rules = request["matchingRules"]
    try (request[part] ?? request).translate(isLenient: isLenient) {
      try translate(PactRules(rules, part: part == "headers" ? "header" : part))
    }
  }

  private func path(_ request: SourceValue, _ rules: PactRules) throws -> PathPattern {
    let path = request.text("path") ?? "/"
    return try PactRulePatterns(source: request).pattern(rules[[]], example: path)
      .map(PathPattern.value) ?? .template(URLParts.literal(path))
  }

  /// A text in versions 1 and 2, lists of values since version 3.
  private func query(_ value: SourceValue?, _ rules: PactRules) throws -> [NamedPattern] {
    guard let value = value.orIgnoredNull else { return [] }
    var pairs: [(String, String)] = []
    if value.isObject {
      for member in value.members {
        pairs += member.value.elementsOrSelf.map { (member.name, $0.text ?? "") }
      }
    } else {
      pairs = URLParts.queryItems(value.text ?? "").map { ($0.name, $0.value) }
    }
    return try NamedValues(pairs).values.map { name, values in
      let patterns = try values.enumerated().map { place, text in
        try PactRulePatterns(source: value).pattern(
          rules.ofValue(name, at: place), example: text) ?? .equalTo(text)
      }
      if values.count > 1 {
        value.note(.changed, .unordered, "The values of \(name) may come in any order")
      }
      return NamedPattern(name, patterns.count == 1 ? patterns[0] : .hasExactly(patterns))
    }
  }

  private func headers(_ value: SourceValue?, _ rules: PactRules) throws -> [HeaderPattern] {
    var pattern = RequestPattern()
    for (name, value) in value?.members ?? [] {
      let text = value.elementsOrSelf.compactMap(\.text).joined(separator: ", ")
      let ruled = try PactRulePatterns(source: value).pattern(rules.ofValue(name), example: text)
      try pattern.setHeader(name, ruled ?? Self.tolerant(name, text))
    }
    return pattern.headers
  }

  /// White space after commas, and the character encoding of a type, make no difference.
  static func tolerant(_ name: String, _ text: String) -> ValuePattern {
    if name.lowercased() == "content-type", !text.contains(";") {
      return .matches(NSRegularExpression.escapedPattern(for: text) + #"\s*(;.*)?"#)
    }
    guard text.contains(",") else { return .equalTo(text) }
    let parts = text.split(separator: ",").map {
      NSRegularExpression.escapedPattern(for: $0.trimmingCharacters(in: .whitespaces))
    }
    return .matches(parts.joined(separator: #"\s*,\s*"#))
  }

  private func body(_ request: SourceValue, _ rules: PactRules) throws -> [BodyPattern] {
    guard let body = request["body"] else { return [] }
    let content = try PactContent(body, version: version, headers: request["headers"])
    switch content.form {
    case .none: return []
    case .empty: return [.value(.absent)]
    case .json(let value):
      guard !rules.isEmpty else { return [.equalToJSON(value)] }
      let schema = try PactSchema(rules: rules, source: body).schema(of: value)
      return try [.matchesJSONSchema(schema)] + PactScalarTexts(rules: rules).patterns(of: value)
    case .text(let text):
      guard rules.isEmpty else { throw Untranslatable("a matching rule of a text") }
      if content.type.contains("urlencoded") { return [Self.form(text)] }
      if content.type.contains("xml") { return [.equalToXML(XMLPattern(text))] }
      return [.value(.equalTo(text))]
    case .bytes(let data): return [.binaryEqualTo(data)]
    }
  }

  /// The fields of a form, and no further one.
  private static func form(_ text: String) -> BodyPattern {
    let items = URLParts.queryItems(text)
    return .form(
      NamedValues(items.map { ($0.name, $0.value) }).values.map { name, values in
        NamedPattern(name, .exactly(values))
      }, isExact: true)
  }
}
