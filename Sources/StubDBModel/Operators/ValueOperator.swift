internal import StubDBJSON
internal import StubDBSupport

/// The operators of a value, in canonical order.
///
/// The raw value is the name in a document. All that the model knows of an operator is in this file: reading, writing
/// and phrases follow from it. What the engine knows of it is in its `ValueOperators.swift`, and what it means is in the
/// JSON Schema, `docs/stubdb.schema.json`.
package enum ValueOperator: String, Hashable, Sendable, CaseIterable {
  case equalTo
  case contains
  case doesNotContain
  case matches
  case doesNotMatch
  case absent
  case anything
  case equalToCaptured
  case equalToNumber
  case greaterThanNumber
  case greaterThanEqualNumber
  case lessThanNumber
  case lessThanEqualNumber
  case before
  case after
  case equalToDateTime
  case hasExactly
  case includes
  case and
  case or
  case not

  /// What an operator is applied with.
  package enum Kind: Sendable {
    /// The text of a whole value, or a part of it.
    case text, part
    /// A regular expression of Java's language.
    case expression
    /// A name under which a run keeps a value; may be a template.
    case name
    /// Nothing: a document has `true`.
    case isTrue
    case number
    case date
    case pattern
    case patterns
  }

  /// What the operator is applied with.
  package var kind: Kind {
    switch self {
    case .equalTo: .text
    case .contains, .doesNotContain: .part
    case .matches, .doesNotMatch: .expression
    case .absent, .anything: .isTrue
    case .equalToCaptured: .name
    case .equalToNumber, .greaterThanNumber, .greaterThanEqualNumber, .lessThanNumber,
      .lessThanEqualNumber:
      .number
    case .before, .after, .equalToDateTime: .date
    case .hasExactly, .includes, .and, .or: .patterns
    case .not: .pattern
    }
  }

  /// The other keys that an object with the operator may have.
  package var options: [String] {
    switch self {
    case .equalTo: ["caseInsensitive"]
    case .before, .after, .equalToDateTime:
      [
        "actualFormat", "truncateExpected", "truncateActual", "applyTruncationLast",
        "expectedOffset", "expectedOffsetUnit",
      ]
    case .contains, .doesNotContain, .matches, .doesNotMatch, .absent, .anything, .equalToCaptured,
      .equalToNumber, .greaterThanNumber, .greaterThanEqualNumber, .lessThanNumber,
      .lessThanEqualNumber, .hasExactly, .includes, .and, .or, .not:
      []
    }
  }
}

extension ValuePattern {
  /// The pattern in words: `matches "Bearer .+"`.
  package func phrase(_ style: PhraseStyle) -> String {
    switch storage {
    case .equalTo(let text, let ignoresCase):
      style.noun(style.quoted(text.string) + (ignoresCase ? " in any case" : ""))
    case .contains(let text): "contains \(style.quoted(text.string))"
    case .doesNotContain(let text): "does not contain \(style.quoted(text.string))"
    case .matches(let text): "matches \(style.quoted(text.string))"
    case .doesNotMatch(let text): "does not match \(style.quoted(text.string))"
    case .absent: style.noun("absent")
    case .anything: style.noun("anything")
    case .equalToCaptured(let name):
      style.noun("the value captured as \(style.quoted(name.string))")
    case .number(let comparison, let number): comparison.kind.phrase(number.text, style)
    case .date(let comparison, let date): style.noun(comparison.kind.phrase(date))
    case .hasExactly(let patterns): style.noun("exactly " + style.list(patterns))
    case .includes(let patterns): "includes " + style.list(patterns)
    case .and(let patterns): style.joined(patterns, "and") ?? style.noun("anything")
    case .or(let patterns): style.joined(patterns, "or") ?? style.noun("impossible")
    case .not(let pattern): "not (\(pattern.phrase(style)))"
    }
  }
}

extension NumberComparison.Kind {
  var valueOperator: ValueOperator {
    switch self {
    case .equalTo: .equalToNumber
    case .greaterThan: .greaterThanNumber
    case .greaterThanOrEqual: .greaterThanEqualNumber
    case .lessThan: .lessThanNumber
    case .lessThanOrEqual: .lessThanEqualNumber
    }
  }

  fileprivate func phrase(_ number: String, _ style: PhraseStyle) -> String {
    switch self {
    case .equalTo: style.noun("the number \(number)")
    case .greaterThan: "> \(number)"
    case .greaterThanOrEqual: ">= \(number)"
    case .lessThan: "< \(number)"
    case .lessThanOrEqual: "<= \(number)"
    }
  }
}

extension DateComparison.Kind {
  var valueOperator: ValueOperator {
    switch self {
    case .before: .before
    case .after: .after
    case .equalTo: .equalToDateTime
    }
  }

  /// The comparison in words: `before now +3 days, first day of month`.
  fileprivate func phrase(_ date: DatePattern) -> String {
    let word =
      switch self {
      case .before: "before"
      case .after: "after"
      case .equalTo: "the moment"
      }
    let offset = date.expectedOffset.map {
      " \($0.count < 0 ? "" : "+")\($0.count) \($0.unit.rawValue)"
    }
    return "\(word) \(date.expected)" + (offset ?? "")
      + (date.truncateExpected.map { ", \($0.rawValue)" } ?? "")
  }
}
