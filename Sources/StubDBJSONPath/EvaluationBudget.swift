/// How much work one evaluation may still do.
///
/// Belongs to the one call that made it.
final class EvaluationBudget {
  /// How many values may still be visited; below 0 once that was not enough.
  private(set) var left: Int

  init(_ limit: Int) { left = limit }

  var isExhausted: Bool { left < 0 }

  /// Takes the visit of so many values; false once there is nothing left.
  func take(_ count: Int) -> Bool {
    left = left < 0 ? left : left - count
    return left >= 0
  }

  /// Gives up.
  func exhaust() { left = -1 }
}
