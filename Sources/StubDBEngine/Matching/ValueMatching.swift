import StubDBJSON
import StubDBModel

/// Decides whether values satisfy value patterns.
///
/// The answer is true, false, or nil where it cannot be told (a value too long for a regular expression). `not` of nil
/// is nil, and only true is a match: what cannot be told never matches.
struct ValueMatching: Sendable {
  let operands: CompiledOperands

  /// Whether one value, or its absence, satisfies the pattern.
  func matches(
    _ value: String?, _ pattern: ValuePattern, in context: MatchContext
  ) -> Bool? {
    switch pattern {
    case .equalTo(let expected, let caseInsensitive):
      guard let value else { return false }
      return caseInsensitive
        ? ByteText.isEqualIgnoringCase(value, expected) : ByteText.isEqual(value, expected)
    case .contains(let part):
      return value.map { ByteText.contains($0, part) } ?? false
    case .doesNotContain(let part):
      return value.map { !ByteText.contains($0, part) } ?? true
    case .matches(let expression):
      guard let value else { return false }
      return operands.expressions[expression].flatMap { context.matches(value, $0) }
    case .doesNotMatch(let expression):
      guard let value else { return true }
      return operands.expressions[expression].flatMap { context.matches(value, $0) }.map { !$0 }
    case .absent:
      return value == nil
    case .anything:
      return true
    case .equalToCaptured(let name):
      guard let value, let kept = context.captured[name] else { return false }
      return ByteText.isEqual(value, kept)
    case .number(let comparison, let expected):
      return value.flatMap(NumberText.number).map { comparison.holds($0, expected) } ?? false
    case .date(let comparison, let date):
      guard let value else { return false }
      return operands.dates[date]?.matches(value, comparison, now: context.now)
    case .and(let patterns):
      return Self.all(patterns) { matches(value, $0, in: context) }
    case .or(let patterns):
      return Self.any(patterns) { matches(value, $0, in: context) }
    case .not(let inner):
      return matches(value, inner, in: context).map { !$0 }
    case .hasExactly(let patterns):
      return hasExactly(value.map { [$0] } ?? [], patterns, context)
    case .includes(let patterns):
      return includes(value.map { [$0] } ?? [], patterns, context)
    }
  }

  /// Whether the values of one name satisfy the pattern.
  ///
  /// A pattern on a single value is satisfied by any of them, or by absence where there is none.
  func matches(
    _ values: FieldValues, _ pattern: ValuePattern, in context: MatchContext
  ) -> Bool? {
    switch pattern {
    case .hasExactly(let patterns):
      let whole = hasExactly(values.values, patterns, context)
      guard whole != true, let elements = values.elements else { return whole }
      return Self.or(whole, hasExactly(elements, patterns, context))
    case .includes(let patterns):
      let whole = includes(values.values, patterns, context)
      guard whole != true, let elements = values.elements else { return whole }
      return Self.or(whole, includes(elements, patterns, context))
    case .and(let patterns) where pattern.isAboutList:
      return Self.all(patterns) { matches(values, $0, in: context) }
    case .or(let patterns) where pattern.isAboutList:
      return Self.any(patterns) { matches(values, $0, in: context) }
    case .not(let inner) where pattern.isAboutList:
      return matches(values, inner, in: context).map { !$0 }
    default:
      guard let first = values.values.first else { return matches(nil, pattern, in: context) }
      guard values.values.count > 1 else { return matches(first, pattern, in: context) }
      let any = Self.any(values.values) { matches($0, pattern, in: context) }
      guard any != true, values.isHeader, let joined = FieldValues.joined(values.values) else {
        return any
      }
      return Self.or(any, matches(joined, pattern, in: context))
    }
  }

  /// Whether there are as many values as patterns and each pattern has a value of its own.
  private func hasExactly(
    _ values: [String], _ patterns: [ValuePattern], _ context: MatchContext
  ) -> Bool? {
    guard values.count == patterns.count else { return false }
    var isUndecided = false
    let pairs = patterns.map { pattern in
      values.indices.filter { index in
        let verdict = matches(values[index], pattern, in: context)
        isUndecided = isUndecided || verdict == nil
        return verdict == true
      }
    }
    let assigned = BipartiteMatching.assign(pairs, to: values.count)
    return assigned.allSatisfy { $0 != nil } ? true : isUndecided ? nil : false
  }

  /// Whether each pattern has a value.
  private func includes(
    _ values: [String], _ patterns: [ValuePattern], _ context: MatchContext
  ) -> Bool? {
    Self.all(patterns) { pattern in Self.any(values) { matches($0, pattern, in: context) } }
  }

  static func or(_ left: Bool?, _ right: Bool?) -> Bool? {
    left == true || right == true ? true : left == nil || right == nil ? nil : false
  }

  static func all<Element>(_ elements: [Element], _ test: (Element) -> Bool?) -> Bool? {
    var result: Bool? = true
    for element in elements {
      switch test(element) {
      case false?: return false
      case nil: result = nil
      default: break
      }
    }
    return result
  }

  static func any<Element>(_ elements: [Element], _ test: (Element) -> Bool?) -> Bool? {
    var result: Bool? = false
    for element in elements {
      switch test(element) {
      case true?: return true
      case nil: result = nil
      default: break
      }
    }
    return result
  }
}

extension ValuePattern {
  /// Whether the pattern looks at all values of a name together.
  var isAboutList: Bool {
    switch self {
    case .hasExactly, .includes: true
    case .and(let patterns), .or(let patterns): patterns.contains(where: \.isAboutList)
    case .not(let inner): inner.isAboutList
    default: false
    }
  }
}
