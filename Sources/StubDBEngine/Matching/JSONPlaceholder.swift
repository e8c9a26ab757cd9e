import StubDBJSON
import StubDBModel

/// A placeholder of JsonUnit, as it may stand for a value in an `equalToJson`.
///
/// https://wiremock.org/docs/request-matching/#placeholders
enum JSONPlaceholder: Hashable, Sendable {
  /// Any value.
  case ignore
  /// Any value, or no such member.
  case ignoreElement
  case anyString
  case anyNumber
  case anyBoolean
  /// A string that the expression matches as a whole.
  case regex(String)
  /// A placeholder that does not exist; the text is what stands between the braces.
  case unknown(String)

  /// The words between `${json-unit.` and `}`, without `regex`.
  static let words = [
    "ignore", "ignore-element", "any-string", "any-number", "any-boolean",
  ]

  /// Reads a text that is a placeholder as a whole; nil for any other text.
  init?(_ text: String) {
    guard let first = text.utf8.first, first == UInt8(ascii: "$") || first == UInt8(ascii: "#"),
      text.dropFirst().utf8.starts(with: "{json-unit.".utf8),
      let end = text.firstIndex(of: "}")
    else { return nil }
    let word = text[text.index(text.startIndex, offsetBy: "${json-unit.".count)..<end]
    let rest = text[text.index(after: end)...]
    if word == "regex" {
      self = .regex(String(rest))
      return
    }
    guard rest.isEmpty else { return nil }
    switch word {
    case "ignore": self = .ignore
    case "ignore-element": self = .ignoreElement
    case "any-string": self = .anyString
    case "any-number": self = .anyNumber
    case "any-boolean": self = .anyBoolean
    default: self = .unknown(String(word))
    }
  }

  /// Whether a member with this expected value may be missing.
  static func isIgnoredElement(_ value: JSONValue) -> Bool {
    guard case .string(let text) = value else { return false }
    return JSONPlaceholder(text) == .ignoreElement
  }

  /// Whether a value is a placeholder or holds one.
  static func isHeld(by value: JSONValue) -> Bool {
    switch value {
    case .null, .bool, .number: false
    case .string(let text): JSONPlaceholder(text) != nil
    case .array(let elements): elements.contains(where: isHeld)
    case .object(let members): members.values.contains(where: isHeld)
    }
  }

  /// What the placeholder stands for, for people.
  var phrase: String {
    switch self {
    case .ignore: "any value"
    case .ignoreElement: "any value, or none"
    case .anyString: "any string"
    case .anyNumber: "any number"
    case .anyBoolean: "true or false"
    case .regex(let expression): "a string that matches \(TextExcerpt.quoted(expression))"
    case .unknown(let word): "${json-unit.\(word)}"
    }
  }
}
