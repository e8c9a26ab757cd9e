internal import StubDBJSON

/// The operators of a value, in canonical order.
///
/// The raw value is the name in a document. All that the model knows of an operator is its ``entry``: reading, writing,
/// the JSON Schema and phrases follow from it. What the engine knows of it is in its `ValueOperators.swift`.
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

  /// What the model knows of an operator.
  package struct Entry: Sendable {
    package let kind: Kind
    /// The other keys that an object with the operator may have.
    let options: [OperatorOption]
    /// What it means, for the JSON Schema.
    let description: String
    /// A pattern with the operator in words.
    let phrase: @Sendable (ValuePattern, any PhraseStyle) -> String

    fileprivate init(
      _ kind: Kind, options: [OperatorOption] = [], _ description: String,
      phrase: @escaping @Sendable (ValuePattern, any PhraseStyle) -> String
    ) {
      self.kind = kind
      self.options = options
      self.description = description
      self.phrase = phrase
    }
  }

  package var entry: Entry {
    switch self {
    case .equalTo:
      Entry(.text, options: [.caseInsensitive], "Exactly this text") {
        $1.noun($1.quoted($0.text) + ($0.ignoresCase ? " in any case" : ""))
      }
    case .contains:
      Entry(.part, "A text that the value contains") { "contains \($1.quoted($0.text))" }
    case .doesNotContain:
      Entry(.part, "A text that the value does not contain; an absent value matches") {
        "does not contain \($1.quoted($0.text))"
      }
    case .matches:
      Entry(.expression, "A regular expression that the whole value matches") {
        "matches \($1.quoted($0.text))"
      }
    case .doesNotMatch:
      Entry(
        .expression,
        "A regular expression that the whole value does not match; an absent value matches"
      ) { "does not match \($1.quoted($0.text))" }
    case .absent: Entry(.isTrue, "The value is absent") { $1.noun("absent") }
    case .anything: Entry(.isTrue, "Any value, or no value") { $1.noun("anything") }
    case .equalToCaptured:
      Entry(.name, "The value equals a captured value of this name, which may be a template") {
        $1.noun("the value captured as \($1.quoted($0.text))")
      }
    case .equalToNumber:
      Entry(.number, "The value is this number") { $1.noun("the number \($0.number)") }
    case .greaterThanNumber:
      Entry(.number, "The value is a number greater than this") { pattern, _ in
        "> \(pattern.number)"
      }
    case .greaterThanEqualNumber:
      Entry(.number, "The value is this number or greater") { pattern, _ in ">= \(pattern.number)" }
    case .lessThanNumber:
      Entry(.number, "The value is a number less than this") { pattern, _ in "< \(pattern.number)" }
    case .lessThanEqualNumber:
      Entry(.number, "The value is this number or less") { pattern, _ in "<= \(pattern.number)" }
    case .before:
      Entry(
        .date, options: OperatorOption.ofDates,
        "The value is earlier than this date, or than now with an offset such as \\\"now +3 days\\\""
      ) { $1.noun("before \($0.date)") }
    case .after:
      Entry(
        .date, options: OperatorOption.ofDates,
        "The value is later than this date, or than now with an offset"
      ) { $1.noun("after \($0.date)") }
    case .equalToDateTime:
      Entry(.date, options: OperatorOption.ofDates, "The value is the same moment as this date") {
        $1.noun("the moment \($0.date)")
      }
    case .hasExactly:
      Entry(
        .patterns, "As many values as patterns, and a different matching value for each pattern"
      ) { $1.noun("exactly " + $1.list($0.patterns)) }
    case .includes:
      Entry(.patterns, "A matching value for each pattern; other values are allowed") {
        "includes " + $1.list($0.patterns)
      }
    case .and:
      Entry(.patterns, "Every pattern matches") {
        $1.joined($0.patterns, "and") ?? $1.noun("anything")
      }
    case .or:
      Entry(.patterns, "At least one pattern matches") {
        $1.joined($0.patterns, "or") ?? $1.noun("impossible")
      }
    case .not:
      Entry(.pattern, "The pattern does not match") {
        "not (\($1.joined($0.patterns, "and") ?? ""))"
      }
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
