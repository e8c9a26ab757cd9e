public import StubDBJSON
package import StubDBSupport

/// What a text value must satisfy: a query parameter, a header field, a cookie, a body as text.
///
/// Operator names and meanings are WireMock's.
/// https://wiremock.org/docs/request-matching/
public struct ValuePattern: Hashable, Sendable {
  /// The operator and its operand.
  package let storage: Storage

  package indirect enum Storage: Hashable, Sendable {
    case equalTo(ByteText, ignoresCase: Bool)
    case contains(ByteText)
    case doesNotContain(ByteText)
    case matches(ByteText)
    case doesNotMatch(ByteText)
    case absent
    case anything
    /// The name of a value that the run keeps; may be a template.
    case equalToCaptured(ByteText)
    case number(NumberComparison, JSONNumber)
    case date(DateComparison, DatePattern)
    case hasExactly([ValuePattern])
    case includes([ValuePattern])
    case and([ValuePattern])
    case or([ValuePattern])
    case not(ValuePattern)
  }

  private init(_ storage: Storage) { self.storage = storage }
}

extension ValuePattern {
  /// The value is exactly this text, or differs from it only in case.
  public static func equalTo(_ text: String, caseInsensitive: Bool = false) -> ValuePattern {
    ValuePattern(.equalTo(ByteText(text), ignoresCase: caseInsensitive))
  }

  /// The value contains this text.
  public static func contains(_ text: String) -> ValuePattern {
    ValuePattern(.contains(ByteText(text)))
  }

  /// A text that the value does not hold; a value that is absent matches.
  public static func doesNotContain(_ text: String) -> ValuePattern {
    ValuePattern(.doesNotContain(ByteText(text)))
  }

  /// A regular expression that the whole value matches; `.` matches line ends too.
  public static func matches(_ expression: String) -> ValuePattern {
    ValuePattern(.matches(ByteText(expression)))
  }

  /// A regular expression that the whole value does not match; a value that is absent matches.
  public static func doesNotMatch(_ expression: String) -> ValuePattern {
    ValuePattern(.doesNotMatch(ByteText(expression)))
  }

  /// There is no value.
  public static let absent = ValuePattern(.absent)

  /// Any value, or none.
  public static let anything = ValuePattern(.anything)

  /// The text of a value that the run keeps.
  ///
  /// The name may be a template. Does not match if nothing is kept.
  public static func equalToCaptured(_ name: String) -> ValuePattern {
    ValuePattern(.equalToCaptured(ByteText(name)))
  }

  /// A number that the value is compared with.
  public static func number(_ comparison: NumberComparison, _ number: JSONNumber) -> ValuePattern {
    ValuePattern(.number(comparison, number))
  }

  /// A date that the value is compared with.
  public static func date(_ comparison: DateComparison, _ date: DatePattern) -> ValuePattern {
    ValuePattern(.date(comparison, date))
  }

  /// Every pattern matches; empty matches everything.
  public static func and(_ patterns: [ValuePattern]) -> ValuePattern {
    ValuePattern(.and(patterns))
  }

  /// At least one pattern matches.
  public static func or(_ patterns: [ValuePattern]) -> ValuePattern {
    ValuePattern(.or(patterns))
  }

  /// The pattern does not match.
  public static func not(_ pattern: ValuePattern) -> ValuePattern {
    ValuePattern(.not(pattern))
  }

  /// As many values as patterns, and for each pattern a value of its own.
  public static func hasExactly(_ patterns: [ValuePattern]) -> ValuePattern {
    ValuePattern(.hasExactly(patterns))
  }

  /// For each pattern a value that matches it; other values are free.
  public static func includes(_ patterns: [ValuePattern]) -> ValuePattern {
    ValuePattern(.includes(patterns))
  }
}

extension ValuePattern: ExpressibleByStringLiteral {
  /// Makes an ``equalTo(_:caseInsensitive:)``.
  public init(stringLiteral value: String) { self = .equalTo(value) }
}

extension ValuePattern {
  /// The operator.
  package var `operator`: ValueOperator {
    switch storage {
    case .equalTo: .equalTo
    case .contains: .contains
    case .doesNotContain: .doesNotContain
    case .matches: .matches
    case .doesNotMatch: .doesNotMatch
    case .absent: .absent
    case .anything: .anything
    case .equalToCaptured: .equalToCaptured
    case .number(let comparison, _): comparison.kind.valueOperator
    case .date(let comparison, _): comparison.kind.valueOperator
    case .hasExactly: .hasExactly
    case .includes: .includes
    case .and: .and
    case .or: .or
    case .not: .not
    }
  }

  /// The only text that satisfies the pattern; nil if there may be others.
  package var literal: String? {
    if case .equalTo(let text, ignoresCase: false) = storage { text.string } else { nil }
  }

  /// The text of an operator that has one; empty for others.
  package var text: String {
    switch storage {
    case .equalTo(let text, _), .contains(let text), .doesNotContain(let text), .matches(let text),
      .doesNotMatch(let text), .equalToCaptured(let text):
      text.string
    case .absent, .anything, .number, .date, .hasExactly, .includes, .and, .or, .not: ""
    }
  }

  /// The patterns inside of an operator that combines others; empty for others.
  package var patterns: [ValuePattern] {
    switch storage {
    case .hasExactly(let patterns), .includes(let patterns), .and(let patterns), .or(let patterns):
      patterns
    case .not(let pattern): [pattern]
    default: []
    }
  }

  /// The pattern with every pattern directly inside it replaced.
  package func mapPatterns(
    _ transform: (ValuePattern) throws -> ValuePattern
  ) rethrows -> ValuePattern {
    switch storage {
    case .hasExactly(let patterns): .hasExactly(try patterns.map(transform))
    case .includes(let patterns): .includes(try patterns.map(transform))
    case .and(let patterns): .and(try patterns.map(transform))
    case .or(let patterns): .or(try patterns.map(transform))
    case .not(let pattern): .not(try transform(pattern))
    default: self
    }
  }

  /// The pattern with every one inside that combines no others replaced.
  package func mapLeaves(
    _ transform: (ValuePattern) throws -> ValuePattern
  ) rethrows -> ValuePattern {
    switch self.operator.kind {
    case .pattern, .patterns: try mapPatterns { try $0.mapLeaves(transform) }
    case .text, .part, .expression, .name, .isTrue, .number, .date: try transform(self)
    }
  }

  /// The same operator with another text; the same pattern if it has none.
  package func with(text: String) -> ValuePattern {
    switch storage {
    case .equalTo(_, let ignoresCase): .equalTo(text, caseInsensitive: ignoresCase)
    case .contains: .contains(text)
    case .doesNotContain: .doesNotContain(text)
    case .matches: .matches(text)
    case .doesNotMatch: .doesNotMatch(text)
    case .equalToCaptured: .equalToCaptured(text)
    default: self
    }
  }
}

extension ValuePattern {
  /// Whether the pattern looks at all values of a name, so that it says itself how many there may be.
  package var isAboutAllValues: Bool {
    switch self.operator {
    case .hasExactly, .includes, .anything: true
    case .and, .or, .not: patterns.contains(where: \.isAboutAllValues)
    default: false
    }
  }
}
