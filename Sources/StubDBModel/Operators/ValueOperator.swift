internal import StubDBJSON

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

  /// A pattern with the operator in words.
  func phrase(of pattern: ValuePattern, _ style: PhraseStyle) -> String {
    let (text, number) = (pattern.text, pattern.number)
    return switch self {
    case .equalTo: style.noun(style.quoted(text) + (pattern.ignoresCase ? " in any case" : ""))
    case .contains: "contains \(style.quoted(text))"
    case .doesNotContain: "does not contain \(style.quoted(text))"
    case .matches: "matches \(style.quoted(text))"
    case .doesNotMatch: "does not match \(style.quoted(text))"
    case .absent: style.noun("absent")
    case .anything: style.noun("anything")
    case .equalToCaptured: style.noun("the value captured as \(style.quoted(text))")
    case .equalToNumber: style.noun("the number \(number)")
    case .greaterThanNumber: "> \(number)"
    case .greaterThanEqualNumber: ">= \(number)"
    case .lessThanNumber: "< \(number)"
    case .lessThanEqualNumber: "<= \(number)"
    case .before: style.noun("before \(pattern.date)")
    case .after: style.noun("after \(pattern.date)")
    case .equalToDateTime: style.noun("the moment \(pattern.date)")
    case .hasExactly: style.noun("exactly " + style.list(pattern.patterns))
    case .includes: "includes " + style.list(pattern.patterns)
    case .and: style.joined(pattern.patterns, "and") ?? style.noun("anything")
    case .or: style.joined(pattern.patterns, "or") ?? style.noun("impossible")
    case .not: "not (\(style.joined(pattern.patterns, "and") ?? ""))"
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
}

extension DateComparison.Kind {
  var valueOperator: ValueOperator {
    switch self {
    case .before: .before
    case .after: .after
    case .equalTo: .equalToDateTime
    }
  }
}

extension ValuePattern {
  fileprivate var number: String {
    if case .number(let number) = operand { number.text } else { "" }
  }

  /// The expected date in words: `now +3 days, first day of month`.
  fileprivate var date: String {
    guard case .date(let date) = operand else { return "" }
    let offset = date.expectedOffset.map {
      " \($0.count < 0 ? "" : "+")\($0.count) \($0.unit.rawValue)"
    }
    return date.expected + (offset ?? "")
      + (date.truncateExpected.map { ", \($0.rawValue)" } ?? "")
  }
}
