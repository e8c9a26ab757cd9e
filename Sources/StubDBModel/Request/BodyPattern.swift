/// What the content of a request must satisfy.
///
/// An operator of a body, or one of a value on the content as text. Operator names and meanings are WireMock's.
/// https://wiremock.org/docs/request-matching/
public struct BodyPattern: Hashable, Sendable {
  /// What the pattern is made of.
  package let storage: Storage

  package indirect enum Storage: Hashable, Sendable {
    case value(ValuePattern)
    case and([BodyPattern])
    case or([BodyPattern])
    case not(BodyPattern)
    /// An operator of the table in `BodyOperators.swift`.
    case operation(AnyBodyOperator)
  }

  package init(_ storage: Storage) {
    self.storage = storage
  }

  package init(_ operation: some BodyOperator) {
    storage = .operation(AnyBodyOperator(operation))
  }

  /// The operator, unless it is one of a value or one that combines patterns.
  package var operation: (any BodyOperator)? {
    if case .operation(let operation) = storage { operation.base } else { nil }
  }
}

extension BodyPattern {
  /// A value pattern on the content as UTF-8 text; an empty body is an absent value.
  ///
  /// `and`, `or` and `not` become those of body patterns, which mean the same.
  public static func value(_ pattern: ValuePattern) -> BodyPattern {
    switch pattern.storage {
    case .and(let patterns): .and(patterns.map(BodyPattern.value))
    case .or(let patterns): .or(patterns.map(BodyPattern.value))
    case .not(let pattern): .not(.value(pattern))
    default: BodyPattern(.value(pattern))
    }
  }

  /// Every pattern matches; empty matches everything.
  public static func and(_ patterns: [BodyPattern]) -> BodyPattern { BodyPattern(.and(patterns)) }

  /// At least one pattern matches.
  public static func or(_ patterns: [BodyPattern]) -> BodyPattern { BodyPattern(.or(patterns)) }

  /// The pattern does not match.
  public static func not(_ pattern: BodyPattern) -> BodyPattern { BodyPattern(.not(pattern)) }
}
