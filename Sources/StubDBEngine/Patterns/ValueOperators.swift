import StubDBJSON
import StubDBModel

extension PatternCompiler {
  /// Compiles a value pattern: the one place where an operator of a value meets what carries it out.
  ///
  /// `isInObject` says that a document writes the pattern as an operator even where a list would do.
  mutating func value(
    _ pattern: ValuePattern, isInObject: Bool = false
  ) throws(CompileError) -> any CompiledValue {
    switch pattern {
    case .equalTo(let text, caseInsensitive: false): return EqualTo(text: text)
    case .equalTo(let text, caseInsensitive: true): return EqualToIgnoringCase(text: text)
    case .contains(let text): return Contains(text: text)
    case .doesNotContain(let text): return Negation(inner: Contains(text: text), ofAbsence: true)
    case .matches(let text): return try matches(text, in: "matches")
    case .doesNotMatch(let text):
      return Negation(inner: try matches(text, in: "doesNotMatch"), ofAbsence: true)
    case .absent: return Absent()
    case .anything: return Anything()
    case .equalToCaptured(let name): return EqualToCaptured(number: try captured(name))
    case .number(let comparison, let number):
      return NumberOperator(comparison: comparison, expected: number)
    case .date(let comparison, let date): return try self.date(comparison, date)
    case .and(let patterns): return Conjunction(inner: try values(patterns, in: "and"))
    case .or(let patterns): return Disjunction(inner: try values(patterns, in: "or"))
    case .not(let pattern):
      return Negation(
        inner: try placed("not") { (compiler) throws(CompileError) in
          try compiler.value(pattern)
        })
    case .hasExactly(let patterns):
      return HasExactly(inner: try values(patterns, in: isInObject ? "hasExactly" : nil))
    case .includes(let patterns): return Includes(inner: try values(patterns, in: "includes"))
    }
  }

  private mutating func values(
    _ patterns: [ValuePattern], in key: String?
  ) throws(CompileError) -> [any CompiledValue] {
    var compiled: [any CompiledValue] = []
    compiled.reserveCapacity(patterns.count)
    for (index, pattern) in patterns.enumerated() {
      do throws(CompileError) {
        compiled.append(try value(pattern))
      } catch {
        let place = error.inside(String(index))
        throw key.map { place.inside($0) } ?? place
      }
    }
    return compiled
  }

  private mutating func matches(
    _ text: String, in key: String
  ) throws(CompileError) -> MatchesExpression {
    MatchesExpression(
      expression: try placed(key) { (compiler) throws(CompileError) in
        try compiler.cache.expression(text)
      })
  }

  private mutating func date(
    _ comparison: DateComparison, _ date: DatePattern
  ) throws(CompileError) -> DateOperator {
    do throws(CompileError) {
      return DateOperator(comparison: comparison, expected: try cache.date(date))
    } catch {
      // What is wrong with an option stands at the option.
      throw error.path.isEmpty ? error.inside(comparison.rawValue) : error
    }
  }
}

// MARK: - Texts

/// The operator `equalTo`.
private struct EqualTo: CompiledValue {
  let text: String

  func matches(_ value: String?, _ scope: MatchScope) -> Bool? {
    value.map { ByteText.isEqual($0, text) } ?? false
  }

  var literal: String? { text }

  func distance(_ other: String, _ scope: MatchScope) -> Double {
    TextDistance.between(text, other)
  }
}

/// The operator `equalTo` with `caseInsensitive`.
private struct EqualToIgnoringCase: CompiledValue {
  let text: String

  func matches(_ value: String?, _ scope: MatchScope) -> Bool? {
    value.map { ByteText.isEqualIgnoringCase($0, text) } ?? false
  }

  func distance(_ other: String, _ scope: MatchScope) -> Double {
    TextDistance.between(text, other)
  }
}

/// The operator `contains`.
private struct Contains: CompiledValue {
  let text: String

  func matches(_ value: String?, _ scope: MatchScope) -> Bool? {
    value.map { ByteText.contains($0, text) } ?? false
  }
}

/// The operator `matches`.
private struct MatchesExpression: CompiledValue {
  let expression: WholeValueRegex

  func matches(_ value: String?, _ scope: MatchScope) -> Bool? {
    guard let value else { return false }
    return scope.context.matches(value, expression)
  }
}

/// The operator `equalToCaptured`.
private struct EqualToCaptured: CompiledValue {
  /// The place of the name among those of the stub.
  let number: Int

  func matches(_ value: String?, _ scope: MatchScope) -> Bool? {
    guard let value, number < scope.captured.count, let kept = scope.captured[number] else {
      return false
    }
    return ByteText.isEqual(value, kept)
  }

  var asksForCaptured: Bool { true }
}

// MARK: - Presence

/// The operator `absent`.
private struct Absent: CompiledValue {
  func matches(_ value: String?, _ scope: MatchScope) -> Bool? { value == nil }

  func unseen(isPresent: Bool) -> Bool? { isPresent ? false : nil }
}

/// The operator `anything`.
private struct Anything: CompiledValue {
  func matches(_ value: String?, _ scope: MatchScope) -> Bool? { true }

  func unseen(isPresent: Bool) -> Bool? { true }
}

// MARK: - Quantities

/// The operators of a number.
private struct NumberOperator: CompiledValue {
  let comparison: NumberComparison
  let expected: JSONNumber

