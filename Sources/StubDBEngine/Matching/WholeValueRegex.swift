import Foundation
import StubDBModel

/// A regular expression that the whole of a value has to match.
///
/// `.` matches line ends too, as in WireMock. Matching gives up on values longer than ``maximumLength`` and after
/// ``maximumSteps``, since an expression such as `(a+)+b` can take longer than anybody waits.
struct WholeValueRegex: Sendable {
  /// The longest value that is looked at, in UTF-8 bytes.
  static let maximumLength = 256 * 1024
  /// How often the expression may report progress, some tenths of a second in all.
  static let maximumSteps = 2_000

  private let expression: BoundedRegex

  /// Compiles the expression; nil where it is not one.
  init?(_ pattern: String) {
    let options: BoundedRegex.Options = [.dotMatchesLineSeparators]
    // Alone first: `a)|(b` is no expression, but would become one inside the group.
    if pattern.utf8.contains(UInt8(ascii: ")")), BoundedRegex(pattern, options) == nil {
      return nil
    }
    // The second form is for `(?x)` with a comment at its end, which would swallow the bracket.
    for whole in ["\\A(?:\(pattern))\\z", "\\A(?:\(pattern)\n)\\z"] {
      if let expression = BoundedRegex(whole, options) {
        self.expression = expression
        return
      }
    }
    return nil
  }

  /// The expression in the form in which it matches whole values.
  var pattern: String { expression.pattern }

  /// Whether the whole value matches, nil where it was given up, and how many steps it took.
  func matches(_ value: String, steps limit: Int = maximumSteps) -> (verdict: Bool?, steps: Int) {
    guard value.utf8.count <= Self.maximumLength else { return (nil, 0) }
    return expression.isFound(in: value, steps: limit)
  }
}
