/// Swift's name for a segment of a scenario's name, `cardDeclined` for `card-declined`.
///
/// `.`, `_` and `-` separate words. The first word begins with a lowercase letter, a whole run of capitals included
/// (`HTTP` becomes `http`, `HTTPServer` becomes `httpServer`), the others with a capital; a word keeps its other
/// letters. An underscore goes before a digit at the beginning, and between two words where a digit meets a digit, so that
/// `v1.2` does not read as `v12`. A segment without letters and digits is `unnamed`.
package struct SwiftIdentifier: Hashable, Comparable, Sendable {
  /// The identifier without backticks.
  package let text: String

  /// Makes the identifier of a segment, which has only the characters of scenario names.
  package init(segment: Substring) {
    var text = ""
    for word in segment.split(whereSeparator: { ".-_".contains($0) }) {
      if text.isEmpty {
        text = Self.lowercasingBeginning(of: word)
      } else {
        let digitsMeet = text.last?.isNumber == true && word.first?.isNumber == true
        text += (digitsMeet ? "_" : "") + word.prefix(1).uppercased() + word.dropFirst()
      }
    }
    if text.isEmpty { text = "unnamed" }
    if text.first?.isNumber == true { text = "_" + text }
    // Backticks do not help these: after a dot they mean something else, or the area declares them itself.
    if Self.special.contains(text) { text += "_" }
    self.text = text
  }

  /// The identifier where it is declared, in backticks if it is a keyword; after a dot no keyword needs them.
  package var declared: String { Self.keywords.contains(text) ? "`\(text)`" : text }

  /// The name of the type that has the members of an area.
  package var namespace: String { text.prefix(1).uppercased() + text.dropFirst() + "Names" }

  package static func < (left: SwiftIdentifier, right: SwiftIdentifier) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  private static func lowercasingBeginning(of word: Substring) -> String {
    let capitals = word.prefix { $0.isUppercase }
    let rest = word[capitals.endIndex...]
    // The last capital of a run begins the next word, unless the run is the whole word or one letter.
    let isFollowedByWord = capitals.count > 1 && rest.first?.isLetter == true
    let count = isFollowedByWord ? capitals.count - 1 : capitals.count
    return word.prefix(count).lowercased() + word.dropFirst(count)
  }

  private static let special: Set<String> = [
    "callAsFunction", "init", "scenarioName", "self", "subscript",
  ]

  /// The words that the grammar reserves.
  ///
  /// https://docs.swift.org/swift-book/documentation/the-swift-programming-language/lexicalstructure/#Keywords-and-Punctuation
  private static let keywords: Set<String> = [
    "as", "associatedtype", "await", "borrowing", "break", "case", "catch", "class", "consuming",
    "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
    "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "inout", "internal", "is",
    "let", "nil", "open", "operator", "package", "precedencegroup", "private", "protocol", "public",
    "repeat", "rethrows", "return", "static", "struct", "super", "switch", "throw", "throws",
    "true",
    "try", "typealias", "var", "where", "while",
  ]
}
