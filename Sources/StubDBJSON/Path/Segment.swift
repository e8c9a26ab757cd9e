/// A step of a query: selectors that apply to the children, or to all descendants.
struct Segment: Hashable, Sendable {
  var isDescendant: Bool
  var selectors: [Selector]
}

/// A selector among the children of a value.
///
/// https://www.rfc-editor.org/rfc/rfc9535#section-2.3
indirect enum Selector: Hashable, Sendable {
  case name(String)
  case wildcard
  case index(Int)
  case slice(start: Int?, end: Int?, step: Int)
  case filter(Condition)
}

/// A logical expression of a filter.
///
/// https://www.rfc-editor.org/rfc/rfc9535#section-2.3.5
indirect enum Condition: Hashable, Sendable {
  case or([Condition])
  case and([Condition])
  case not(Condition)
  case exists(Query)
  case comparison(Operand, Comparison, Operand)
  case test(FunctionCall)
}

/// The comparison operators.
enum Comparison: String, Hashable, Sendable {
  case equal = "=="
  case notEqual = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case less = "<"
  case greater = ">"
}

/// A query inside a filter: from the current value (`@`) or from the root (`$`).
struct Query: Hashable, Sendable {
  var isRelative: Bool
  var segments: [Segment]

  /// Whether the query selects at most one value.
  var isSingular: Bool {
    segments.allSatisfy { segment in
      guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
      switch segment.selectors[0] {
      case .name, .index: return true
      case .wildcard, .slice, .filter: return false
      }
    }
  }
}

/// An operand of a comparison, or an argument that is a value.
enum Operand: Hashable, Sendable {
  case literal(Literal)
  case singular(Query)
  case function(FunctionCall)
}

/// A literal of a filter.
enum Literal: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
}

/// A call of one of the five functions of RFC 9535, with arguments of the right types.
///
/// https://www.rfc-editor.org/rfc/rfc9535#section-2.4
indirect enum FunctionCall: Hashable, Sendable {
  case length(Operand)
  case count(Query)
  case value(Query)
  case match(Operand, Operand)
  case search(Operand, Operand)

  /// Whether the result is a value that can be compared; otherwise it is a logical value.
  var isValue: Bool {
    switch self {
    case .length, .count, .value: true
    case .match, .search: false
    }
  }
}
