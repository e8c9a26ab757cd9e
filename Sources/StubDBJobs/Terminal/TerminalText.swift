package import StubDBSupport

/// Text from a catalog made safe for a terminal.
///
/// A catalog may come from an untrusted source. Control characters, which could move the cursor or rename the window,
/// are shown as escapes.
package enum TerminalText {
  /// The text on one line.
  package static func line(_ text: String) -> String {
    guard !text.isPlain, text.unicodeScalars.contains(where: \.isTerminalControl) else {
      return text
    }
    return escaped(text) { _ in false }
  }

  /// The text, with its line ends and tabs.
  package static func lines(_ text: String) -> String {
    escaped(text) { $0 == "\n" || $0 == "\t" }
  }

  /// The text in double quotes, on one line, shortened if it is very long.
  package static func quoted(_ text: String, limit: Int = 300) -> String {
    "\"\(line(shortened(text, limit: limit)))\""
  }

  /// The text in double quotes, on one line, in full length.
  package static func value(_ text: String) -> String { quoted(text, limit: .max) }

  /// The text, or its beginning and `…`.
  package static func shortened(_ text: String, limit: Int) -> String {
    text.count <= limit ? text : text.prefix(limit) + "…"
  }

  private static func escaped(_ text: String, except: (Unicode.Scalar) -> Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case _ where !scalar.isTerminalControl || except(scalar): result.unicodeScalars.append(scalar)
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default: result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      }
    }
    return result
  }
}

extension Collection<String> {
  /// The first of the lines, and how many there are besides.
  package func cut(to count: Int) -> [String] {
    Array(prefix(count)) + CutList.end(self.count - count)
  }
}

/// The end of a list of which only the beginning is shown.
package enum CutList {
  /// The line that says how many there are besides; none if there are no others.
  package static func end(_ rest: Int, indent: String = "", hint: String? = nil) -> [String] {
    rest > 0 ? ["\(indent)...\(Plural.more(rest))" + (hint.map { "; \($0)" } ?? "")] : []
  }
}

extension Plural {
  /// A text such as `1 byte`, `900 bytes` or `12 KB`.
  package static func bytes(_ count: Int) -> String {
    switch count {
    case ..<10_000: of(count, "byte")
    case ..<10_000_000: "\(count / 1000) KB"
    default: "\(count / 1_000_000) MB"
    }
  }
}
