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
