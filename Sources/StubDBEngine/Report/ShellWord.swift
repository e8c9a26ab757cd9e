internal import StubDBModel
internal import StubDBSupport

/// Quotes text as a word of a shell command.
package enum ShellWord {
  /// The text, in single quotes if necessary, as every shell reads it.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      byte.isASCIILetter || byte.isASCIIDigit || "-_./:@%+,=".utf8.contains(byte)
    }
    if isPlain, !text.isEmpty { return text }
    return text.inShellQuotes
  }

  /// The same on one line: tabs and line ends are written as `$'\t'`, which bash and zsh read.
  static func quotedOnOneLine(_ text: String) -> String {
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
