/// A value pattern that is ready to be applied: its expressions, dates and nested patterns are compiled.
///
/// Verdicts are true, false, or nil if unknown, for example because a value is too long for a regular
/// expression. `not` of nil is nil, and only true is a match: an unknown verdict never matches.
protocol CompiledValue: Sendable {
  /// Whether one value satisfies the pattern; nil as the value means that there is no value.
  func matches(_ value: String?, _ scope: MatchScope) -> Bool?

  /// Whether the values of one name satisfy the pattern.
  func matches(_ values: FieldValues, _ scope: MatchScope) -> Bool?

  /// Whether the pattern looks at all values of a name together.
  var isAboutList: Bool { get }

  /// What can be said of a value that cannot be read; `isPresent` says whether there is one for sure.
  func unseen(isPresent: Bool) -> Bool?

  /// How far a text that does not match is from one that does, from 0 to 1.
  func distance(_ text: String, _ scope: MatchScope) -> Double

  /// The only text that satisfies the pattern, by which stubs are indexed; nil if there may be others.
  var literal: String? { get }

  /// Whether the pattern compares with values that the run keeps.
  var asksForCaptured: Bool { get }
}

extension CompiledValue {
  var isAboutList: Bool { false }
  var literal: String? { nil }
  var asksForCaptured: Bool { false }

  func unseen(isPresent: Bool) -> Bool? { nil }

  func distance(_ text: String, _ scope: MatchScope) -> Double { 1 }

  func matches(_ values: FieldValues, _ scope: MatchScope) -> Bool? {
    matchesAny(of: values, scope)
  }

  /// A pattern on a single value is satisfied by any of several values, or by absence if there are none.
  func matchesAny(of values: FieldValues, _ scope: MatchScope) -> Bool? {
    guard let first = values.values.first else { return matches(nil, scope) }
    guard values.values.count > 1 else { return matches(first, scope) }
    let any = Verdict.any(values.values) { matches($0, scope) }
    guard any != true, values.isHeader, let joined = FieldValues.joined(values.values) else {
      return any
    }
    return Verdict.either(any, matches(joined, scope))
  }

  /// How far values that do not match are from ones that do: the nearest counts, and no value at all is farthest.
  func distance(_ texts: [String], _ scope: MatchScope) -> Double {
    texts.prefix(100).map { distance($0, scope) }.min() ?? 1
  }
}

/// What patterns are applied with besides the request.
struct MatchScope {
  /// The time of the request, and the work that may still be done for it.
  let context: MatchContext
  /// The texts of the kept values that the stub at hand compares with, in the order of its ``CapturedName``s.
  ///
  /// Nil for a name under which nothing is kept.
  var captured: [String?] = []

  init(_ context: MatchContext, captured: [String?] = []) {
    self.context = context
    self.captured = captured
  }
}

/// Logic with a third value, nil, for an unknown verdict.
enum Verdict {
  static func either(_ left: Bool?, _ right: Bool?) -> Bool? {
    left == true || right == true ? true : left == nil || right == nil ? nil : false
  }

  /// True if the test is true of every element, false as soon as it is false of one.
  static func all<Elements: Sequence>(
    _ elements: Elements, _ test: (Elements.Element) -> Bool?
  ) -> Bool? {
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

  /// True as soon as the test is true of an element, false if it is false of every one.
  static func any<Elements: Sequence>(
    _ elements: Elements, _ test: (Elements.Element) -> Bool?
  ) -> Bool? {
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
