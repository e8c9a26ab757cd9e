package import StubDBJSON

/// A text in an expected JSON value that any value, or any of a kind, may have the place of: `${json-unit.any-string}`.
///
/// https://wiremock.org/docs/request-matching/#placeholders
package struct JSONPlaceholder: Hashable, Sendable {
  /// What may be in the place.
  package enum Word: String, Sendable, CaseIterable {
    case ignore
    case ignoreElement = "ignore-element"
    case anyString = "any-string"
    case anyNumber = "any-number"
    case anyBoolean = "any-boolean"
    /// A text that an expression matches, which follows the braces.
    case regex
  }

  /// Matches any value.
  package static let any = JSONValue.string("${json-unit.ignore}")

  /// Matches a text that an expression matches.
  package static func regex(_ expression: String) -> JSONValue {
    .string("${json-unit.regex}" + expression)
  }

  /// What is between the dot and the brace, which may be a word that has no meaning.
  package let name: String
  /// The expression after the braces; empty unless the word is ``Word/regex``.
  package let expression: String
  /// What may be in the place; nil for a name without a meaning, of which no stub can be made.
  package var word: Word? { Word(rawValue: name) }

  /// Reads a text that is a placeholder as a whole; nil for any other text.
  package init?(_ text: String) {
    guard let first = text.utf8.first, first == UInt8(ascii: "$") || first == UInt8(ascii: "#"),
      text.utf8.dropFirst().starts(with: "{json-unit.".utf8),
      let end = text.utf8.firstIndex(of: UInt8(ascii: "}"))
    else { return nil }
    name = String(text[text.utf8.index(text.startIndex, offsetBy: "${json-unit.".utf8.count)..<end])
    expression = String(text[text.utf8.index(after: end)...])
    guard expression.isEmpty || word == .regex else { return nil }
  }

  /// Reads a value; nil if it is no text, or one that is no placeholder.
  package init?(_ value: JSONValue) {
    guard case .string(let text) = value else { return nil }
    self.init(text)
  }
}

extension JSONValue {
  /// Whether a text in the value is a placeholder.
  package var holdsPlaceholder: Bool {
    switch self {
    case .null, .bool, .number: false
    case .string(let text): JSONPlaceholder(text) != nil
    case .array(let elements): elements.contains(where: \.holdsPlaceholder)
    case .object(let members): members.values.contains(where: \.holdsPlaceholder)
    }
  }
}
