internal import StubDBEngine
internal import StubDBSupport

/// The words of the running command, to be printed and typed again, with secrets replaced by placeholders.
package struct TypedCommand {
  /// A flag or a positional argument without an option, or an option with its value.
  private typealias Part = (option: String?, value: String?)

  /// The words in parts, with ``SecretDisplay/placeholder`` in place of secrets.
  private var parts: [Part]
  /// The hidden values and their replacements.
  private var replaced: [(value: String, shown: String)] = []

  /// Options whose value is a path or a name, which is never hidden.
  private static let exact: Set<String> = ["--body-file", "--catalog", "--color", "--file", "-C"]
  private static let header: Set<String> = ["--header", "--when-header", "-H"]
  /// Short options with a value, which may follow the letter without a space.
  private static let letters = ["-H", "-d"]
  private static let curl = "--from-curl"
  private static let withValue = exact.union(header).union(letters).union([
    curl, "--data", "--error", "--json", "--key", "--prefix", "--priority", "--scenario-summary",
    "--summary", "--text", "--url", "--when", "--when-body", "--when-body-json", "--when-query",
  ])

  /// A message that repeats some of the words, without the secrets in them.
  package static func hidingSecrets(
    of typed: some Collection<String>, in message: String
  ) -> String {
    // What follows an unknown letter may be a secret, as in curl's -uNAME:PASSWORD.
    let unknown = typed.first { message == "Unknown option '\($0)'" && !$0.hasPrefix("--") }
    if let unknown { return "Unknown option '\(unknown.prefix(2))'" }
    return TypedCommand(typed).replaced.reduce(message) { $0.replacing($1.value, with: $1.shown) }
  }

  /// Reads the words after the name of the program.
  package init(_ typed: some Collection<String>) {
    parts = Self.separated(typed)
    let readsStandardInput = readsStandardInput
    for (index, (option, value)) in parts.enumerated() {
      guard let value, !value.isEmpty else { continue }
      let shown = Self.shown(value, of: option ?? "", readsStandardInput)
      if shown != value { replaced.append((value, shown)) }
      parts[index].value = shown
    }
  }

  private var readsStandardInput: Bool { parts.contains { $0.value == "-" || $0.value == "@-" } }

  /// The words to type, with ``SecretDisplay/placeholder`` in place of secrets.
  package var words: [String] {
    parts.flatMap { option, value in
      option.map { CommandWords.option($0, value) } ?? [value].compactMap(\.self)
    }
  }

  /// Leaves options out, and adds others before the `--` after which there are no more options.
  ///
  /// A flag that was typed already is not added again. An option with a value that was typed is added nevertheless;
  /// leave it out unless it is repeatable.
  package mutating func change(adding options: [String], leavingOut names: Set<String> = []) {
    let end = parts.firstIndex { $0 == (nil, "--") } ?? parts.endIndex
    let kept = parts[..<end].filter { option, value in
      let name = option ?? value ?? ""
      return !names.contains(name) && (option != nil || !options.contains(name))
    }
    parts = kept + options.map { (nil, $0) } + parts[end...]
  }

  /// What the user has to provide when typing it again, as the end of a phrase.
  package var conditions: String {
    (readsStandardInput ? ", with the same text on standard input" : "")
      + (replaced.contains { $0.shown != "-" }
        ? " (put the secrets in the place of \(SecretDisplay.placeholder))"
        : "")
  }

  /// Pairs of an option and its value; positional arguments and flags have no partner.
  private static func separated(_ typed: some Collection<String>) -> [Part] {
    var result: [Part] = []
    var option: String?
    // In the other commands it is a flag.
    let takesJSON = typed.contains("add") || typed.contains("set")
    var hasEnded = false
    for word in typed {
      if let name = option {
        result.append((name, word))
        option = nil
      } else if hasEnded || word == "--" {
        hasEnded = true
        result.append((nil, word))
      } else if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
        result.append((String(word[..<equals]), String(word[word.index(after: equals)...])))
      } else if let letter = letters.first(where: word.hasPrefix), word != letter {
        result.append((letter, String(word.dropFirst(letter.count))))
      } else if withValue.contains(word), takesJSON || word != "--json" {
        option = word
      } else {
        result.append((nil, word))
      }
    }
    if let option { result.append((option, nil)) }
    return result
  }

  /// Hides a header field without a colon: the text after the name may be a secret, and so may a single word.
  private static func withoutColon(_ field: String) -> String {
    let name = field.prefix { !" \t;=".contains($0) }
    return name.count < field.count
      ? "\(name) \(SecretDisplay.placeholder)" : SecretDisplay.placeholder
  }

  private static func shown(
    _ value: String, of option: String, _ readsStandardInput: Bool
  ) -> String {
    guard !SecretDisplay.isShown, !exact.contains(option), value != "-" else { return value }
    let isFile = value.hasPrefix("@") && !value.hasPrefix("@@")
    if option == curl {
      // It may contain secrets anywhere; only one option can read standard input.
      return isFile ? value : readsStandardInput ? SecretDisplay.placeholder : "-"
    }
    if isFile { return value }
    let separator: Character? =
      header.contains(option) ? ":" : option == "--when-query" ? "=" : nil
    guard let separator, let sign = value.firstIndex(of: separator) else {
      return header.contains(option)
        ? withoutColon(value) : SecretDisplay.text(value, as: .placeholder)
    }
    let rest = value[value.index(after: sign)...]
    let text = rest.drop { $0 == " " }
    let name = value[..<sign].trimmingPrefix { $0 == " " }
    return value[...sign] + rest[..<text.startIndex]
      + SecretDisplay.value(String(text), of: String(name), as: .placeholder)
  }
}
