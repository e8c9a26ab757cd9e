extension Unicode.Scalar {
  /// Whether a terminal obeys it instead of showing it: the C0 and C1 controls, and the marks that reorder text.
  package var isTerminalControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  /// The text as a word of a shell command, in quotes.
  ///
  /// Single quotes, which every shell reads, keep tabs and line ends as they are. A text with other characters that a
  /// terminal obeys is written as `$'\x1B'`, which bash and zsh read: it is as safe to print as to type.
  package var inShellQuotes: String {
    let isSafe = unicodeScalars.allSatisfy { !$0.isTerminalControl || $0 == "\n" || $0 == "\t" }
    return isSafe ? inSingleQuotes : inANSIQuotes
  }

  /// The text on one line, as `$'…'`, which bash and zsh read.
  package var inANSIQuotes: String {
    "$'" + unicodeScalars.map(Self.escapedInANSIQuotes).joined() + "'"
  }

  private static func escapedInANSIQuotes(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\t": "\\t"
    case "\n": "\\n"
    case "\r": "\\r"
    case "'", "\\": "\\\(scalar)"
    case _ where scalar.isTerminalControl:
      String(scalar).utf8.map { "\\x" + [$0].hexadecimal }.joined()
    default: String(scalar)
    }
  }
}

/// Quotes text as a word of a shell command.
package enum ShellWord {
  /// What no shell gives a meaning inside a word.
  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:@%+,=".utf8)

  /// The text, in single quotes if necessary, as every shell reads it.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy(plain.contains)
    return isPlain && !text.isEmpty ? text : text.inShellQuotes
  }

  /// The same on one line: tabs and line ends are written as `$'\t'`, which bash and zsh read.
  package static func quotedOnOneLine(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x09, 0x0A, 0x0D].contains($0) }) else {
      return quoted(text)
    }
    return text.inANSIQuotes
  }
}

/// Arranges the words of a command so that its argument parser reads them as they are meant.
package enum CommandWords {
  /// The arguments and the options; arguments that begin with `-` come last, after `--`.
  package static func arranged(_ arguments: [String], _ options: [String]) -> [String] {
    arguments.contains(where: isLikeOption)
      ? options + ["--"] + arguments : arguments + options
  }

  /// An option with its value, in one word if the value begins with `-`.
  package static func option(_ name: String, _ value: String?) -> [String] {
    guard let value else { return [name] }
    guard isLikeOption(value) else { return [name, value] }
    return [name.hasPrefix("--") ? "\(name)=\(value)" : name + value]
  }

  private static func isLikeOption(_ word: String) -> Bool {
    word.utf8.first == UInt8(ascii: "-") && word != "-"
  }
}
