internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// JSON content of a contract: an example, and the rules by which other contents are accepted.
struct PactExampleContent {
  private(set) var example: JSONValue = .null
  private(set) var rules: [(key: String, rule: JSONValue)] = []
  /// Whether a placeholder for any value at all became one for values of one type.
  private(set) var isNarrower = false
  /// Whether any value of the example was made from a schema.
  private(set) var isInvented = false

  /// - Throws: ``Untranslatable`` for a name that no rule can be about.
  private mutating func add(_ rule: JSONValue, at path: [PactRuleWriter.Step]) throws {
    guard let key = PactRuleWriter.key(of: path) else {
      throw Untranslatable("equalToJson", "no rule can be about a member of this name")
    }
    rules.append((key, rule))
  }
}

// MARK: - Values with placeholders

extension PactExampleContent {
  /// The expected value of `equalToJson`.
  ///
  /// - Throws: ``Untranslatable`` for a placeholder without an example.
  init(placeholders value: JSONValue) throws { example = try filled(value, at: []) }

  private mutating func filled(
    _ value: JSONValue, at path: [PactRuleWriter.Step]
  ) throws -> JSONValue {
    switch value {
    case .object(let members):
      var filled: JSONObject = [:]
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        filled[name] = try self.filled(value, at: path + [.name(name)])
      }
      return .object(filled)
    case .array(let elements):
      return .array(
        try elements.enumerated().map { try filled($1, at: path + [.index($0)]) })
    case .string(let text):
      guard let placeholder = JSONPlaceholder(text) else { return value }
      return try filled(placeholder, value, at: path)
    case .null, .bool, .number: return value
    }
  }

  private mutating func filled(
    _ placeholder: JSONPlaceholder, _ value: JSONValue, at path: [PactRuleWriter.Step]
  ) throws -> JSONValue {
    switch placeholder.word {
    case .anyNumber: try add(["match": "number"], at: path)
    case .anyString, .anyBoolean: try add(["match": "type"], at: path)
    case .regex: try add(PactRuleWriter.regex(placeholder.expression), at: path)
    case .ignore, .ignoreElement, nil:
      isNarrower = true
      try add(["match": "type"], at: path)
      return "any"
    }
    guard let example = ExampleJSON.filled(value) else { throw Untranslatable("equalToJson") }
    return example
  }
}

// MARK: - Schemas

extension PactExampleContent {
  /// An example and rules that say what a schema says; nil where there are none.
  ///
  /// They are made for schemas as ``PactSchema`` writes them, which shows whether they say the same.
  init?(schema: JSONValue) {
    guard let example = try? value(of: schema, at: [], isTyped: false) else { return nil }
    self.example = example
    let read = PactRules(
      rules.compactMap { key, rule in
        guard case .object(let arguments) = rule else { return nil }
        return (PactRules.path(key), PactRules.Group(rules: [PactRules.Rule(arguments)]))
      })
    guard (try? PactSchema(rules: read, source: nil).schema(of: example)) == schema else {
      return nil
    }
  }

  private mutating func value(
    of schema: JSONValue, at path: [PactRuleWriter.Step], isTyped: Bool
  ) throws -> JSONValue {
    guard case .object(let keywords) = schema else { throw Untranslatable("a schema") }
    if let value = keywords["const"] {
      if isTyped || value.isContainer { try add(["match": "equality"], at: path) }
      return value
    }
    switch keywords["type"] {
    case "object": return try object(keywords, at: path, isTyped)
    case "array": return try array(keywords, at: path, isTyped)
    case "string":
      if case .string(let pattern) = keywords["pattern"] { return try text(pattern, at: path) }
      return try scalar("any", nil, at: path, isTyped)
    case "integer": return try scalar(1, "integer", at: path, isTyped)
    case "number": return try scalar(1, nil, at: path, isTyped)
    case "boolean": return try scalar(true, nil, at: path, isTyped)
    case "null": return try scalar(.null, nil, at: path, isTyped)
    default: throw Untranslatable("a schema")
    }
  }

  private mutating func scalar(
    _ example: JSONValue, _ rule: JSONValue?, at path: [PactRuleWriter.Step], _ isTyped: Bool
  ) throws -> JSONValue {
    if example != .null { isInvented = true }
    if let rule {
      try add(["match": rule], at: path)
    } else if !isTyped {
      try add(["match": "type"], at: path)
    }
    return example
  }

  private mutating func text(
    _ pattern: String, at path: [PactRuleWriter.Step]
  ) throws -> JSONValue {
    let expression = PactExpression.unanchored(pattern)
    isInvented = true
    if expression == PactRulePatterns.version {
      try add(["match": "semver"], at: path)
      return "1.0.0"
    }
    if expression == pattern {
      guard let text = PactExpression.literal(pattern) else { throw Untranslatable("a schema") }
      try add(["match": "include", "value": .string(text)], at: path)
      return .string(text)
    }
    guard let example = ExampleValues.value(for: .matches(expression)) else {
      throw Untranslatable("a schema")
    }
    try add(PactRuleWriter.regex(expression), at: path)
    return .string(example)
  }

  private mutating func object(
    _ keywords: JSONObject, at path: [PactRuleWriter.Step], _ isTyped: Bool
  ) throws -> JSONValue {
    guard case .object(let properties) = keywords["properties"] else {
      throw Untranslatable("a schema")
    }
    var members: JSONObject = [:]
    for (name, schema) in properties.sorted(by: { $0.key < $1.key }) {
      members[name] = try value(of: schema, at: path + [.name(name)], isTyped: isTyped)
    }
    return .object(members)
  }

  private mutating func array(
    _ keywords: JSONObject, at path: [PactRuleWriter.Step], _ isTyped: Bool
  ) throws -> JSONValue {
    if case .array(let schemas) = keywords["prefixItems"] {
      return .array(
        try schemas.enumerated().map {
          try value(of: $1, at: path + [.index($0)], isTyped: false)
        })
    }
    guard let items = keywords["items"] else {
      return try scalar([], nil, at: path, isTyped)
    }
    var rule: JSONObject = ["match": "type"]
    rule["min"] = keywords["minItems"]
    rule["max"] = keywords["maxItems"]
    try add(.object(rule), at: path)
    let element = try value(of: items, at: path + [.each], isTyped: true)
    var count = 1
    if case .number(let least) = keywords["minItems"], let least = least.integerValue {
      count = max(1, min(least, 100))
    }
    return .array(Array(repeating: element, count: count))
  }
}
