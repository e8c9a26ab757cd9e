internal import Foundation
package import StubDBSupport

/// Shortens long texts to the terminal; files and pipes get them whole.
package enum Excerpt {
  /// A line of output, shortened to the width of the terminal.
  package static func line(_ text: String) -> String {
    Terminal.current.columns.map { text.beginning(columns: $0) } ?? text
  }

  /// The text on one line, shortened so that the first of the searched texts that it contains is visible.
  package static func around(_ wanted: [String], in text: String, columns: Int) -> String {
    let line = TerminalText.line(
      text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    guard line.utf8.count > columns, line.columns > columns else { return line }
    let hits = wanted.lazy.compactMap { text in
      line.range(of: text, options: .caseInsensitive).map { (text, $0.lowerBound) }
    }
    guard let (found, hit) = hits.first else { return line.beginning(columns: columns) }
    let margin = max(0, columns - found.columns) / 3
    let start = line.index(hit, offsetBy: -margin, limitedBy: line.startIndex)
    guard let start, start > line.startIndex else { return line.beginning(columns: columns) }
    return "…" + String(line[start...]).beginning(columns: columns - 1)
  }
}

/// Shows the values of a difference on one line, shortened around the difference if there is a limit.
package enum ValueExcerpt {
  /// The limit in Markdown, because a comment has room for 64 KiB.
  package static let markdownLimit = 72

  /// The limit on a terminal, which also shows other columns; nil if the output is not a terminal.
  package static func room(beside columns: Int, values: Int = 1) -> Int? {
    let least = 24
    return Terminal.current.columns.map { max(least, ($0 - columns) / values) }
  }

  /// The texts of the old and the new value; `(nothing)` for a missing one.
  package static func pair(
    _ before: String?, _ after: String?, limit: Int?
  ) -> (before: String, after: String) {
    let (old, new) = distinct(shown(before), shown(after))
    // The length of the common prefix in characters.
    let start = zip(old, new).prefix { $0 == $1 }.count
    return (cut(old, from: start, to: limit), cut(new, from: start, to: limit))
  }

  /// The two texts; with escapes such as those of JSON where they would look the same and are not.
  package static func distinct(_ old: String, _ new: String) -> (String, String) {
    guard old == new, !old.hasSameBytes(as: new) else { return (old, new) }
    return (escaped(old), escaped(new))
  }

  private static func escaped(_ text: String) -> String {
    text.utf16.map { unit in
      guard unit >= 0x80 else { return String(UnicodeScalar(UInt8(unit))) }
      return "\\u" + String(UInt32(unit) + 0x10000, radix: 16).dropFirst()
    }.joined()
  }

  /// The text of one value.
  package static func of(_ value: String?, limit: Int?) -> String {
    cut(shown(value), from: 0, to: limit)
  }

  private static func shown(_ value: String?) -> String {
    value.map(TerminalText.line) ?? "(nothing)"
  }

  private static func cut(_ text: String, from start: Int, to limit: Int?) -> String {
    guard let limit, text.utf8.count > limit, text.count > limit else { return text }
    let skipped = max(0, min(start - limit / 3, text.count - limit))
    let shown = text.dropFirst(skipped)
    return (skipped > 0 ? "…" : "") + shown.prefix(limit) + (shown.count > limit ? "…" : "")
  }
}

extension CommandWords {
  /// Quoted words on lines that fit a terminal of 80 columns, joined by backslashes.
  package static func broken(_ words: [String]) -> String {
    var lines = [""]
    for word in words {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = (lines.count == 1 ? "" : "    ") + word
      } else if last.count + word.count + 3 <= 76 || last.count < 20 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append("    " + word)
      }
    }
    return lines.joined(separator: " \\\n")
  }
}
