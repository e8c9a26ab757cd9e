import StubDBJSON
import StubDBModel
import StubDBSupport

extension PatternCompiler {
  /// Compiles a value pattern: the only place that maps an operator of a value to its implementation.
  ///
  /// `isInObject` says that a document writes the pattern as an operator even if a list has the same meaning.
  mutating func value(
    _ pattern: ValuePattern, isInObject: Bool = false
  ) throws(CompileError) -> any CompiledValue {
    switch pattern.operator {
    case .equalTo:
      return pattern.literal.map { EqualTo(text: $0) } ?? EqualToIgnoringCase(text: pattern.text)
    case .contains: return Contains(text: pattern.text)
    case .doesNotContain: return Negation(inner: Contains(text: pattern.text), ofAbsence: true)
    case .matches: return try matches(pattern)
    case .doesNotMatch: return Negation(inner: try matches(pattern), ofAbsence: true)
    case .absent: return Absent()
    case .anything: return Anything()
    case .equalToCaptured: return EqualToCaptured(number: try captured(pattern.text))
    case .equalToNumber: return try number(pattern) { $0.isNumericallyEqual(to: $1) }
    case .greaterThanNumber: return try number(pattern) { $1.isNumericallyLess(than: $0) }
    case .greaterThanEqualNumber: return try number(pattern) { !$0.isNumericallyLess(than: $1) }
    case .lessThanNumber: return try number(pattern) { $0.isNumericallyLess(than: $1) }
    case .lessThanEqualNumber: return try number(pattern) { !$1.isNumericallyLess(than: $0) }
    case .before: return try date(pattern, .before)
    case .after: return try date(pattern, .after)
    case .equalToDateTime: return try date(pattern, .equalTo)
    case .and: return Combination(.all, try values(pattern, in: "and"))
    case .or: return Combination(.any, try values(pattern, in: "or"))
    case .not: return Negation(inner: Combination(.all, try values(pattern, in: "not")))
    case .hasExactly:
      return HasExactly(inner: try values(pattern, in: isInObject ? "hasExactly" : nil))
    case .includes: return Includes(inner: try values(pattern, in: "includes"))
    }
  }

  private mutating func values(
    _ pattern: ValuePattern, in key: String?
  ) throws(CompileError) -> [any CompiledValue] {
    do throws(CompileError) {
      if case .pattern(let inner) = pattern.operand { return [try value(inner)] }
      return try list(pattern.patterns) { (compiler, inner) throws(CompileError) in
        try compiler.value(inner)
      }
    } catch {
      throw key.map { error.inside($0) } ?? error
    }
  }

  private mutating func matches(
    _ pattern: ValuePattern
  ) throws(CompileError) -> MatchesExpression {
    MatchesExpression(
      expression: try placed(pattern.operator.rawValue) { (compiler) throws(CompileError) in
        try compiler.cache.expression(pattern.text)
      })
  }

  private func number(
    _ pattern: ValuePattern, holds: @escaping @Sendable (JSONNumber, JSONNumber) -> Bool
  ) throws(CompileError) -> NumberOperator {
    guard case .number(let expected) = pattern.operand else { throw .wrongOperand(pattern) }
    return NumberOperator(expected: expected, holds: holds)
  }

  private mutating func date(
    _ pattern: ValuePattern, _ comparison: DateComparison
  ) throws(CompileError) -> DateOperator {
    guard case .date(let date) = pattern.operand else { throw .wrongOperand(pattern) }
    do throws(CompileError) {
      return DateOperator(comparison: comparison, expected: try cache.date(date))
    } catch {
      // An error in an option has the place of the option.
      throw error.path.isEmpty ? error.inside(pattern.operator.rawValue) : error
    }
  }
}

extension CompileError {
  /// An operator that was made with what it is not applied with; no document and no public function can.
  fileprivate static func wrongOperand(_ pattern: ValuePattern) -> CompileError {
    CompileError(
      code: .invalidPattern, reason: "\(pattern.operator.rawValue) is applied with something else")
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
  let expected: JSONNumber
  /// Whether an actual number, on the left, compares with the expected one.
  let holds: @Sendable (JSONNumber, JSONNumber) -> Bool

  func matches(_ value: String?, _ scope: MatchScope) -> Bool? {
    value.flatMap(NumberText.number).map { holds($0, expected) } ?? false
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
