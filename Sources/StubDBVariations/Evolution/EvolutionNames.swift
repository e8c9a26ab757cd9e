import StubDBDrift
import StubDBSupport

/// What names of members say where the samples do not.
enum EvolutionNames {
  private static let constants: Set<String> = [
    "status", "state", "type", "kind", "role", "level", "mode", "category", "currency", "method",
    "reason", "result", "severity", "visibility", "action", "event", "brand", "plan", "phase",
    "priority", "stage", "scope", "source", "channel", "provider", "network", "tier",
  ]
  private static let types: Set<String> = ["type", "kind", "typename", "object", "event"]
  private static let identifiers: Set<String> = [
    "id", "uuid", "guid", "key", "slug", "token", "number", "email", "href", "url",
  ]
  private static let bounded: Set<String> = [
    "year", "month", "day", "hour", "minute", "second", "weekday", "week", "page", "pages", "limit",
    "offset", "width", "height", "status", "code", "port", "percent", "percentage", "rating",
    "stars", "age", "quantity", "index", "position", "version", "level", "priority", "rank", "zoom",
    "red", "green", "blue", "digits", "days", "hours", "minutes", "months", "years", "attempts",
    "retries", "score", "progress", "order",
  ]
  private static let maps: Set<String> = [
    "metadata", "labels", "tags", "attributes", "headers", "params", "parameters", "translations",
    "properties", "variables", "environment", "rates", "counts",
  ]

  /// Whether one constant alone shows an enumeration, as in `order_status`.
  static func areConstants(_ name: String?) -> Bool { name.map { hasWord($0, constants) } ?? false }
  /// Whether the values are types of the objects that have them, as in `__typename`.
  static func areTypes(_ name: String) -> Bool { hasWord(name, types) }
  /// Whether equal values would be the same thing.
  static func isIdentifier(_ name: String) -> Bool { hasWord(name, identifiers) }
  /// Whether numbers are small by their nature.
  static func isBounded(_ name: String?) -> Bool { name.map { hasWord($0, bounded) } ?? true }
  /// Whether the names of members are data.
  static func isMap(_ name: String?) -> Bool { name.map { hasWord($0, maps) } ?? false }

  /// Whether the last word of a name, in snake or camel case, is one of some.
  private static func hasWord(_ name: String, _ words: Set<String>) -> Bool {
    var word = ""
    for character in name {
      if !character.isLetter && !character.isNumber {
        word = ""
      } else if character.isUppercase, word.last?.isLowercase ?? false {
        word = character.lowercased()
      } else {
        word += String(character)
      }
    }
    return words.contains(word.lowercased())
  }

  /// A constant that no client knows, written as the known ones are.
  static func unknownConstant(beside known: [String]) -> String {
    let text = known.first { $0.contains { $0.isLetter } } ?? ""
    let separator = ["_", "-"].first { (mark: String) in known.contains { $0.contains(mark) } }
    let isUpper = text == text.uppercased()
    if let code = code(beside: known) { return code }
    if let first = text.first, first.isUppercase, !isUpper { return "AddedLater" }
    if separator == nil, known.contains(where: { $0 != $0.lowercased() && $0 != $0.uppercased() }) {
      return "addedLater"
    }
    let words = "added" + (separator ?? "_") + "later"
    return isUpper && !text.isEmpty ? words.uppercased() : words
  }

  /// A code of the same length as all others that stands for none, as in ISO 3166, 4217 and 639; nil if they are no codes.
  private static func code(beside known: [String]) -> String? {
    let codes = ["ZZ", "XTS", "zz"]
    return codes.first { code in
      !known.contains(code)
        && known.allSatisfy { text in
          text.count == code.count
            && text.allSatisfy { $0.isLetter && $0.isUppercase == code.first?.isUppercase }
        }
    }
  }

  /// Another identifier of the same form, with another last digit or letter.
  static func other(than text: String, unlike taken: Set<String>) -> String? {
    guard let last = text.lastIndex(where: { $0.isASCII && ($0.isNumber || $0.isLetter) }) else {
      return nil
    }
    let alphabet = text[last].isNumber ? "0123456789" : text[last].isUppercase ? "ABCDEF" : "abcdef"
    for character in alphabet {
      var other = text
      other.replaceSubrange(last...last, with: String(character))
      if !taken.contains(other) { return other }
    }
    return nil
  }
}
