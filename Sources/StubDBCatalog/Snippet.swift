internal import Foundation

/// The text around a hit.
enum Snippet {
  /// How many characters stand on each side of the hit.
  private static let margin = 40

  /// The hit with what is around it, on one line; nil where the text does not hold it.
  static func text(around wanted: String, in text: String) -> String? {
    guard let range = text.range(of: wanted, options: .caseInsensitive) else { return nil }
    let start =
      text.index(range.lowerBound, offsetBy: -margin, limitedBy: text.startIndex)
      ?? text.startIndex
    let end =
      text.index(range.upperBound, offsetBy: margin, limitedBy: text.endIndex) ?? text.endIndex
    let line = text[start..<end].split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return (start == text.startIndex ? "" : "…") + line + (end == text.endIndex ? "" : "…")
  }
}
