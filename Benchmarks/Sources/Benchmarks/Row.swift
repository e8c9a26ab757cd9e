/// One measured line of the report: a figure, and the budget it must keep.
struct Row: Codable {
  /// What was measured.
  var name: String
  /// What was compared, in words with units.
  var detail: String
  /// The figure the budget is about: a ratio, a rate or a time.
  var figure: Double
  /// The budget, as text.
  var budget: String
  /// Whether the figure keeps the budget.
  var isKept: Bool

  /// A figure that must not be above the limit.
  static func atMost(
    _ limit: Double, _ figure: Double, unit: String = "x", name: String, detail: String
  ) -> Row {
    Row(
      name: name, detail: detail, figure: figure, budget: "at most \(format(limit))\(unit)",
      isKept: figure <= limit)
  }

  /// A figure that must not be below the limit.
  static func atLeast(
    _ limit: Double, _ figure: Double, unit: String = "x", name: String, detail: String
  ) -> Row {
    Row(
      name: name, detail: detail, figure: figure, budget: "at least \(format(limit))\(unit)",
      isKept: figure >= limit)
  }
}

/// A number with as many digits as a reader wants.
func format(_ value: Double) -> String {
  let digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  let scale = [1.0, 10, 100][digits]
  let rounded = (value * scale).rounded() / scale
  return digits == 0 || rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
}
