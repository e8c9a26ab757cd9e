/// A text, or the value of an attribute, in an expected XML document that any one, or any of a kind, may have the place
/// of: `${xmlunit.isNumber}`.
///
/// https://wiremock.org/docs/request-matching/#placeholders-in-xml
package enum XMLPlaceholder: Hashable, Sendable {
  /// Any text, or none.
  case ignore
  case isNumber
  case isDateTime
  /// A text that the expression matches as a whole.
  case regex(String)

  /// How the placeholders are written.
  package static let forms = [
    "${xmlunit.ignore}", "${xmlunit.isNumber}", "${xmlunit.isDateTime}",
    "${xmlunit.matchesRegex(…)}",
  ]

  /// Whether a text without white space around it is a placeholder, also one without a meaning.
  package static func isOne(_ text: String) -> Bool {
    text.hasPrefix(start) && text.hasSuffix("}")
  }

  private static let start = "${xmlunit."

  /// Reads a text without white space around it; nil if it is no placeholder, or one without a meaning.
  package init?(_ text: String) {
    guard Self.isOne(text) else { return nil }
    let word = text.dropFirst(Self.start.count).dropLast()
    switch word {
    case "ignore": self = .ignore
    case "isNumber": self = .isNumber
    case "isDateTime": self = .isDateTime
    default:
      let call = "matchesRegex("
      guard word.hasPrefix(call), word.hasSuffix(")") else { return nil }
      self = .regex(String(word.dropFirst(call.count).dropLast()))
    }
  }
}
