internal import Foundation
internal import StubDBSupport

/// A regular expression of the interoperable dialect, run by Foundation's engine.
///
/// https://www.rfc-editor.org/rfc/rfc9485
struct InteroperableRegex {
  private let expression: NSRegularExpression

  /// Nil if the text is not a valid regular expression, which in RFC 9535 matches nothing.
  init?(_ pattern: String, isWhole: Bool) {
    let translated = Self.translate(pattern)
    guard
      let expression = try? NSRegularExpression(
        pattern: isWhole ? "\\A(?:\(translated))\\z" : translated)
    else { return nil }
    self.expression = expression
  }

  /// How many progress callbacks an expression may take on one text: some tenths of a second.
  private static let maximumSteps = 2_000
  /// How many visits of values cost as much as one callback.
  private static let stepCost = 200

  /// Whether the text matches; false, with the budget exceeded, if that takes too long, as `(a+)+b` can.
  func matches(_ text: String, _ budget: EvaluationBudget) -> Bool {
    let range = NSRange(location: 0, length: text.utf16.count)
    var (isMatch, steps) = (false, 0)
    expression.enumerateMatches(
      in: text, options: [.reportProgress, .reportCompletion], range: range
    ) { match, flags, stop in
      isMatch = isMatch || match != nil
      if flags.contains(.progress) { steps += 1 }
      // ICU itself gives up on an expression that needs more than its stack.
      if steps > Self.maximumSteps || flags.contains(.internalError) { budget.exhaust() }
      if isMatch || !budget.take(Self.stepCost) { stop.pointee = true }
    }
    return isMatch
  }

  /// In this dialect, a dot matches any character except a line feed and a carriage return.
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
