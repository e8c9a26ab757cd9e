import Foundation

/// What the matching of one request shares: the time it came, and the work that is left for regular expressions.
///
/// Belongs to the one call that made it.
final class MatchContext {
  /// How often regular expressions may report progress while they look at one request: some seconds in all.
  static let maximumSteps = 12_000
  /// What each expression may use even when the others have used up everything.
  private static let allowance = 20

  /// When the request came.
  private(set) lazy var now = DateTime(arrival ?? Date())
  private let arrival: Date?
  private var stepsLeft = MatchContext.maximumSteps

  /// Begins the matching of a request that came at that time; nil means now.
  init(arrival: Date? = nil) {
    self.arrival = arrival
  }

  /// Whether the value matches the expression; nil where that takes too long.
  func matches(_ value: String, _ expression: WholeValueRegex) -> Bool? {
    let limit = max(Self.allowance, min(WholeValueRegex.maximumSteps, stepsLeft))
    let (verdict, steps) = expression.matches(value, steps: limit)
    stepsLeft -= steps
    return verdict
  }
}
