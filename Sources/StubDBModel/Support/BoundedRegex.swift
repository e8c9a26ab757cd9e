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

  /// The expression as it was written.
  package var pattern: String { expression.pattern }

  /// Whether the expression is found in the text, nil where it was given up, and how many steps it took.
  ///
  /// A step is one report of progress, some ten thousand moves of ICU's engine: about a tenth of a millisecond.
  package func isFound(in text: String, steps limit: Int) -> (verdict: Bool?, steps: Int) {
    let range = NSRange(location: 0, length: text.utf16.count)
    var (isMatch, steps) = (false, 0)
    expression.enumerateMatches(in: text, options: [.reportProgress], range: range) {
      match, _, stop in
      isMatch = isMatch || match != nil
      steps += 1
      if isMatch || steps > limit { stop.pointee = true }
    }
    return (isMatch ? true : steps > limit ? nil : false, steps)
  }
}
