/// The work that may still be done for a request, in steps.
///
/// A step is a value that a JSONPath or an XPath visits, a check of a JSON Schema, a pair of elements that are compared
/// in any order, a token of a GraphQL query, a field that is compared with the names of an exact form or query, or a
/// node of a template that is rendered; a regular expression takes ``BoundedRegex/stepCost`` of them at each progress
/// callback. All steps together take some seconds at most.
struct WorkBudget: Sendable {
  /// What a request may cost until it is answered: matching, captures and templates.
  static let answering = WorkBudget(steps: 3_000_000)
  /// What it may cost to explain why no stub answers.
  ///
  /// An allowance of its own, because a request whose matching used up all steps must be explained too.
  static let explaining = WorkBudget(steps: 3_000_000)

  /// The steps that a pattern gets after all are used up, so that most verdicts do not depend on other patterns.
  static let allowance = 4_000
  /// The steps that each byte of content adds, because most queries visit most values.
  static let stepsPerByte = 2
  /// The bytes of content that add steps: more has no more values to visit.
  static let mostBytes = 8 << 20

  /// The steps that are left; below 0 once patterns have taken allowances.
  private(set) var left: Int
  /// The steps that were taken so far.
  private(set) var taken = 0
  /// The bytes that may still add steps.
  private var bytesLeft = Self.mostBytes

  init(steps: Int) {
    left = steps
  }

  /// Adds the steps for content of this size.
  mutating func allow(byteCount: Int) {
    let counted = min(byteCount, bytesLeft)
    bytesLeft -= counted
    left += Self.stepsPerByte * counted
  }

  /// Sets steps aside for a piece of work: at most half of those that are left, so that others get some too.
  ///
  /// What is not needed must be returned.
  mutating func grant(atMost most: Int = .max, atLeast fewest: Int = 0) -> Int {
    let granted = max(fewest, min(most, left / 2), 0)
    left -= granted
    taken += granted
    return granted
  }

  /// Returns steps that were granted and not taken.
  mutating func putBack(_ steps: Int) {
    left += max(0, steps)
    taken -= max(0, steps)
  }
}
