import Foundation
import StubDBJSON
import StubDBJobs
import StubDBPublishing
import StubDBSupport

/// Text from a catalog made safe for a terminal.
///
/// A catalog may come from an untrusted source. Control characters, which could move the cursor or rename the window,
/// are shown as escapes.
enum TerminalText {
  /// The text on one line.
  static func line(_ text: String) -> String {
    guard !text.isPlain, text.unicodeScalars.contains(where: \.isTerminalControl) else {
      return text
    }
    return escaped(text) { _ in false }
  }

  /// The text, with its line ends and tabs.
  static func lines(_ text: String) -> String {
    escaped(text) { $0 == "\n" || $0 == "\t" }
  }

  /// The text in double quotes, on one line, shortened if it is very long.
  static func quoted(_ text: String, limit: Int = 300) -> String {
    "\"\(line(shortened(text, limit: limit)))\""
  }

  /// The text in double quotes, on one line, in full length.
  static func value(_ text: String) -> String { quoted(text, limit: .max) }

  /// The path of a file: relative if it is below the current folder.
  ///
  /// A published catalog that is read from the cache has its name in `stubdb.lock`, with which it was chosen.
  static func path(_ url: URL) -> String {
    PublishedCatalog.name(of: url) ?? line(CatalogLocator.relativePath(url))
  }

  /// The text, or its beginning and `…`.
  static func shortened(_ text: String, limit: Int) -> String {
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

/// Shortens long texts to the terminal; files and pipes get them whole.
enum Excerpt {
  /// A line of output, shortened to the width of the terminal.
  static func line(_ text: String) -> String {
    Terminal.current.columns.map { text.beginning(columns: $0) } ?? text
  }

  /// The text on one line, shortened so that the searched text is visible.
  static func around(_ wanted: String, in text: String, columns: Int) -> String {
    let line = TerminalText.line(
      text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    guard line.utf8.count > columns, line.columns > columns else { return line }
    let escaped = String(JSONValue.string(wanted).canonicalText.dropFirst().dropLast())
    let hit =
      line.range(of: wanted, options: .caseInsensitive)
      ?? line.range(of: escaped, options: .caseInsensitive)
    guard let hit else { return line.beginning(columns: columns) }
    let margin = max(0, columns - wanted.columns) / 3
    let start = line.index(hit.lowerBound, offsetBy: -margin, limitedBy: line.startIndex)
    guard let start, start > line.startIndex else { return line.beginning(columns: columns) }
    return "…" + String(line[start...]).beginning(columns: columns - 1)
  }
}

extension Plural {
  /// A text such as `1 byte`, `900 bytes` or `12 KB`.
  static func bytes(_ count: Int) -> String {
    switch count {
    case ..<10_000: of(count, "byte")
    case ..<10_000_000: "\(count / 1000) KB"
    default: "\(count / 1_000_000) MB"
    }
  }
}
