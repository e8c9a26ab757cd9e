internal import StubDBSupport

/// The work that one evaluation may still do.
///
/// It belongs to the call that made it.
final class EvaluationBudget {
  /// The number of values that may still be visited; below 0 once the limit did not suffice.
  private(set) var left: Int

  /// The compiled expressions by their text; nil for a text that is not a valid expression.
  private var expressions: [String: InteroperableRegex?] = [:]
  private static let mostExpressions = 100

  init(_ limit: Int) { left = limit }

  var isExhausted: Bool { left < 0 }

  /// Counts the visit of some values; false once the limit is exceeded.
  func take(_ count: Int) -> Bool {
    left = left < 0 ? left : left - count
    return left >= 0
  }

  /// A regular expression, compiled once however many values it is applied to.
  func expression(_ pattern: String, isWhole: Bool) -> InteroperableRegex? {
    let key = (isWhole ? "=" : "~") + pattern
    if let known = expressions[key] { return known }
    let expression = InteroperableRegex(pattern, isWhole: isWhole)
    if expressions.count < Self.mostExpressions { expressions[key] = .some(expression) }
    return expression
  }

  /// Marks the budget as exceeded.
  func exhaust() { left = -1 }
}
