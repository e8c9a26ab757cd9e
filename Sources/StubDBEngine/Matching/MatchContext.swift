import Foundation
import StubDBModel
import StubDBSupport

/// The time of a request, and the work that may still be done to match it.
///
/// It belongs to the call that made it.
final class MatchContext {
  /// The limit on progress callbacks of regular expressions for one request: some seconds in all.
  static let maximumSteps = 12_000
  /// The limit on values that JSONPath, JSON Schema and XPath visit for one request, besides two for each byte of
  /// content.
  private static let visits = 2_000_000
  /// How many values each of them may visit after the limit is exceeded.
  private static let fewestVisits = 10_000
  /// How many steps each expression may take, on all values together, after the steps of the request are used up.
  static let allowance = 20

  /// The time when the request came.
  private(set) lazy var now = DateTime(arrival ?? Date())
  let arrival: Date?
  private var stepsLeft: Int
  /// All steps of regular expressions so far.
  private(set) var stepsTaken = 0
  /// The steps that each expression has taken of its allowance.
  private var allowanceUsed: [ObjectIdentifier: Int] = [:]
  private var visitsLeft = MatchContext.visits
  private var hasLargeStack = false

  /// Begins matching a request that came at the given time; nil means now.
  init(arrival: Date? = nil, steps: Int = maximumSteps) {
    self.arrival = arrival
    stepsLeft = steps
  }

  /// Whether the value matches the expression; nil if that takes too long.
  func matches(_ value: String, _ expression: WholeValueRegex) -> Bool? {
    guard stepsLeft < Self.allowance else {
      let limit = min(WholeValueRegex.maximumSteps, stepsLeft)
      let (verdict, steps) = expression.matches(value, steps: limit)
      stepsLeft -= steps
      stepsTaken += steps
      return verdict
    }
    let used = allowanceUsed[expression.identity, default: 0]
    guard used < Self.allowance else { return nil }
    let (verdict, steps) = expression.matches(value, steps: Self.allowance - used)
    if steps > 0 { allowanceUsed[expression.identity] = used + steps }
    stepsTaken += steps
    return verdict
  }

  /// The first match of an expression and its groups; nil if there is none, or if that takes too long.
  ///
  /// A group that took no part is empty.
  func groups(of expression: BoundedRegex, in text: String) -> [String]? {
    guard text.utf8.count <= WholeValueRegex.maximumLength, stepsLeft > 0 else { return nil }
    let (groups, steps) = expression.groups(
      in: text, steps: min(WholeValueRegex.maximumSteps, stepsLeft))
    stepsLeft -= steps
    stepsTaken += steps
    return groups
  }

  /// Raises the limit on visits for content of this size.
  func allow(byteCount: Int) { visitsLeft += 2 * byteCount }

  /// Runs work with half of the remaining visits as its limit, and subtracts what it used.
  func visiting<Result>(_ work: (_ limit: inout Int) -> Result) -> Result {
    let granted = max(Self.fewestVisits, visitsLeft / 2)
    var limit = granted
    let result = work(&limit)
    visitsLeft -= granted - max(0, limit)
    return result
  }

  /// Runs recursive work, on a larger stack if the content is deep.
  func going<Result>(deep isDeep: Bool, _ work: () -> Result) -> Result {
    guard isDeep, !hasLargeStack else { return work() }
    hasLargeStack = true
    defer { hasLargeStack = false }
    // A new thread does not inherit the caller's task.
    let showsSecrets = SecretDisplay.isShown
    return LargeStack.run { SecretDisplay.$isShown.withValue(showsSecrets, operation: work) }
  }
}

/// A regular expression that must match a whole value.
///
/// The dialect is Java's, as in WireMock: `.` matches line ends too. Matching is given up for values longer than
/// ``maximumLength`` and after ``maximumSteps``, since an expression such as `(a+)+b` can take practically for ever.
struct WholeValueRegex: Sendable {
  /// The longest value that is examined, in UTF-8 bytes.
  static let maximumLength = 256 * 1024
  /// The limit on progress callbacks: some tenths of a second in all.
  static let maximumSteps = 2_000

  private let expression: BoundedRegex

  /// Compiles an expression of Java's dialect.
  ///
  /// - Throws: A ``RegexSyntaxError`` with the reason.
  init(_ pattern: String) throws(RegexSyntaxError) {
    expression = try BoundedRegex(pattern, dialect: .java, isWhole: true)
  }

  /// Identifies the expression; copies have the same identity.
  var identity: ObjectIdentifier { expression.identity }

  /// Whether the whole value matches, nil if that was given up, and the number of steps.
  func matches(_ value: String, steps limit: Int = maximumSteps) -> (verdict: Bool?, steps: Int) {
    guard value.utf8.count <= Self.maximumLength else { return (nil, 0) }
    return expression.isFound(in: value, steps: limit)
  }
}
