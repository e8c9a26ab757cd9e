internal import Foundation

/// A regular expression of the interoperable dialect, run by Foundation's engine.
///
/// https://www.rfc-editor.org/rfc/rfc9485
struct InteroperableRegex {
  private let expression: NSRegularExpression

  /// Nil where the text is not a regular expression, which in RFC 9535 matches nothing.
  init?(_ pattern: String, isWhole: Bool) {
    let translated = Self.translate(pattern)
    guard
      let expression = try? NSRegularExpression(
        pattern: isWhole ? "\\A(?:\(translated))\\z" : translated)
    else { return nil }
    self.expression = expression
  }

  func matches(_ text: String) -> Bool {
    expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
  }

  /// In the dialect a dot is anything but a line feed and a carriage return.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9485#section-5.3
  private static func translate(_ pattern: String) -> String {
    var result = ""
    var isEscaped = false
    var isInClass = false
    for character in pattern.unicodeScalars {
      if isEscaped {
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "[" {
        isInClass = true
      } else if character == "]" {
        isInClass = false
      } else if character == ".", !isInClass {
        result += "[^\\n\\r]"
        continue
      }
      result.unicodeScalars.append(character)
    }
    return result
  }
}
