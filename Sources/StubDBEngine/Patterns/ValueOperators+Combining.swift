/// The operators `and` and `or`.
struct Combination: CompiledValue {
  enum Kind {
    case all
    case any

    /// What the verdicts on the elements say together.
    func verdict<Elements: Sequence>(
      of elements: Elements, _ test: (Elements.Element) -> Bool?
    ) -> Bool? {
      switch self {
      case .all: Verdict.all(elements, test)
      case .any: Verdict.any(elements, test)
      }
    }
  }

  let kind: Kind
  let inner: [any CompiledValue]
  let isAboutList: Bool
  let asksForCaptured: Bool

  init(_ kind: Kind, _ inner: [any CompiledValue]) {
    self.kind = kind
    self.inner = inner
    isAboutList = inner.contains(where: \.isAboutList)
    asksForCaptured = inner.contains(where: \.asksForCaptured)
  }

  func matches(_ value: String?, _ scope: MatchScope) -> Bool? {
    kind.verdict(of: inner) { $0.matches(value, scope) }
  }

  func matches(_ values: FieldValues, _ scope: MatchScope) -> Bool? {
    guard isAboutList else { return matchesAny(of: values, scope) }
    return kind.verdict(of: inner) { $0.matches(values, scope) }
  }

  func unseen(isPresent: Bool) -> Bool? {
    kind.verdict(of: inner) { $0.unseen(isPresent: isPresent) }
  }

  func distance(_ text: String, _ scope: MatchScope) -> Double {
    switch kind {
    case .all:
      let distances = inner.map { $0.matches(text, scope) == true ? 0 : $0.distance(text, scope) }
      return distances.reduce(0, +) / Double(max(1, distances.count))
    case .any: return inner.map { $0.distance(text, scope) }.min() ?? 1
    }
  }
}

/// The operators `not`, `doesNotContain` and `doesNotMatch`.
struct Negation: CompiledValue {
  let inner: any CompiledValue
  /// What holds if there is no value; nil for the opposite of what the inner pattern says.
  var ofAbsence: Bool?

  var isAboutList: Bool { inner.isAboutList }
  var asksForCaptured: Bool { inner.asksForCaptured }

  func matches(_ value: String?, _ scope: MatchScope) -> Bool? {
    if value == nil, let ofAbsence { return ofAbsence }
    return inner.matches(value, scope).map { !$0 }
  }

  func matches(_ values: FieldValues, _ scope: MatchScope) -> Bool? {
    guard isAboutList else { return matchesAny(of: values, scope) }
    return inner.matches(values, scope).map { !$0 }
  }

  func unseen(isPresent: Bool) -> Bool? {
    ofAbsence == nil ? inner.unseen(isPresent: isPresent).map { !$0 } : nil
  }
}

/// An operator on all values of a name together.
protocol ListOperator: CompiledValue {
  /// The patterns, each of which needs a value.
  var inner: [any CompiledValue] { get }

  func matches(_ values: [String], _ scope: MatchScope) -> Bool?
}

extension ListOperator {
  var isAboutList: Bool { true }
  var asksForCaptured: Bool { inner.contains(where: \.asksForCaptured) }

  func matches(_ value: String?, _ scope: MatchScope) -> Bool? {
    matches(value.map { [$0] } ?? [], scope)
  }

  /// A header field may have its values in several lines or in one list.
  func matches(_ values: FieldValues, _ scope: MatchScope) -> Bool? {
    let whole = matches(values.values, scope)
    guard whole != true, let elements = values.elements else { return whole }
    return Verdict.either(whole, matches(elements, scope))
  }

  /// The share of the patterns that the text does not satisfy, at least that of one.
  func distance(_ text: String, _ scope: MatchScope) -> Double {
    let missing = inner.count { $0.matches(text, scope) != true }
    return Double(max(1, missing)) / Double(max(1, inner.count))
  }
}

/// `hasExactly`: as many values as patterns, and for each pattern a value of its own.
struct HasExactly: ListOperator {
  let inner: [any CompiledValue]

  func matches(_ values: [String], _ scope: MatchScope) -> Bool? {
    guard values.count == inner.count else { return false }
    var isUndecided = false
    let pairs = inner.map { pattern in
      values.indices.filter { index in
        let verdict = pattern.matches(values[index], scope)
        isUndecided = isUndecided || verdict == nil
        return verdict == true
      }
    }
    let assigned = BipartiteMatching.assign(pairs, to: values.count)
    return assigned.allSatisfy { $0 != nil } ? true : isUndecided ? nil : false
  }
}

/// `includes`: for each pattern a value.
struct Includes: ListOperator {
  let inner: [any CompiledValue]

  func matches(_ values: [String], _ scope: MatchScope) -> Bool? {
    Verdict.all(inner) { pattern in Verdict.any(values) { pattern.matches($0, scope) } }
  }
}
