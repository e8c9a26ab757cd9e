internal import Foundation
internal import HTTPTypes
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel

/// Finds content that satisfies patterns of a body: candidates are made, and the matcher decides.
struct ExampleContent {
  private static let maximumDepth = 16
  private static let maximumCount = 64

  /// The content that satisfies all patterns; nil if none was found.
  static func content(for patterns: [BodyPattern]) -> RequestExample.Content? {
    if patterns.isEmpty { return RequestExample.Content.none }
    let hints = patterns.compactMap(Self.hint)
    let each = patterns.map { candidates($0, hints: hints, depth: 0) }
    var all = each.flatMap { $0.prefix(maximumCount) }
    // Several patterns on one JSON content: what each of them needs, together.
    let values = zip(patterns, each).compactMap { pattern, candidates in
      candidates.prefix(maximumCount).first { $0.jsonValue != nil && satisfies($0, [pattern]) }?
        .jsonValue
    }
    let expressions = patterns.compactMap { $0.operation as? XPathPattern }
    if expressions.count > 1, let document = ExampleXML.document(expressions) {
      all.insert(.text(document), at: 0)
    }
    if values.count > 1, let first = values.first {
      let merged = values.dropFirst().reduce(first) { ExampleJSON.merged($0, $1) }
      all.insert(.json(merged), at: 0)
    }
    return all.first { satisfies($0, patterns) }
  }

  private static func satisfies(
    _ content: RequestExample.Content, _ patterns: [BodyPattern]
  ) -> Bool {
    var headers = HTTPFields()
    headers[.contentType] = content.mediaType
    return ExportedRun.matches(
      StubRequest(
        method: "POST", url: "http://example.test/", headers: headers, body: .bytes(content.bytes)),
      RequestPattern(body: patterns))
  }

  /// A text that the content must have somewhere, whatever it is.
  private static func hint(_ pattern: BodyPattern) -> String? {
    guard case .value(let value) = pattern.storage, value.operator == .contains else { return nil }
    return value.text
  }

  private static func candidates(
    _ pattern: BodyPattern, hints: [String] = [], depth: Int
  ) -> [RequestExample.Content] {
    guard depth < maximumDepth else { return [] }
    switch pattern.storage {
    case .value(let value):
      return (ExampleValues.value(for: value).map { [.text($0)] } ?? [])
        + (ExampleValues.values(for: value)?.isEmpty == true ? [.none] : [])
    case .and(let patterns):
      return (content(for: patterns).map { [$0] } ?? [])
        + patterns.flatMap { candidates($0, depth: depth + 1) }
    case .or(let patterns): return patterns.flatMap { candidates($0, depth: depth + 1) }
    case .not: return [.none, .text("any"), .json(.object([:])), .text("1")]
    case .operation(let operation): return candidates(operation.base, hints)
    }
  }

  private static func candidates(
    _ operation: any BodyOperator, _ hints: [String]
  ) -> [RequestExample.Content] {
    switch operation {
    case let operation as BinaryOperator: return [.bytes(operation.bytes)]
    case let operation as EqualToJSONOperator:
      return [.json(ExampleJSON.filled(operation.value) ?? .null)]
    case let operation as JSONPathOperator:
      return ExampleJSON.values(selectedBy: operation, hints: hints).map { .json($0) }
    case let operation as JSONSchemaOperator:
      return ExampleJSON.value(satisfying: operation.schema).map { [.json($0)] } ?? []
    case let operation as FormOperator: return form(operation).map { [.form($0)] } ?? []
    case let operation as MultipartOperator:
      return parts(operation).map { [.multipart($0)] } ?? []
    case let operation as GraphQLPattern: return graphQL(operation).map { [.graphQL($0)] } ?? []
    case let operation as XMLPattern:
      return [.text(filled(operation.document)), .text(operation.document)]
    case let operation as XPathPattern: return ExampleXML.documents(operation).map { .text($0) }
    default: return []
    }
  }

  /// A document with an example in place of each placeholder.
  private static func filled(_ document: String) -> String {
    document.replacing(/\$\{xmlunit\.[^<>]*?\}(?=\s*["'<])/) { match -> String in
      switch XMLPlaceholder(String(match.output)) {
      case .isNumber: return "1"
      case .isDateTime: return "2026-01-01T00:00:00Z"
      case .regex(let expression):
        let text = ExamplePattern.text(expression) ?? "any"
        return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      case .ignore, nil: return "any"
      }
    }
  }

  private static func form(_ operation: FormOperator) -> [RequestExample.Field]? {
    var fields: [RequestExample.Field] = []
    for field in operation.fields {
      guard let values = ExampleValues.values(for: field.pattern) else { return nil }
      fields += values.map { .init(name: field.name, value: $0) }
    }
    return fields
  }

  private static func parts(_ operation: MultipartOperator) -> [RequestExample.Part]? {
    var parts: [RequestExample.Part] = []
    for (index, pattern) in operation.parts.enumerated() {
      guard let content = content(for: pattern.body) else { return nil }
      var part = RequestExample.Part(
        name: pattern.name ?? "part\(index + 1)", content: content.bytes)
      if let filename = pattern.filename {
        guard let name = ExampleValues.values(for: filename) else { return nil }
        part.filename = name.first
      }
      for header in pattern.headers {
        guard let values = ExampleValues.values(for: header.pattern) else { return nil }
        part.headers += values.map { .init(name: header.name.rawName, value: $0) }
      }
      parts.append(part)
    }
    return parts
  }

  private static func graphQL(_ pattern: GraphQLPattern) -> JSONValue? {
    var members: JSONObject = [:]
    var name: String?
    if let operationName = pattern.operationName {
      guard let values = ExampleValues.values(for: operationName) else { return nil }
      name = values.first
      members["operationName"] = name.map(JSONValue.string)
    }
    members["query"] = .string(
      pattern.query ?? "query\(name.map { " \($0)" } ?? "") { __typename }")
    if let variables = pattern.variables {
      members["variables"] = ExampleJSON.filled(variables) ?? .object([:])
    }
    return .object(members)
  }
}

extension RequestExample.Content {
  /// The value of JSON content.
  fileprivate var jsonValue: JSONValue? {
    switch self {
    case .json(let value), .graphQL(let value): value
    case .none, .form, .multipart, .text, .bytes: nil
    }
  }
}
