internal import Foundation
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Finds values that satisfy a pattern: candidates are made, and the matcher decides.
enum ExampleValues {
  /// Values that many patterns accept.
  private static let common = [
    "any", "1", "a", "0", "A", "true", "abc123", "2026-01-01", "2026-01-01T00:00:00Z",
    "user@example.com", "00000000-0000-4000-8000-000000000000", "https://example.com",
    "Bearer token",
  ]
  /// How many candidates are tried for a pattern.
  private static let maximumCount = 64
  private static let maximumDepth = 16

  /// The first values that satisfy the pattern; empty for an absent value, nil if none were found.
  static func values(
    for pattern: ValuePattern, mayBeAbsent: Bool = true,
    where isUsable: (String) -> Bool = { _ in true }
  ) -> [String]? {
    candidates(pattern).prefix(maximumCount).first {
      (mayBeAbsent || !$0.isEmpty) && $0.allSatisfy(isUsable) && satisfies($0, pattern)
    }
  }

  /// The first one value that satisfies the pattern and a condition; nil if none was found.
  static func value(
    for pattern: ValuePattern, where isUsable: (String) -> Bool = { _ in true }
  ) -> String? {
    candidates(pattern).prefix(maximumCount).first {
      $0.count == 1 && isUsable($0[0]) && satisfies($0, pattern)
    }?.first
  }

  private static func satisfies(_ values: [String], _ pattern: ValuePattern) -> Bool {
    let query = values.map { "v=" + URLParts.encodedQuery($0) }.joined(separator: "&")
    return ExportedRun.matches(
      StubRequest(url: "http://example.test/?\(query)"),
      RequestPattern(query: [NamedPattern("v", pattern)]))
  }

  /// Values worth trying, the most telling first.
  private static func candidates(_ pattern: ValuePattern, depth: Int = 0) -> [[String]] {
    guard depth < maximumDepth else { return [] }
    let fallback = common.map { [$0] }
    switch pattern.storage {
    case .equalTo(let text, _), .contains(let text): return [[text.string]]
    case .absent: return [[]]
    case .anything, .doesNotContain, .doesNotMatch: return [[]] + fallback
    case .equalToCaptured: return []
    case .matches(let expression):
      return ExamplePattern.texts(expression.string).map { [$0] } + fallback
    case .number(_, let number): return numbers(near: number)
    case .date(_, let date): return dates(date) + fallback
    case .hasExactly(let patterns), .includes(let patterns):
      let each = patterns.map { each in
        candidates(each, depth: depth + 1).prefix(maximumCount).first {
          $0.count == 1 && satisfies($0, each)
        }
      }
      return [each.compactMap { $0?.first }]
    case .and(let patterns), .or(let patterns):
      let inner = patterns.flatMap {
        candidates($0, depth: depth + 1).prefix(maximumCount)
      }
      return inner + [inner.compactMap(\.first).joined(separator: " ")].map { [$0] } + fallback
    case .not(let pattern):
      let inner = candidates(pattern, depth: depth + 1).prefix(8)
      return [[]] + fallback + inner.compactMap(\.first).map { [$0 + "-other"] }
    }
  }

  private static func numbers(near number: JSONNumber) -> [[String]] {
    let value = Double(number.text) ?? 0
    let near = [value + 1, value - 1].map { near in
      Int(exactly: near).map { String($0) } ?? String(near)
    }
    return ([number.text] + near).map { [$0] }
  }

  /// The expected date, and dates so far away that they stay on their side of now.
  private static func dates(_ date: DatePattern) -> [[String]] {
    [
      date.expected, "2000-01-01T00:00:00Z", "2100-01-01T00:00:00Z", "2000-01-01", "2100-01-01",
      "946684800", "4102444800", "946684800000", "4102444800000",
      "Sat, 01 Jan 2000 00:00:00 GMT", "Fri, 01 Jan 2100 00:00:00 GMT", "01/01/2000", "01/01/2100",
      "2000-01-01 00:00:00", "2100-01-01 00:00:00", "01.01.2000", "01.01.2100",
    ].map { [$0] }
  }
}

/// Makes a text that a regular expression matches as a whole.
enum ExamplePattern {
  /// How many alternatives are tried.
  private static let maximumChoice = 6

  /// The shortest text, and one with something for all that may be missing: a field does not end in a space.
  ///
  /// Where it has alternatives, also texts of the others. They differ; empty if the expression is not of the kind that ``PatternText`` knows. The caller checks them.
  static func texts(_ expression: String) -> [String] {
    let shortest = text(expression)
    let longer = PatternText(expression, fillsOptional: true)?.text
    let others = (1..<(expression.contains("|") ? maximumChoice : 1)).map {
      PatternText(expression, choice: $0)?.text
    }
    return ([shortest, longer] + others).compactMap(\.self)
      .reduce(into: []) { texts, text in if !texts.contains(text) { texts.append(text) } }
  }

  /// The shortest text; nil if the expression is not of the kind that ``PatternText`` knows.
  static func text(_ expression: String) -> String? { PatternText(expression)?.text }
}
