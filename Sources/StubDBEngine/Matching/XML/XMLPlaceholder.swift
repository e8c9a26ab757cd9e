/// A placeholder of XMLUnit, as it may stand for a text or the value of an attribute in an `equalToXml`.
///
/// https://wiremock.org/docs/request-matching/#placeholders-in-xml
enum XMLPlaceholder: Hashable, Sendable {
  /// Any text, or none.
  case ignore
  case isNumber
  case isDateTime
  /// A text that the expression matches as a whole.
  case regex(String)
  /// A placeholder that does not exist.
  case unknown

  static let words = [
    "${xmlunit.ignore}", "${xmlunit.isNumber}", "${xmlunit.isDateTime}",
    "${xmlunit.matchesRegex(…)}",
  ]

  /// Reads a text that is a placeholder as a whole, white space around it overlooked; nil for any other text.
  init?(_ text: String) {
    let text = FieldValues.trimmed(text.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
    guard text.hasPrefix("${xmlunit."), text.hasSuffix("}") else { return nil }
    let word = text.dropFirst("${xmlunit.".count).dropLast()
    switch word {
    case "ignore": self = .ignore
    case "isNumber": self = .isNumber
    case "isDateTime": self = .isDateTime
    default:
      let call = "matchesRegex("
      self =
        word.hasPrefix(call) && word.hasSuffix(")")
        ? .regex(String(word.dropFirst(call.count).dropLast())) : .unknown
    }
  }
}
