internal import Foundation
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
      guard let match = text.firstMatch(of: /^[$#]\{json-unit\.([a-z-]+)\}(.*)$/) else {
        return value
      }
      switch match.output.1 {
      case "ignore-element": return nil
      case "any-number": return 1
      case "any-boolean": return .bool(true)
      case "regex": return .string(ExamplePattern.text(String(match.output.2)) ?? "any")
      default: return "any"
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
    guard let steps = JSONPathSteps(operation.query)?.steps else { return [] }
    return leaves(operation.pattern, hints).map { leaf in
      steps.reversed().reduce(leaf) { value, step in
        switch step {
        case .member(let name): return .object([name: value])
        case .element(let index):
          return .array(Array(repeating: .null, count: index) + [value])
        case .filter(let wanted):
          guard case .object = value else { return .array([wanted]) }
          return .array([merged(wanted, value)])
        }
      }
    }
  }

  /// What a query may select.
  private static func leaves(_ pattern: BodyPattern?, _ hints: [String]) -> [JSONValue] {
    guard let pattern else { return hints.map(JSONValue.string) + ["any", .object([:]), 1] }
    if let operation = pattern.operation as? EqualToJSONOperator {
      return [filled(operation.value) ?? .null]
    }
    guard case .value(let value) = pattern.storage, let text = ExampleValues.value(for: value)
    else { return [] }
    let scalar = try? JSONValue(parsing: text)
    return [.string(text)] + (scalar.map { [$0] } ?? [])
  }
}

/// The steps of a query without wildcards, slices and functions: `$.items[0].sku`, `$..id`, `$.a[?@.b == 'x']`.
struct JSONPathSteps {
  enum Step {
    case member(String)
    case element(Int)
    /// An element with these members, or this value.
    case filter(JSONValue)
  }

  private(set) var steps: [Step] = []

  /// Nil for other queries.
  init?(_ query: String) {
    var rest = query[...]
    guard rest.popFirst() == "$" else { return nil }
    while !rest.isEmpty {
      if let match = rest.prefixMatch(of: /\.\.?([A-Za-z_][A-Za-z0-9_-]*)/) {
        steps.append(.member(String(match.output.1)))
        rest = rest[match.range.upperBound...]
      } else if let match = rest.prefixMatch(of: /(?:\.\.)?\[(?:'([^'\\]*)'|"([^"\\]*)")\]/) {
        steps.append(.member(String(match.output.1 ?? match.output.2 ?? "")))
        rest = rest[match.range.upperBound...]
      } else if let match = rest.prefixMatch(of: /\[(\d{1,2})\]|\[\*\]|\.\*/) {
        steps.append(.element(match.output.1.flatMap { Int($0) } ?? 0))
        rest = rest[match.range.upperBound...]
      } else if let match = rest.prefixMatch(of: /\[\?\(?(.*?)\)?\]/),
        let wanted = Self.wanted(match.output.1)
      {
        steps.append(.filter(wanted))
        rest = rest[match.range.upperBound...]
      } else {
        return nil
      }
    }
  }

  /// What `@.a == 'x' && @.b` needs.
  private static func wanted(_ filter: Substring) -> JSONValue? {
    var wanted: JSONValue?
    for condition in String(filter).components(separatedBy: "&&") {
      let text = condition.trimmingCharacters(in: .whitespaces)
      guard
        let match = text.wholeMatch(
          of: /@((?:\.[A-Za-z_][A-Za-z0-9_-]*)*)(?:\s*(==|>=|<=|>|<)\s*(.+))?/),
        let value = operand(match.output.3.map(String.init), match.output.2.map(String.init))
      else { return nil }
      let names = match.output.1.split(separator: ".").map(String.init)
      let made = names.reversed().reduce(value) { .object([$1: $0]) }
      wanted = wanted.map { ExampleJSON.merged($0, made) } ?? made
    }
    return wanted
  }

  private static func operand(_ text: String?, _ comparison: String?) -> JSONValue? {
    guard let text else { return "any" }
    if text.count > 1, text.hasPrefix("'"), text.hasSuffix("'") {
      return .string(String(text.dropFirst().dropLast()))
    }
    guard let value = try? JSONValue(parsing: text) else { return nil }
    guard case .number(let number) = value, let near = Int(number.text) else { return value }
    switch comparison {
    case ">": return .number(JSONNumber(near + 1))
    case "<": return .number(JSONNumber(near - 1))
    default: return value
    }
  }
}
