import StubDBModel

/// Quotes text as a word of a shell command.
enum ShellWord {
  /// The text, in single quotes if necessary.
  ///
  /// Tabs and line ends are written as `$'\t'`, so that the command stays on one line.
  static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      byte.isASCIILetter || byte.isASCIIDigit || "-_./:@%+,=".utf8.contains(byte)
    }
    if isPlain, !text.isEmpty { return text }
    if text.utf8.contains(where: { [0x09, 0x0A, 0x0D].contains($0) }) {
      return "$'" + text.unicodeScalars.map(escaped).joined() + "'"
    }
    return "'" + text.replacing("'", with: "'\\''") + "'"
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\t": "\\t"
    case "\n": "\\n"
    case "\r": "\\r"
    case "'", "\\": "\\\(scalar)"
    default: String(scalar)
    }
  }
}
