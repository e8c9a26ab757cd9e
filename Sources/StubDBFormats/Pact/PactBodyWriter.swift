internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Writes the content of a request, with its rules.
struct PactBodyWriter {
  /// The content; nil if any will do.
  private(set) var content: JSONValue?
  private(set) var rules: [(key: String, rule: JSONValue)] = []
  /// Whether the type of the content has to be written for Pact.
  private(set) var needsType = false

  /// - Throws: ``Untranslatable`` for content that a contract of version 3 cannot have.
  init(
    _ patterns: [BodyPattern], example: RequestExample.Content, document: SourceValue?
  ) throws {
    guard let pattern = patterns.first else { return }
    document?.keep()
    let place = document.map { $0.isArray ? $0.elements.first ?? $0 : $0 }
    if patterns.count > 1 {
      document?.change(.example, "An example stands for the patterns of the content")
    } else if try add(pattern, at: place) {
      return
    } else {
      place?.settleExample(pattern.exampleOperator)
    }
    try add(example)
  }

  /// Adds what a pattern says; false if an example has to represent it.
  private mutating func add(_ pattern: BodyPattern, at place: SourceValue?) throws -> Bool {
    if case .value(let value) = pattern.storage {
      guard value.operator == .absent else { return false }
      content = .null
      return true
    }
    switch pattern.operation {
    case let operation as EqualToJSONOperator:
      let content = try PactExampleContent(placeholders: operation.value)
      try set(content)
      if content.isNarrower || operation.ignoreArrayOrder || operation.ignoreExtraElements {
        place?.change(
          .matcher, "Pact compares content as a whole: no further members, and arrays in order")
      }
      return true
    case let operation as JSONSchemaOperator where operation.dialect != .draft07:
      guard let content = PactExampleContent(schema: operation.schema) else { return false }
      try set(content)
      if content.isInvented { place?.change(.generated, "No example; made from the schema") }
      return true
    case let operation as FormOperator
    where operation.fields.allSatisfy({ $0.pattern.literal != nil }):
      if !operation.isExact {
        place?.change(.matcher, "Pact takes no further fields of the form")
      }
      let fields = operation.fields.map { ($0.name, $0.pattern.literal ?? "") }
      set(form: fields)
      return true
    case let operation as XMLPattern
    where !operation.enablePlaceholders && !operation.ignoreOrderOfSameNode:
      content = .string(operation.document)
      needsType = true
      return true
    case is BinaryOperator, is MultipartOperator:
      throw Untranslatable(
        pattern.operation is BinaryOperator ? "binaryEqualTo" : "multipart",
        "contracts of version 3 have texts only")
    default: return false
    }
  }

  private mutating func set(_ content: PactExampleContent) throws {
    try set(json: content.example)
    rules = content.rules
  }

  private mutating func set(json: JSONValue) throws {
    switch json {
    case .null, .string:
      throw Untranslatable("content that is \(json == .null ? "null" : "one JSON string")")
    default: content = json
    }
  }

  private mutating func set(form fields: [(String, String)]) {
    content = .string(
      fields.map { "\(URLParts.encodedQuery($0.0))=\(URLParts.encodedQuery($0.1))" }
        .joined(separator: "&"))
    needsType = true
  }

  private mutating func add(_ example: RequestExample.Content) throws {
    switch example {
    case .none: content = .null
    case .json(let value), .graphQL(let value): try set(json: value)
    case .form(let fields): set(form: fields.map { ($0.name, $0.value) })
    case .text(let text):
      content = .string(text)
      // Without a type, content that looks like something is taken for it.
      needsType = text.contains { "<{[".contains($0) }
    case .bytes, .multipart:
      throw Untranslatable("this content", "contracts of version 3 have texts only")
    }
  }
}
