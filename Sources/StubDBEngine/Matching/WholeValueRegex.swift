import Foundation
import StubDBModel
import StubDBSupport

/// A regular expression that the whole of a value has to match.
///
/// The language is Java's, as in WireMock: `.` matches line ends too. Matching gives up on values longer than ``maximumLength`` and after
/// ``maximumSteps``, since an expression such as `(a+)+b` can take longer than anybody waits.
struct WholeValueRegex: Sendable {
  /// The longest value that is looked at, in UTF-8 bytes.
  static let maximumLength = 256 * 1024
  /// How often the expression may report progress, some tenths of a second in all.
  static let maximumSteps = 2_000

  private let expression: BoundedRegex

  /// Compiles an expression of Java's language.
  ///
  /// - Throws: A ``RegexSyntaxError`` with the reason.
  init(_ pattern: String) throws(RegexSyntaxError) {
    expression = try BoundedRegex(pattern, dialect: .java, isWhole: true)
  }

  /// What tells the expression from others; copies have the same one.
  var identity: ObjectIdentifier { expression.identity }

  /// Whether the whole value matches, nil where it was given up, and how many steps it took.
  func matches(_ value: String, steps limit: Int = maximumSteps) -> (verdict: Bool?, steps: Int) {
    guard value.utf8.count <= Self.maximumLength else { return (nil, 0) }
    return expression.isFound(in: value, steps: limit)
  }
}
