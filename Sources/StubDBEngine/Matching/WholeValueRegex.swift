import Foundation

/// A regular expression that the whole of a value has to match.
///
/// `.` matches line ends too, as in WireMock. Matching gives up on values longer than ``maximumLength`` and after
/// ``maximumSteps``, since an expression such as `(a+)+b` can take longer than anybody waits.
struct WholeValueRegex: Sendable {
  /// The longest value that is looked at, in UTF-8 bytes.
  static let maximumLength = 256 * 1024
  /// How often the expression may report progress, some tenths of a second in all.
  static let maximumSteps = 2_000

  private let expression: NSRegularExpression

  /// Compiles the expression; nil where it is not one.
  init?(_ pattern: String) {
    let options: NSRegularExpression.Options = [.dotMatchesLineSeparators]
    // Alone first: `a)|(b` is no expression, but would become one inside the group.
    if pattern.utf8.contains(UInt8(ascii: ")")),
      (try? NSRegularExpression(pattern: pattern, options: options)) == nil
    {
      return nil
    }
    // The second form is for `(?x)` with a comment at its end, which would swallow the bracket.
    for whole in ["\\A(?:\(pattern))\\z", "\\A(?:\(pattern)\n)\\z"] {
      if let expression = try? NSRegularExpression(pattern: whole, options: options) {
        self.expression = expression
        return
      }
    }
    return nil
  }

  /// Whether the whole value matches; nil where it was given up.
  func matches(_ value: String) -> Bool? {
    let length = value.utf8.count
    guard length <= Self.maximumLength else { return nil }
    let range = NSRange(location: 0, length: value.utf16.count)
    var (isMatch, steps) = (false, 0)
    expression.enumerateMatches(in: value, options: [.reportProgress], range: range) {
      match, _, stop in
      isMatch = isMatch || match != nil
      steps += 1
      if isMatch || steps > Self.maximumSteps { stop.pointee = true }
    }
    return isMatch ? true : steps > Self.maximumSteps ? nil : false
  }
}
