import StubDBModel

/// Text as one word of a shell command.
enum ShellWord {
  /// The text, in single quotes unless a shell takes it as it is.
  static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      byte.isASCIILetter || byte.isASCIIDigit || "-_./:@%+,=".utf8.contains(byte)
    }
    if isPlain, !text.isEmpty { return text }
    return "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
