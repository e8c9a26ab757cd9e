internal import StubDBSupport

/// Shortens texts of any length for messages, and removes secrets.
package enum TextExcerpt {
  /// How many bytes of a text are shown.
  static let limit = 200
  /// How many bytes around an excerpt are searched for secrets that reach into it.
  private static let surroundings = 16 * 1024

  /// The text in quotes, with control characters escaped, shortened at the end if it is long.
  package static func quoted(_ text: String) -> String {
    cut(text, around: 0, isQuoted: true)
  }

  /// The same without quotes.
  static func plain(_ text: String) -> String {
    cut(text, around: 0, isQuoted: false)
  }

  /// Two texts in quotes; long ones are shortened around their first difference.
  ///
  /// If they look the same, the actual one says in which code points they differ.
  static func quoted(_ expected: String, _ actual: String) -> (expected: String, actual: String) {
    var texts = excerpts(expected, actual)
    texts.actual += composition(expected, actual)
    return texts
  }

  /// The first character that two texts compose of other code points; empty if they differ in more than that.
  private static func composition(_ expected: String, _ actual: String) -> String {
    // Secrets are not shown, nor what they are made of.
    guard expected == actual, SecretDisplay.isShown || SecretSearch.hidden(expected) == expected,
      let (left, right) = zip(expected, actual).first(where: {
        !$0.unicodeScalars.elementsEqual($1.unicodeScalars)
      })
    else { return "" }
    func codePoints(_ character: Character) -> String {
      character.unicodeScalars.map { scalar in
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      }.joined(separator: " ")
    }
    return " (\(right) is \(codePoints(right)), expected is \(codePoints(left)))"
  }

  private static func excerpts(
    _ expected: String, _ actual: String
  ) -> (expected: String, actual: String) {
    guard max(expected.utf8.count, actual.utf8.count) > limit else {
      return (quoted(expected), quoted(actual))
    }
    let difference = ByteText.commonPrefixLength(expected, actual)
    return (
      cut(expected, around: difference, isQuoted: true),
      cut(actual, around: difference, isQuoted: true)
    )
  }

  private static func cut(_ text: String, around place: Int, isQuoted: Bool) -> String {
    let bytes = text.utf8
    let quote = isQuoted ? "\"" : ""
    guard bytes.count > limit else {
      return quote + visible(SecretDisplay.isShown ? text[...] : SecretSearch.hidden(text)[...])
        + quote
    }
    let start = boundary(text, place > limit / 2 ? min(place - 40, bytes.count - limit) : 0)
    let end = boundary(text, min(bytes.count, max(0, min(place - 40, bytes.count - limit)) + limit))
    let size = " (\(bytes.count) bytes)"
    return quote + (start > bytes.startIndex ? "…" : "")
      + visible(hidingSecrets(in: text, start..<max(start, end))[...])
      + (end < bytes.endIndex ? "…" : "") + quote + size
  }

  /// An excerpt of a long text; the surrounding text helps to find the secrets in it.
  private static func hidingSecrets(in text: String, _ range: Range<String.Index>) -> String {
    guard !SecretDisplay.isShown else { return String(text[range]) }
    let bytes = text.utf8
    let before = bytes[..<range.lowerBound].suffix(surroundings)
    let around = bytes[before.startIndex...].prefix(
      before.count + bytes[range].count + surroundings)
    let shown = before.count..<before.count + bytes[range].count
    let places = SecretSearch.places(in: Array(around)).compactMap { place in
      let range = place.range.clamped(to: shown)
      return range.isEmpty
        ? nil
        : SecretSearch.Place(
          range: range.lowerBound - shown.lowerBound..<range.upperBound - shown.lowerBound,
          needsQuotes: place.needsQuotes)
    }
    return SecretSearch.replaced(text[range], places)
  }

  /// The start of the character that contains the byte.
  private static func boundary(_ text: String, _ offset: Int) -> String.Index {
    var index = text.utf8.index(text.startIndex, offsetBy: offset)
    while index > text.startIndex, index < text.endIndex, text.utf8[index] & 0xC0 == 0x80 {
      index = text.utf8.index(before: index)
    }
    return index
  }

  /// The text on one line, with what is invisible as escapes.
  static func visible(_ text: Substring) -> String {
    guard text.unicodeScalars.contains(where: isInvisible) else { return String(text) }
    return text.unicodeScalars.map { scalar in
      switch scalar {
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      case _ where isInvisible(scalar): "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }.joined()
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
