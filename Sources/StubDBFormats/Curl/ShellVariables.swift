/// The values of a script's variables: those that are given, and those that the script sets to a text.
struct ShellVariables {
  /// The longest value that is kept; a value may be made of others again and again.
  private static let maximumLength = 1 << 14
  private static let declarations: Set<String> = [
    "export", "readonly", "local", "declare", "typeset",
  ]
  private static let openings: Set<String> = ["if", "for", "while", "until", "case", "{"]
  private static let closings: Set<String> = ["fi", "done", "esac", "}"]

  private let given: [String: String]
  private var values: [String: String] = [:]
  /// How many `if`, `for` and other parts are open, which may run any number of times.
  private var depth = 0

  init(given: [String: String]) {
    self.given = given
  }

  /// The text with the values that are known.
  func filled(_ text: String) -> String {
    OpenVariable.filled(text, values.merging(given) { _, given in given })
  }

  /// The word with its values; several if it is a variable with options.
  func words(_ word: String) -> [String] {
    let text = filled(word)
    guard OpenVariable.isWhole(word), text.hasPrefix("-"), text.contains(" ") else { return [text] }
    return text.split(separator: " ").map(String.init)
  }

  /// Takes the assignments of a command; values that depend on what happens are not known.
  mutating func read(_ words: [String]) {
    if let first = words.first {
      if Self.openings.contains(first) { depth += 1 }
      if Self.closings.contains(first) { depth = max(0, depth - 1) }
      if ["for", "read", "select", "unset"].contains(first) {
        for name in words.dropFirst() { values[name] = nil }
      }
    }
    var rest = words[...]
    while let first = rest.first,
      Self.declarations.contains(first) || first.hasPrefix("-") || Self.isWordOfShell(first)
    {
      rest.removeFirst()
    }
    let assignments = rest.map { word in
      word.firstIndex(of: "=").map { (name: word[..<$0], value: word[word.index(after: $0)...]) }
    }
    // Before a command, an assignment is for that command alone.
    guard assignments.allSatisfy({ $0.map { Self.isName($0.name) } ?? false }) else { return }
    for case .some(let (name, value)) in assignments { set(String(name), String(value)) }
  }

  private mutating func set(_ name: String, _ value: String) {
    let isKnown =
      depth == 0 && value.utf8.count <= Self.maximumLength && !OpenVariable.isWhole(value)
    values[name] = isKnown ? value : nil
  }

  private static func isWordOfShell(_ word: String) -> Bool {
    ["{", "do", "then", "else", "if", "while", "until", "!"].contains(word)
  }

  private static func isName(_ text: Substring) -> Bool {
    guard let first = text.first, !first.isNumber else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}
