package import Foundation

/// A regular expression of ICU that stops looking after a number of steps.
///
/// Without the bound an expression such as `(a+)+b` can take longer than anybody waits.
package struct BoundedRegex: Sendable {
  package typealias Options = NSRegularExpression.Options

  private let expression: NSRegularExpression

  /// Compiles the expression; nil where it is not one.
  package init?(_ pattern: String, _ options: Options = []) {
    guard let expression = try? NSRegularExpression(pattern: pattern, options: options) else {
      return nil
    }
    self.expression = expression
  }

  /// Compiles an expression of another language: found anywhere, or matching whole texts.
  ///
  /// - Throws: A ``RegexSyntaxError`` with the reason, and with the place unless only ICU refuses it.
  package init(
    _ pattern: String, dialect: RegexTranslator.Dialect, isWhole: Bool
  ) throws(RegexSyntaxError) {
    let translated = try RegexTranslator.translate(pattern, from: dialect)
    guard
      let expression = try? NSRegularExpression(
        pattern: isWhole ? "\\A(?:\(translated))\\z" : translated,
        options: .dotMatchesLineSeparators)
    else {
      throw RegexSyntaxError(message: "ICU, which runs it, refuses it", offset: nil)
    }
    self.expression = expression
  }

  /// The expression as ICU runs it.
  package var pattern: String { expression.pattern }

  /// Whether the expression is found in the text, nil where it was given up, and how many steps it took.
  ///
  /// A step is one report of progress, some ten thousand moves of ICU's engine: about a tenth of a millisecond. ICU
  /// gives up by itself where an expression such as `(a|b)*` needs more than its stack on a long text.
  package func isFound(in text: String, steps limit: Int) -> (verdict: Bool?, steps: Int) {
    let range = NSRange(location: 0, length: text.utf16.count)
    var (verdict, steps): (Bool?, Int) = (false, 0)
    expression.enumerateMatches(
      in: text, options: [.reportProgress, .reportCompletion], range: range
    ) { match, flags, stop in
      if match != nil {
        verdict = true
      } else if flags.contains(.internalError) {
        verdict = nil
      } else if flags.contains(.progress) {
        steps += 1
        if steps > limit { verdict = nil }
      }
      if verdict != false { stop.pointee = true }
    }
    return (verdict, steps)
  }

  /// What the expression matches in the text, and how many steps it took.
  ///
  /// Of each match the first group that took part and is not empty; the whole match if no group took part.
  /// The matches are nil if finding them was given up after the limit.
  package func values(in text: String, steps limit: Int) -> (values: [Substring]?, steps: Int) {
    let range = NSRange(location: 0, length: text.utf16.count)
    var values: [Substring] = []
    var (isGivenUp, steps) = (false, 0)
    expression.enumerateMatches(
      in: text, options: [.reportProgress, .reportCompletion], range: range
    ) { match, flags, stop in
      if let match {
        let groups = (0..<match.numberOfRanges).dropFirst().map { match.range(at: $0) }
          .filter { $0.location != NSNotFound }
        let selected = groups.first { $0.length > 0 } ?? groups.first ?? match.range
        if let range = Range(selected, in: text) { values.append(text[range]) }
      } else if flags.contains(.internalError) {
        isGivenUp = true
      } else if flags.contains(.progress) {
        steps += 1
        if steps > limit { isGivenUp = true }
      }
      if isGivenUp { stop.pointee = true }
    }
    return (isGivenUp ? nil : values, steps)
  }

  /// The first text that the expression finds, then its groups, empty for those that took no part; nil if nothing is found
  /// within the steps.
  package func groups(in text: String, steps limit: Int) -> (groups: [String]?, steps: Int) {
    let range = NSRange(location: 0, length: text.utf16.count)
    var (groups, steps): ([String]?, Int) = (nil, 0)
    expression.enumerateMatches(in: text, options: .reportProgress, range: range) {
      match, flags, stop in
      if let match {
        groups = (0..<match.numberOfRanges).map { group in
          Range(match.range(at: group), in: text).map { String(text[$0]) } ?? ""
        }
      } else if flags.contains(.progress) {
        steps += 1
      }
      if groups != nil || steps > limit { stop.pointee = true }
    }
    return (groups, steps)
  }
}
