import Foundation
import StubDBJSON
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
    Terminal.current.columns.map { beginning(text, columns: $0) } ?? text
  }

  /// The text, or as much of its beginning as fits and `…`.
  static func beginning(_ text: String, columns: Int) -> String {
    // A character is at most two columns wide and has at least one byte.
    guard text.utf8.count > columns, text.columns > columns else { return text }
    var (result, rest) = ("", columns - 1)
    for character in text {
      rest -= character.columns
      if rest < 0 { break }
      result.append(character)
    }
    return result + "…"
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
    guard let hit else { return beginning(line, columns: columns) }
    let margin = max(0, columns - wanted.columns) / 3
    let start = line.index(hit.lowerBound, offsetBy: -margin, limitedBy: line.startIndex)
    guard let start, start > line.startIndex else { return beginning(line, columns: columns) }
    return "…" + beginning(String(line[start...]), columns: columns - 1)
  }
}

extension String {
  /// The number of terminal columns that the text occupies.
  var columns: Int { isPlain ? utf8.count : reduce(0) { $0 + $1.columns } }

  /// Whether the text is printable ASCII, as most is; finding characters takes much longer than this.
  fileprivate var isPlain: Bool {
    let isPlain = utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { (0x20..<0x7F).contains($0) }
    }
    return isPlain ?? utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  }
}

extension Character {
  /// The ranges of East Asian wide and full-width characters and of emoji.
  /// https://www.unicode.org/reports/tr11/
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F1E6...0x1F1FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
    0x1F7E0...0x1F7EB, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
  ]
  /// The wide ones among the symbols below U+2E80, most of which are narrow.
  private static let wideSymbols: [ClosedRange<UInt32>] = [
    0x231A...0x231B, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3, 0x25FD...0x25FE,
    0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1,
    0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4,
    0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD,
    0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E,
    0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797, 0x27B0...0x27B0, 0x27BF...0x27BF,
    0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55,
  ]

  /// The number of terminal columns that the character occupies.
  fileprivate var columns: Int {
    if isASCII { return 1 }
    guard let scalar = unicodeScalars.first?.value else { return 0 }
    let ranges = (0x2300..<0x2C00).contains(scalar) ? Self.wideSymbols : Self.wide
    return ranges.contains { $0.contains(scalar) } ? 2 : 1
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
