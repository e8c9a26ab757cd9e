internal import Foundation
internal import StubDBSupport

/// A variable of a shell that has no value, inside a text.
///
/// It stands there as its name between two scalars that no text has, because Unicode keeps them for such uses.
/// https://www.unicode.org/faq/private_use.html#noncharacters
enum OpenVariable {
  private static let start = Unicode.Scalar(0xFDD0 as UInt32) ?? "\u{FFFD}"
  private static let end = Unicode.Scalar(0xFDD1 as UInt32) ?? "\u{FFFD}"
  /// The same in the path of a URL.
  private static let encodedStart = "%EF%B7%90"
  private static let encodedEnd = "%EF%B7%91"
  /// How many variables a text may have that becomes an expression: matching one more takes ever longer.
  private static let maximumCount = 50

  /// A part of a text: as it is, or the name of a variable.
  enum Part: Equatable {
    case text(String)
    case variable(String)
  }

  static func marked(_ name: String) -> String { "\(start)\(name)\(end)" }

  /// The text with its `$NAME` and `${NAME}` marked.
  static func marked(allIn text: String) -> String {
    guard text.contains("$"),
      let regex = try? NSRegularExpression(pattern: #"\$(?:\{(\w+)\}|([A-Za-z_]\w*))"#)
    else { return text }
    let whole = NSRange(text.startIndex..., in: text)
    return regex.stringByReplacingMatches(
      in: text, range: whole, withTemplate: "\(start)$1$2\(end)")
  }

  /// Whether the text is one variable and nothing else.
  static func isWhole(_ text: String) -> Bool {
    guard isIn(text) else { return false }
    let parts = parts(of: text)
    guard case .variable = parts.first else { return false }
    return parts.count == 1
  }

  static func isIn(_ text: String) -> Bool {
    ByteText.contains(text, String(start)) || ByteText.contains(text, encodedStart)
  }

  /// The parts of a text, also of one in percent-encoding.
  static func parts(of text: String) -> [Part] {
    let plain =
      ByteText.contains(text, encodedStart)
      ? text.replacingOccurrences(of: encodedStart, with: String(start))
        .replacingOccurrences(of: encodedEnd, with: String(end)) : text
    var parts: [Part] = []
    var rest = Substring(plain).unicodeScalars
    while let open = rest.firstIndex(of: start) {
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      rest = rest[rest.index(after: open)...]
      let close = rest.firstIndex(of: end) ?? rest.endIndex
      parts.append(.variable(String(rest[..<close])))
      rest = close < rest.endIndex ? rest[rest.index(after: close)...] : rest[close...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    return parts
  }

  /// The text with the values that are known.
  static func filled(_ text: String, _ value: (String) -> String?) -> String {
    guard isIn(text) else { return text }
    return parts(of: text).map { part in
      switch part {
      case .text(let text): text
      case .variable(let name): value(name) ?? marked(name)
      }
    }.joined()
  }

  /// The text as it was written, for messages.
  static func written(_ text: String) -> String { filled(text) { "$\($0)" } }

  /// A regular expression for the text with any values, `some` for each of them.
  ///
  /// - Throws: ``Untranslatable`` for a text with too many variables.
  static func expression(for text: String, some: String = "[\\s\\S]*") throws -> String {
    var pieces: [String] = []
    var count = 0
    for part in parts(of: text) {
      switch part {
      case .text(let text):
        pieces.append(ForeignExpression.quoted(text))
      // Two variables beside each other have the values of one.
      case .variable where pieces.last == some: continue
      case .variable:
        count += 1
        guard count <= maximumCount else {
          throw Untranslatable("a text with more than \(maximumCount) variables")
        }
        pieces.append(some)
      }
    }
    return pieces.joined()
  }
}
