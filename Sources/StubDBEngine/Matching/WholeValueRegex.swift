import StubDBSupport

/// A regular expression that must match a whole value.
///
/// The dialect is Java's, as in WireMock: `.` matches line ends too. Matching is given up for values longer than
/// ``maximumLength`` and after ``BoundedRegex/maximumCost``, since an expression such as `(a+)+b` can take practically for ever.
struct WholeValueRegex: Sendable {
  /// The longest value that is examined, in UTF-8 bytes.
  static let maximumLength = 256 * 1024

  private let expression: BoundedRegex

  /// Compiles an expression of Java's dialect.
  ///
  /// - Throws: A ``RegexSyntaxError`` with the reason.
  init(_ pattern: String) throws(RegexSyntaxError) {
    expression = try BoundedRegex(pattern, dialect: .java, isWhole: true)
  }

  /// Identifies the expression; copies have the same identity.
  var identity: ObjectIdentifier { expression.identity }

  /// Whether the whole value matches; nil if that was given up.
  ///
  /// The cost is taken off the limit.
  func matches(_ value: String, visiting limit: inout Int) -> Bool? {
    guard value.utf8.count <= Self.maximumLength else { return nil }
    return expression.isFound(in: value, visiting: &limit)
  }
}
