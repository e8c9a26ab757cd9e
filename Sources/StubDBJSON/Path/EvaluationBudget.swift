internal import StubDBSupport

/// How much work one evaluation may still do.
///
/// Belongs to the one call that made it.
final class EvaluationBudget {
  /// How many values may still be visited; below 0 once that was not enough.
  private(set) var left: Int

  /// The expressions that were compiled, by their text; nil for one that is none.
  private var expressions: [String: InteroperableRegex?] = [:]
  private static let mostExpressions = 100

  init(_ limit: Int) { left = limit }

  var isExhausted: Bool { left < 0 }

  /// Takes the visit of so many values; false once there is nothing left.
  func take(_ count: Int) -> Bool {
    left = left < 0 ? left : left - count
    return left >= 0
  }

  /// A regular expression, compiled once however many values it is asked about.
  func expression(_ pattern: String, isWhole: Bool) -> InteroperableRegex? {
    let key = (isWhole ? "=" : "~") + pattern
    if let known = expressions[key] { return known }
    let expression = InteroperableRegex(pattern, isWhole: isWhole)
    if expressions.count < Self.mostExpressions { expressions[key] = .some(expression) }
    return expression
  }

  /// Gives up.
  func exhaust() { left = -1 }
}
