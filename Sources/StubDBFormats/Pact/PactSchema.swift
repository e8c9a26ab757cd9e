internal import Foundation
internal import StubDBDocuments
internal import StubDBJSON

/// The JSON Schema that says what an example and its matching rules say.
struct PactSchema {
  let rules: PactRules
  /// The content that the rules are about; nil if nothing is read.
  let source: SourceValue?

  /// The schema of the content at a path; a rule above may say that only types count.
  ///
  /// - Throws: ``Untranslatable`` for a rule without a counterpart.
  func schema(
    of example: JSONValue, at path: [String] = [], isTyped: Bool = false
  ) throws -> JSONValue {
    let group = rules[path]
    let isStructural = group.rules.contains { $0.isStructural }
    let parts = try group.rules.map { try part(of: $0, example) }
    // Of several rules of which one must hold, those without a structure are enough by themselves.
    if group.isAny, parts.count > 1 {
      var others = parts.filter { $0.keywords != nil }.map { JSONValue.object($0.keywords ?? [:]) }
      if isStructural {
        let limits = parts.filter { $0.keywords == nil }.map(\.limits)
        var structure = try self.structure(
          of: example, path, isTyped: true, hasLeast: limits.allSatisfy { $0["minItems"] != nil })
        structure["anyOf"] = .array(limits.map(JSONValue.object))
        others.insert(.object(structure), at: 0)
      }
      return .object(["anyOf": .array(others)])
    }
    let keywords = parts.compactMap(\.keywords)
    let limits = parts.reduce(into: JSONObject()) { limits, part in
      limits.merge(part.limits) { first, _ in first }
    }
    if !example.isContainer, !keywords.isEmpty {
      return keywords.count == 1
        ? .object(keywords[0]) : .object(["allOf": .array(keywords.map(JSONValue.object))])
    }
    var members = try structure(
      of: example, path, isTyped: isTyped || isStructural, hasLeast: limits["minItems"] != nil)
    members.merge(limits) { _, limit in limit }
    if !keywords.isEmpty { members["allOf"] = .array(keywords.map(JSONValue.object)) }
    return .object(members)
  }

  /// What a rule says of the value itself: keywords, or for a rule of types only limits.
  private func part(
    of rule: PactRules.Rule, _ example: JSONValue
  ) throws -> (keywords: JSONObject?, limits: JSONObject) {
    var limits: JSONObject = [:]
    if case .array = example {
      limits["minItems"] = rule.arguments["min"]
      limits["maxItems"] = rule.arguments["max"]
    }
    return (rule.isStructural ? nil : try keywords(of: rule, example: example), limits)
  }

  /// The keywords of the example's members or elements; of a scalar, its type or itself.
  private func structure(
    of example: JSONValue, _ path: [String], isTyped: Bool, hasLeast: Bool
  ) throws -> JSONObject {
    switch example {
    case .object(let object): try self.object(object, path, isTyped)
    case .array(let elements): try array(elements, path, isTyped, hasLeast: hasLeast)
    default: isTyped ? Self.type(of: example) : ["const": example]
    }
  }

  private func object(
    _ object: JSONObject, _ path: [String], _ isTyped: Bool
  ) throws -> JSONObject {
    var properties: JSONObject = [:]
    for (name, value) in object {
      properties[name] = try schema(of: value, at: path + [name], isTyped: isTyped)
    }
    return [
      "type": "object", "properties": .object(properties),
      "required": .array(object.keys.sorted().map(JSONValue.string)),
      // In requests a member that the contract does not have is a difference.
      "additionalProperties": false,
    ]
  }

  private func array(
    _ elements: [JSONValue], _ path: [String], _ isTyped: Bool, hasLeast: Bool
  ) throws -> JSONObject {
    let isEach = isTyped || rules.concerns(path + ["*"])
    guard !isEach else {
      guard let first = elements.first else { return ["type": "array"] }
      var members: JSONObject = [
        "type": "array", "items": try schema(of: first, at: path + ["0"], isTyped: isTyped),
      ]
      if !hasLeast, !isTyped {
        members["minItems"] = .number(JSONNumber(elements.count))
        members["maxItems"] = .number(JSONNumber(elements.count))
      } else if !hasLeast {
        members["minItems"] = 1
      }
      return members
    }
    let items = try elements.enumerated().map {
      try schema(of: $0.element, at: path + [String($0.offset)], isTyped: false)
    }
    return [
      "type": "array", "prefixItems": .array(items), "items": false,
      "minItems": .number(JSONNumber(elements.count)),
    ]
  }

  private func keywords(
    of rule: PactRules.Rule, example: JSONValue
  ) throws -> JSONObject {
    switch rule.kind {
    case .regex:
      guard case .string(let expression) = rule.arguments["regex"] else { break }
      let pattern = PactExpression.anchored(PactExpression.unanchored(expression))
      _ = try ForeignExpression(expression, .singleLine)
      if case .string(let type)? = Self.type(of: example)["type"], type != "string" {
        // A schema cannot say what the text of a number is.
        guard source != nil else { break }
        return ["type": .array([.string(type), "string"])]
      }
      return ["type": "string", "pattern": .string(pattern)]
    case .integer: return ["type": "integer"]
    case .decimal, .number: return ["type": "number"]
    case .boolean: return ["type": "boolean"]
    case .null: return ["type": "null"]
    case .equality: return ["const": example]
    case .notEmpty:
      let least: JSONObject = ["minLength": 1, "minItems": 1, "minProperties": 1]
      return Self.type(of: example).merging(least) { first, _ in first }
    case .include:
      guard case .string(let text) = rule.arguments["value"] else { break }
      return [
        "type": "string",
        "pattern": .string(NSRegularExpression.escapedPattern(for: text)),
      ]
    case .date, .time, .timestamp, .datetime:
      guard case .string(let text) = example, let source else { break }
      let form = try PactRulePatterns(source: source).date(rule, example: text)
      return ["type": "string", "pattern": .string(PactExpression.anchored(form))]
    case .semver:
      let pattern = PactExpression.anchored(PactRulePatterns.version)
      return ["type": "string", "pattern": .string(pattern)]
    case .type, .min, .max, .minmax, .minMax, .other: break
    }
    throw Untranslatable("the matching rule \(rule.name)")
  }

  private static func type(of example: JSONValue) -> JSONObject {
    switch example {
    case .null: ["type": "null"]
    case .bool: ["type": "boolean"]
    case .number: ["type": "number"]
    case .string: ["type": "string"]
    case .array: ["type": "array"]
    case .object: ["type": "object"]
    }
  }
}
