internal import Foundation
internal import StubDBSupport

extension String {
  /// What follows a scalar at the beginning; nil if the text begins with another one.
  func without(prefix: Unicode.Scalar) -> String? {
    unicodeScalars.first == prefix ? String(unicodeScalars.dropFirst()) : nil
  }
}

/// The value of `--form`, with what follows it behind semicolons.
///
/// Scalars are looked at: a quotation mark with a combining mark after it still ends the quotes.
struct FormValue {
  /// The value without its options and its quotes; of a file its path, with the mark before it.
  private(set) var text: String
  private(set) var filename: String?
  /// Whether a file is sent, and not only its content.
  let isFile: Bool
  /// The file whose content is sent; nil for a value that stands there.
  private(set) var path: String?

  init(_ value: String) {
    let segments = Self.segments(of: value)
    var hasType = false
    for option in segments.dropFirst() {
      if option.starts(with: "filename=".unicodeScalars) {
        filename = Self.unquoted(option.dropFirst(9))
      }
      if option.starts(with: "type=".unicodeScalars) { hasType = true }
    }
    let first = value.unicodeScalars.first
    isFile = first == "@"
    let isRead = isFile || first == "<"
    // Without any of these, a semicolon is a part of the value.
    let hasOptions = isRead || first == "\"" || filename != nil || hasType
    let whole = hasOptions ? segments[0] : value.unicodeScalars[...]
    text = isRead ? String(whole) : Self.unquoted(whole)
    if isRead { path = Self.unquoted(whole.dropFirst()) }
  }

  /// The value and its options: what `;` divides outside of double quotes.
  private static func segments(of value: String) -> [Substring.UnicodeScalarView] {
    let text = value.unicodeScalars[...]
    var segments: [Substring.UnicodeScalarView] = []
    var (start, place) = (text.startIndex, text.startIndex)
    var isQuoted = false
    while place < text.endIndex {
      switch text[place] {
      case "\"": isQuoted.toggle()
      case "\\" where isQuoted:
        let next = text.index(after: place)
        if next < text.endIndex { place = next }
      case ";" where !isQuoted:
        segments.append(text[start..<place])
        start = text.index(after: place)
      default: break
      }
      place = text.index(after: place)
    }
    return segments + [text[start...]]
  }

  /// A text without its double quotes, in which `\"` and `\\` represent a quote and a backslash.
  private static func unquoted(_ text: Substring.UnicodeScalarView) -> String {
    guard text.first == "\"", text.last == "\"", text.dropFirst().first != nil else {
      return String(text)
    }
    var plain = String.UnicodeScalarView()
    var rest = text.dropFirst().dropLast()
    while let scalar = rest.popFirst() {
      if scalar == "\\", let next = rest.first, next == "\"" || next == "\\" {
        plain.append(rest.removeFirst())
      } else {
        plain.append(scalar)
      }
    }
    return String(plain)
  }
}

/// The values of `--data-urlencode` and `--url-query`.
enum URLEncodedData {
  /// `content`, `=content`, `name=content`, `@file` or `name@file`; the content is percent-encoded.
  static func text(
    _ value: String, plainMark: Unicode.Scalar? = nil, read: (String) throws -> Data
  ) throws -> String {
    if let text = plainMark.flatMap(value.without) { return text }
    let scalars = value.unicodeScalars
    guard let mark = scalars.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
      return value.utf8.percentEncoded()
    }
    let name = String(scalars[..<mark])
    let rest = String(scalars[mark...].dropFirst())
    let content = scalars[mark] == "=" ? Data(rest.utf8) : try read(rest)
    return (name.isEmpty ? "" : name + "=") + content.percentEncoded()
  }
}
