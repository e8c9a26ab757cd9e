internal import Foundation
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

/// Makes JSON values that satisfy patterns.
enum ExampleJSON {
  /// The value with something in place of every placeholder; nil for a placeholder that may be missing.
  static func filled(_ value: JSONValue) -> JSONValue? {
    switch value {
    case .object(let members): return .object(members.compactMapValues(filled))
    case .array(let elements): return .array(elements.compactMap(filled))
    case .string(let text):
      guard let placeholder = JSONPlaceholder(text) else { return value }
      switch placeholder.word {
      case .ignoreElement: return nil
      case .anyNumber: return 1
      case .anyBoolean: return .bool(true)
      case .regex: return .string(ExamplePattern.text(placeholder.expression) ?? "any")
      case .ignore, .anyString, nil: return "any"
      }
    case .null, .bool, .number: return value
    }
  }

  /// Both values in one: members of objects together, else the second one.
  static func merged(_ first: JSONValue, _ second: JSONValue) -> JSONValue {
    switch (first, second) {
    case (.object(let first), .object(let second)):
      return .object(first.merging(second) { merged($0, $1) })
    case (.array(let first), .array(let second)):
      let shared = zip(first, second).map { merged($0, $1) }
      return .array(shared + first.dropFirst(shared.count) + second.dropFirst(shared.count))
    default: return second
    }
  }

  /// An example of a schema; nil if it cannot be read.
  static func value(satisfying schema: JSONValue) -> JSONValue? {
    let input = try? ImportInput(
      file: "schema", path: [], bytes: Data(schema.canonicalText.utf8), log: ReportLog())
    guard let input, let root = input.tree?.root else { return nil }
    var maker = SchemaExample(references: OpenAPIReferences(input), isSwagger: false)
    return try? maker.value(of: root)
  }

  /// Values in which a simple query selects something that satisfies its pattern; hints are texts to select first.
  static func values(
    selectedBy operation: JSONPathOperator, hints: [String] = []
  ) -> [JSONValue] {
    guard let query = try? JSONPath(operation.query) else { return [] }
    return leaves(operation.pattern, hints).flatMap {
      JSONPathExample.values(of: query.segments, around: $0)
    }
  }

  /// What a query may select.
  private static func leaves(_ pattern: BodyPattern?, _ hints: [String]) -> [JSONValue] {
    let any = hints.map(JSONValue.string) + ["any", .object([:]), 1, true, .array([1])]
    guard let pattern else { return any }
    if let operation = pattern.operation as? EqualToJSONOperator {
      return [filled(operation.value) ?? .null]
    }
    guard case .value(let value) = pattern.storage else { return any }
    guard let text = ExampleValues.value(for: value) else { return [] }
    let scalar = try? JSONValue(parsing: text)
    return [.string(text)] + (scalar.map { [$0] } ?? [])
  }
}
