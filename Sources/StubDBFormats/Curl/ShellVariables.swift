internal import StubDBModel

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
    OpenVariable.filled(text) { given[$0] ?? values[$0] }
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
    var assignments: [(name: Substring, value: Substring)] = []
    for word in rest {
      // Before a command, an assignment is for that command alone.
      guard let assignment = Self.assignment(word) else { return }
      assignments.append(assignment)
    }
    for (name, value) in assignments { set(String(name), String(value)) }
  }

  private mutating func set(_ name: String, _ value: String) {
    let isKnown =
      depth == 0 && value.utf8.count <= Self.maximumLength && !OpenVariable.isWhole(value)
    values[name] = isKnown ? value : nil
  }

  private static func isWordOfShell(_ word: String) -> Bool {
    ["{", "do", "then", "else", "if", "while", "until", "!"].contains(word)
  }

  /// The name and the value of `NAME=value`; nil for other words.
  static func assignment(_ word: String) -> (name: Substring, value: Substring)? {
    let name = word.utf8.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    guard let first = name.first, !first.isASCIIDigit, name.endIndex < word.utf8.endIndex,
      word.utf8[name.endIndex] == UInt8(ascii: "=")
    else { return nil }
    return (Substring(name), Substring(word.utf8[name.endIndex...].dropFirst()))
  }
}