  func matches(_ value: String?, _ scope: MatchScope) -> Bool? {
    value.flatMap(NumberText.number).map { comparison.holds($0, expected) } ?? false
  }

  func distance(_ text: String, _ scope: MatchScope) -> Double {
    NumberText.number(text).map { max(0.05, NumberText.distance($0, expected)) } ?? 1
  }
}

/// The operators of a date.
private struct DateOperator: CompiledValue {
  let comparison: DateComparison
  let expected: DateOperand

  func matches(_ value: String?, _ scope: MatchScope) -> Bool? {
    guard let value else { return false }
    return expected.matches(value, comparison, now: scope.context.now)
  }

  func distance(_ text: String, _ scope: MatchScope) -> Double {
    max(0.05, expected.distance(text, now: scope.context.now))
  }
}

// MARK: - Logic

/// The operator `and`.
private struct Conjunction: CompiledValue {
  let inner: [any CompiledValue]
  let isAboutList: Bool
  let asksForCaptured: Bool

  init(inner: [any CompiledValue]) {
    self.inner = inner
    isAboutList = inner.contains(where: \.isAboutList)
    asksForCaptured = inner.contains(where: \.asksForCaptured)
  }

  func matches(_ value: String?, _ scope: MatchScope) -> Bool? {
    Verdict.all(inner) { $0.matches(value, scope) }
  }

  func matches(_ values: FieldValues, _ scope: MatchScope) -> Bool? {
    guard isAboutList else { return matchesAny(of: values, scope) }
    return Verdict.all(inner) { $0.matches(values, scope) }
  }

  func unseen(isPresent: Bool) -> Bool? {
    Verdict.all(inner) { $0.unseen(isPresent: isPresent) }
  }

  func distance(_ text: String, _ scope: MatchScope) -> Double {
    let distances = inner.map { $0.matches(text, scope) == true ? 0 : $0.distance(text, scope) }
    return distances.reduce(0, +) / Double(max(1, distances.count))
  }
}

/// The operator `or`.
private struct Disjunction: CompiledValue {
  let inner: [any CompiledValue]
  let isAboutList: Bool
  let asksForCaptured: Bool

  init(inner: [any CompiledValue]) {
    self.inner = inner
    isAboutList = inner.contains(where: \.isAboutList)
    asksForCaptured = inner.contains(where: \.asksForCaptured)
  }

  func matches(_ value: String?, _ scope: MatchScope) -> Bool? {
    Verdict.any(inner) { $0.matches(value, scope) }
  }

  func matches(_ values: FieldValues, _ scope: MatchScope) -> Bool? {
    guard isAboutList else { return matchesAny(of: values, scope) }
    return Verdict.any(inner) { $0.matches(values, scope) }
  }

  func unseen(isPresent: Bool) -> Bool? {
    Verdict.any(inner) { $0.unseen(isPresent: isPresent) }
  }

  func distance(_ text: String, _ scope: MatchScope) -> Double {
    inner.map { $0.distance(text, scope) }.min() ?? 1
  }
}

/// The operators `not`, `doesNotContain` and `doesNotMatch`.
private struct Negation: CompiledValue {
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

// MARK: - Lists

/// `hasExactly`: as many values as patterns, and for each pattern a value of its own.
private struct HasExactly: CompiledValue {
  let inner: [any CompiledValue]

  var isAboutList: Bool { true }
  var asksForCaptured: Bool { inner.contains(where: \.asksForCaptured) }

  func matches(_ value: String?, _ scope: MatchScope) -> Bool? {
    matches(value.map { [$0] } ?? [], scope)
  }

  func matches(_ values: FieldValues, _ scope: MatchScope) -> Bool? {
    let whole = matches(values.values, scope)
    guard whole != true, let elements = values.elements else { return whole }
    return Verdict.either(whole, matches(elements, scope))
  }

  private func matches(_ values: [String], _ scope: MatchScope) -> Bool? {
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

  func distance(_ text: String, _ scope: MatchScope) -> Double {
    inner.missingShare(of: text, scope)
  }
}

/// `includes`: for each pattern a value.
private struct Includes: CompiledValue {
  let inner: [any CompiledValue]

  var isAboutList: Bool { true }
  var asksForCaptured: Bool { inner.contains(where: \.asksForCaptured) }

  func matches(_ value: String?, _ scope: MatchScope) -> Bool? {
    matches(value.map { [$0] } ?? [], scope)
  }

  func matches(_ values: FieldValues, _ scope: MatchScope) -> Bool? {
    let whole = matches(values.values, scope)
    guard whole != true, let elements = values.elements else { return whole }
    return Verdict.either(whole, matches(elements, scope))
  }

  private func matches(_ values: [String], _ scope: MatchScope) -> Bool? {
    Verdict.all(inner) { pattern in Verdict.any(values) { pattern.matches($0, scope) } }
  }

  func distance(_ text: String, _ scope: MatchScope) -> Double {
    inner.missingShare(of: text, scope)
  }
}

extension [any CompiledValue] {
  /// The share of the patterns that the text does not satisfy, at least that of one.
  fileprivate func missingShare(of text: String, _ scope: MatchScope) -> Double {
    let missing = count { $0.matches(text, scope) != true }
    return Double(Swift.max(1, missing)) / Double(Swift.max(1, count))
  }
}
