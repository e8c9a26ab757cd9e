public import StubDBJSON
internal import StubDBSupport

/// What a text value must satisfy: a query parameter, a header field, a cookie, a body as text.
///
/// An operator and what it is applied with. Operator names and meanings are WireMock's.
/// https://wiremock.org/docs/request-matching/
public struct ValuePattern: Hashable, Sendable {
  /// The operator, from the table of all there are.
  package let `operator`: ValueOperator
  /// What the operator is applied with.
  package let operand: Operand

  /// What an operator is applied with, as its ``ValueOperator/Kind`` says.
  package enum Operand: Hashable, Sendable {
    case none
    case text(String, ignoresCase: Bool = false)
    case number(JSONNumber)
    indirect case date(DatePattern)
    indirect case pattern(ValuePattern)
    case patterns([ValuePattern])

    /// Texts are compared by their bytes, as those of requests are.
    package static func == (one: Operand, other: Operand) -> Bool {
      switch (one, other) {
      case (.none, .none): true
      case (.text(let text, let ignoresCase), .text(let otherText, let otherIgnoresCase)):
        ignoresCase == otherIgnoresCase && ByteText.isEqual(text, otherText)
      case (.number(let number), .number(let other)): number == other
      case (.date(let date), .date(let other)): date == other
      case (.pattern(let pattern), .pattern(let other)): pattern == other
      case (.patterns(let patterns), .patterns(let others)): patterns == others
      default: false
      }
    }
  }

  package init(_ operator: ValueOperator, _ operand: Operand) {
    self.operator = `operator`
    self.operand = operand
  }
}

extension ValuePattern {
  /// The value is exactly this text, or differs from it only in case.
  public static func equalTo(_ text: String, caseInsensitive: Bool = false) -> ValuePattern {
    ValuePattern(.equalTo, .text(text, ignoresCase: caseInsensitive))
  }

  /// The value contains this text.
  public static func contains(_ text: String) -> ValuePattern {
    ValuePattern(.contains, .text(text))
  }

  /// A text that the value does not hold; a value that is absent matches.
  public static func doesNotContain(_ text: String) -> ValuePattern {
    ValuePattern(.doesNotContain, .text(text))
  }

  /// A regular expression that the whole value matches; `.` matches line ends too.
  public static func matches(_ expression: String) -> ValuePattern {
    ValuePattern(.matches, .text(expression))
  }

  /// A regular expression that the whole value does not match; a value that is absent matches.
  public static func doesNotMatch(_ expression: String) -> ValuePattern {
    ValuePattern(.doesNotMatch, .text(expression))
  }

  /// There is no value.
  public static let absent = ValuePattern(.absent, .none)

  /// Any value, or none.
  public static let anything = ValuePattern(.anything, .none)

  /// The text of a value that the run keeps.
  ///
  /// The name may be a template. Does not match if nothing is kept.
  public static func equalToCaptured(_ name: String) -> ValuePattern {
    ValuePattern(.equalToCaptured, .text(name))
  }

  /// A number that the value is compared with.
  public static func number(_ comparison: NumberComparison, _ number: JSONNumber) -> ValuePattern {
    ValuePattern(comparison.kind.valueOperator, .number(number))
  }

  /// A date that the value is compared with.
  public static func date(_ comparison: DateComparison, _ date: DatePattern) -> ValuePattern {
    ValuePattern(comparison.kind.valueOperator, .date(date))
  }

  /// Every pattern matches; empty matches everything.
  public static func and(_ patterns: [ValuePattern]) -> ValuePattern {
    ValuePattern(.and, .patterns(patterns))
  }

  /// At least one pattern matches.
  public static func or(_ patterns: [ValuePattern]) -> ValuePattern {
    ValuePattern(.or, .patterns(patterns))
  }

  /// The pattern does not match.
  public static func not(_ pattern: ValuePattern) -> ValuePattern {
    ValuePattern(.not, .pattern(pattern))
  }

  /// As many values as patterns, and for each pattern a value of its own.
  public static func hasExactly(_ patterns: [ValuePattern]) -> ValuePattern {
    ValuePattern(.hasExactly, .patterns(patterns))
  }

  /// For each pattern a value that matches it; other values are free.
  public static func includes(_ patterns: [ValuePattern]) -> ValuePattern {
    ValuePattern(.includes, .patterns(patterns))
  }
}

extension ValuePattern: ExpressibleByStringLiteral {
  /// Makes an ``equalTo(_:caseInsensitive:)``.
  public init(stringLiteral value: String) { self = .equalTo(value) }
}

extension ValuePattern {
  /// The only text that satisfies the pattern; nil if there may be others.
  package var literal: String? {
    guard self.operator == .equalTo, case .text(let text, ignoresCase: false) = operand else {
      return nil
    }
    return text
  }

  /// The text of an operator that has one; empty for others.
  package var text: String { if case .text(let text, _) = operand { text } else { "" } }

  /// Whether case does not count; false for most operators.
  package var ignoresCase: Bool {
    if case .text(_, let ignoresCase) = operand { ignoresCase } else { false }
  }

  /// The patterns inside of an operator that combines others; empty for others.
  package var patterns: [ValuePattern] {
    switch operand {
    case .pattern(let pattern): [pattern]
    case .patterns(let patterns): patterns
    case .none, .text, .number, .date: []
    }
  }

  /// The pattern with every one inside that combines no others replaced.
  package func mapLeaves(
    _ transform: (ValuePattern) throws -> ValuePattern
  ) rethrows -> ValuePattern {
    switch operand {
    case .pattern(let pattern):
      ValuePattern(self.operator, .pattern(try pattern.mapLeaves(transform)))
    case .patterns(let patterns):
      ValuePattern(self.operator, .patterns(try patterns.map { try $0.mapLeaves(transform) }))
    case .none, .text, .number, .date: try transform(self)
    }
  }

  /// The same operator with another text.
  package func with(text: String) -> ValuePattern {
    ValuePattern(self.operator, .text(text, ignoresCase: ignoresCase))
  }
}
