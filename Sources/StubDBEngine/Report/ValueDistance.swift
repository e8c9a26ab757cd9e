import StubDBJSON
import StubDBModel

/// How far values are from a pattern that they do not satisfy.
struct ValueDistance {
  private let values: ValueMatching
  private let context: MatchContext

  init(_ values: ValueMatching, _ context: MatchContext) {
    self.values = values
    self.context = context
  }

  /// From 0 to 1; of several values the nearest counts, and none at all is as far as can be.
  func between(_ texts: [String], _ pattern: ValuePattern) -> Double {
    texts.prefix(100).map { between($0, pattern) }.min() ?? 1
  }

  private func between(_ text: String, _ pattern: ValuePattern) -> Double {
    switch pattern {
    case .equalTo(let expected, _): return TextDistance.between(expected, text)
    case .number(_, let expected):
      return NumberText.number(text).map { max(0.05, NumberText.distance($0, expected)) } ?? 1
    case .date(_, let date):
      return values.operands.dates[date].map { max(0.05, $0.distance(text, now: context.now)) }
        ?? 1
    case .and(let patterns):
      let distances = patterns.map { pattern in
        values.matches(text, pattern, in: context) == true ? 0 : between(text, pattern)
      }
      return distances.reduce(0, +) / Double(max(1, distances.count))
    case .or(let patterns): return patterns.map { between(text, $0) }.min() ?? 1
    case .hasExactly(let patterns), .includes(let patterns):
      let missing = patterns.count { values.matches(text, $0, in: context) != true }
      return Double(max(1, missing)) / Double(max(1, patterns.count))
    default: return 1
    }
  }
}
