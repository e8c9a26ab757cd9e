internal import Foundation
internal import StubDBJSON

/// The JSON Schema that says what an example and its matching rules say.
struct PactSchema {
  let rules: PactRules

  /// The schema of the content at a path; a rule above may say that only types count.
  ///
  /// - Throws: ``Untranslatable`` for a rule without a counterpart.
  func schema(
    of example: JSONValue, at path: [String] = [], isTyped: Bool = false
  ) throws -> JSONValue {
    var isTyped = isTyped
    var members: [String: JSONValue] = [:]
    for rule in rules[path] {
      switch rule.kind {
      case "type", "min", "max", "minmax", "min-max": isTyped = true
      case "equality": return .object(["const": example])
      default:
        let inner = try keywords(of: rule, example: example)
        members.merge(inner) { first, _ in first }
        if !example.isContainer { return .object(members) }
      }
      addLimits(of: rule, to: &members)
    }
    switch example {
    case .object(let object):
      members.merge(try self.object(object, path, isTyped)) { first, _ in first }
    case .array(let elements):
      members.merge(try array(elements, path, isTyped, members)) { first, _ in first }
    default:
      members.merge(isTyped ? Self.type(of: example) : ["const": example]) { first, _ in first }
    }
    return .object(members)
  }

  private func object(
    _ object: [String: JSONValue], _ path: [String], _ isTyped: Bool
  ) throws -> [String: JSONValue] {
    var properties: [String: JSONValue] = [:]
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
    _ elements: [JSONValue], _ path: [String], _ isTyped: Bool, _ limits: [String: JSONValue]
  ) throws -> [String: JSONValue] {
    let isEach = isTyped || rules.concerns(path + ["*"])
    guard !isEach else {
      guard let first = elements.first else { return ["type": "array"] }
      var members: [String: JSONValue] = [
        "type": "array", "items": try schema(of: first, at: path + ["0"], isTyped: isTyped),
      ]
      if limits["minItems"] == nil, !isTyped {
        members["minItems"] = .number(JSONNumber(elements.count))
        members["maxItems"] = .number(JSONNumber(elements.count))
      } else if limits["minItems"] == nil {
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

  private func addLimits(of rule: PactRules.Rule, to members: inout [String: JSONValue]) {
    if let least = rule.arguments["min"] { members["minItems"] = least }
    if let most = rule.arguments["max"] { members["maxItems"] = most }
  }

  private func keywords(
    of rule: PactRules.Rule, example: JSONValue
  ) throws -> [String: JSONValue] {
    switch rule.kind {
    case "regex":
      guard case .string(let expression) = rule.arguments["regex"] else { break }
      return ["type": "string", "pattern": .string("^(?:\(expression))$")]
    case "integer": return ["type": "integer"]
    case "decimal", "number": return ["type": "number"]
    case "boolean": return ["type": "boolean"]
    case "null": return ["type": "null"]
    case "notEmpty": return Self.type(of: example).merging(["minLength": 1]) { first, _ in first }
    case "include":
      guard case .string(let text) = rule.arguments["value"] else { break }
      return [
        "type": "string",
        "pattern": .string(NSRegularExpression.escapedPattern(for: text)),
      ]
    case "date", "time", "timestamp", "datetime":
      return ["type": "string", "minLength": 1]
    case "semver":
      return ["type": "string", "pattern": #"^[0-9]+\.[0-9]+\.[0-9]+"#]
    default: break
    }
    throw Untranslatable("the matching rule \(rule.kind)")
  }

  private static func type(of example: JSONValue) -> [String: JSONValue] {
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
