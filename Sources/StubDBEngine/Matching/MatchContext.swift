import Foundation
import StubDBModel
import StubDBSupport

/// What the matching of one request shares: the time it came, and how much work may still be done for it.
///
/// Belongs to the one call that made it.
final class MatchContext {
  /// How often regular expressions may report progress while they look at one request: some seconds in all.
  static let maximumSteps = 12_000
  /// How many values JSONPath, JSON Schema and XPath may visit for one request, besides two for each byte of its content.
  private static let visits = 2_000_000
  /// How many each of them may visit even when the others have visited too many.
  private static let fewestVisits = 10_000
  /// What each expression may use, on all values together, once the steps of the request are used up.
  private static let allowance = 20

  /// When the request came.
  private(set) lazy var now = DateTime(arrival ?? Date())
  private let arrival: Date?
  private var stepsLeft = MatchContext.maximumSteps
  /// What expressions have used of their allowance.
  private var allowanceUsed: [ObjectIdentifier: Int] = [:]
  private var visitsLeft = MatchContext.visits
  private var hasLargeStack = false

  /// Begins the matching of a request that came at that time; nil means now.
  init(arrival: Date? = nil) {
    self.arrival = arrival
  }

  /// Whether the value matches the expression; nil where that takes too long.
  func matches(_ value: String, _ expression: WholeValueRegex) -> Bool? {
    guard stepsLeft < Self.allowance else {
      let limit = min(WholeValueRegex.maximumSteps, stepsLeft)
      let (verdict, steps) = expression.matches(value, steps: limit)
      stepsLeft -= steps
      return verdict
    }
    let used = allowanceUsed[expression.identity, default: 0]
    guard used < Self.allowance else { return nil }
    let (verdict, steps) = expression.matches(value, steps: Self.allowance - used)
    if steps > 0 { allowanceUsed[expression.identity] = used + steps }
    return verdict
  }

  /// The first text that an expression finds and its groups, empty for those that took no part; nil if there is none or
  /// if that takes too long.
  func groups(of expression: BoundedRegex, in text: String) -> [String]? {
    guard text.utf8.count <= WholeValueRegex.maximumLength, stepsLeft > 0 else { return nil }
    let (groups, steps) = expression.groups(
      in: text, steps: min(WholeValueRegex.maximumSteps, stepsLeft))
    stepsLeft -= steps
    return groups
  }

  /// Allows for the visits that a content of this size may need.
  func allow(byteCount: Int) { visitsLeft += 2 * byteCount }

  /// Gives half of the visits that are left to something that takes what it visits off its limit.
  func visiting<Result>(_ work: (_ limit: inout Int) -> Result) -> Result {
    let granted = max(Self.fewestVisits, visitsLeft / 2)
    var limit = granted
    let result = work(&limit)
    visitsLeft -= granted - max(0, limit)
    return result
  }

  /// Does work that goes as deep as the content: on a larger stack where that is deep and this is not done yet.
  func going<Result>(deep isDeep: Bool, _ work: () -> Result) -> Result {
    guard isDeep, !hasLargeStack else { return work() }
    hasLargeStack = true
    defer { hasLargeStack = false }
    // A thread of its own knows nothing of the caller's task.
    let showsSecrets = SecretDisplay.isShown
    return LargeStack.run { SecretDisplay.$isShown.withValue(showsSecrets, operation: work) }
  }
}
