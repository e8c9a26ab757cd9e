internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// The matching rules of a request, by the parts that they are about.
///
/// https://github.com/pact-foundation/pact-specification/tree/version-3
struct PactRuleWriter {
  private var parts: JSONObject = [:]

  /// The `matchingRules`; nil without any.
  var members: JSONValue? { parts.isEmpty ? nil : .object(parts) }

  /// Adds rules that a value must follow, all of them.
  ///
  /// The part is `path`, or `query`, `header` and `body`, in which a key says which value.
  mutating func add(_ rules: [JSONValue], to part: String, at key: String? = nil) {
    guard !rules.isEmpty else { return }
    let value: JSONValue = .object(["combine": "AND", "matchers": .array(rules)])
    guard let key else {
      parts[part] = value
      return
    }
    var members: JSONObject = [:]
    if case .object(let before) = parts[part] { members = before }
    members[key] = value
    parts[part] = .object(members)
  }

  /// The rules that say what a pattern of one value says; empty for a literal, nil where there are none.
  static func rules(of pattern: ValuePattern) -> [JSONValue]? {
    switch pattern.operator {
    case .equalTo where pattern.literal != nil: return []
    case .equalTo: return [regex("(?i)" + NSRegularExpression.escapedPattern(for: pattern.text))]
    case .contains where !pattern.text.isEmpty:
      return [["match": "include", "value": .string(pattern.text)]]
    case .matches: return [regex(pattern.text)]
    case .and:
      let rules = pattern.patterns.map { Self.rules(of: $0) ?? [] }
      // A literal among others would be lost.
      return rules.contains { $0.isEmpty } ? nil : rules.flatMap { $0 }
    default: return nil
    }
  }

  static func regex(_ expression: String) -> JSONValue {
    ["match": "regex", "regex": .string(PactExpression.anchored(expression))]
  }

  /// The path of a value in the content: `$.items[0]['first name']`; nil where none can be written.
  static func key(of path: [Step]) -> String? {
    var key = "$"
    for step in path {
      switch step {
      case .each: key += "[*]"
      case .index(let index): key += "[\(index)]"
      case .name(let name):
        if name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_-]*/) != nil {
          key += ".\(name)"
        } else if !name.contains("'"), !name.contains("\\"), name != "*", !name.isEmpty {
          key += "['\(name)']"
        } else {
          return nil
        }
      }
    }
    return key
  }

  /// A step from a value to one inside of it.
  enum Step {
    case name(String)
    case index(Int)
    /// Every element.
    case each
  }
}
