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
    switch pattern.storage {
    case .equalTo(let text, ignoresCase: false): return EqualTo(text: text.string)
    case .equalTo(let text, ignoresCase: true): return EqualToIgnoringCase(text: text.string)
    case .contains(let text): return Contains(text: text.string)
    case .doesNotContain(let text):
      return Negation(inner: Contains(text: text.string), ofAbsence: true)
    case .matches(let text): return try matches(text, in: .matches)
    case .doesNotMatch(let text):
      return Negation(inner: try matches(text, in: .doesNotMatch), ofAbsence: true)
    case .absent: return Absent()
    case .anything: return Anything()
    case .equalToCaptured(let name): return EqualToCaptured(number: try captured(name.string))
    case .number(let comparison, let number):
      return NumberOperator(comparison: comparison.kind, expected: number)
    case .date(let comparison, let date): return try self.date(comparison, date)
    case .and(let patterns): return Combination(.all, try values(patterns, in: "and"))
    case .or(let patterns): return Combination(.any, try values(patterns, in: "or"))
    case .not(let pattern):
      do throws(CompileError) {
        return Negation(inner: Combination(.all, [try value(pattern)]))
      } catch {
        throw error.inside("not")
      }
    case .hasExactly(let patterns):
      return HasExactly(inner: try values(patterns, in: isInObject ? "hasExactly" : nil))
    case .includes(let patterns): return Includes(inner: try values(patterns, in: "includes"))
    }
  }

  private mutating func values(
    _ patterns: [ValuePattern], in key: String?
  ) throws(CompileError) -> [any CompiledValue] {
    do throws(CompileError) {
      return try list(patterns) { (compiler, inner) throws(CompileError) in
        try compiler.value(inner)
      }
    } catch {
      throw key.map { error.inside($0) } ?? error
    }
  }

  private mutating func matches(
    _ text: ByteText, in known: ValueOperator
  ) throws(CompileError) -> MatchesExpression {
    MatchesExpression(
      expression: try placed(known.rawValue) { (compiler) throws(CompileError) in
        try compiler.cache.expression(text.string)
      })
  }

  private mutating func date(
    _ comparison: DateComparison, _ date: DatePattern
  ) throws(CompileError) -> DateOperator {
    do throws(CompileError) {
      return DateOperator(comparison: comparison, expected: try cache.date(date))
    } catch {
      // An error in an option has the place of the option.
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
  let comparison: NumberComparison.Kind
  let expected: JSONNumber

  func matches(_ value: String?, _ scope: MatchScope) -> Bool? {
    guard let number = value.flatMap(NumberText.number) else { return false }
    return switch comparison {
    case .equalTo: number.isNumericallyEqual(to: expected)
    case .greaterThan: expected.isNumericallyLess(than: number)
    case .greaterThanOrEqual: !number.isNumericallyLess(than: expected)
    case .lessThan: number.isNumericallyLess(than: expected)
    case .lessThanOrEqual: !expected.isNumericallyLess(than: number)
    }
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
