internal import StubDBJSON
internal import StubDBSupport

/// Makes values in which a query selects something: `$.items[0].sku`, `$..id`, `$.a[?@.b == 'x' && @.c > 1]`.
enum JSONPathExample {
  /// The largest index for which elements are made.
  private static let maximumIndex = 99
  private static let maximumCount = 8
  private static let maximumLength = 1_000

  private enum Step {
    case member(String)
    case element(Int)
    /// An element that needs one of these; nil for an element that may be anything.
    case filter([JSONValue?])
  }

  /// The values that have a leaf where a query selects it, one for each way to satisfy the filters; empty if none was
  /// found.
  static func values(of segments: [JSONPath.Segment], around leaf: JSONValue) -> [JSONValue] {
    let steps = segments.compactMap { $0.selectors.first.flatMap(step) }
    guard steps.count == segments.count else { return [] }
    let count = steps.reduce(1) { count, step in
      if case .filter(let wanted) = step { max(count, wanted.count) } else { count }
    }
    return (0..<count).map { way in
      steps.reversed().reduce(leaf) { value, step in
        switch step {
        case .member(let name): return .object([name: value])
        case .element(let index):
          return .array(Array(repeating: .null, count: index) + [value])
        case .filter(let ways):
          guard let wanted = ways[min(way, ways.count - 1)] else { return .array([value]) }
          guard case .object = value else { return .array([wanted]) }
          return .array([ExampleJSON.merged(wanted, value)])
        }
      }
    }
  }

  private static func step(_ selector: JSONPath.Selector) -> Step? {
    switch selector {
    case .name(let name): return .member(name)
    case .wildcard, .slice(start: nil, _, _): return .element(0)
    // Those counted from the end may be the first.
    case .index(let index), .slice(let index?, _, _):
      return index > maximumIndex ? nil : .element(max(0, index))
    case .filter(let condition):
      let ways = ways(condition)
      return ways.isEmpty ? nil : .filter(ways)
    }
  }

  /// The ways to satisfy a condition: a value with what it needs, nil if it needs nothing; empty if none was found.
  private static func ways(_ condition: JSONPath.Condition) -> [JSONValue?] {
    switch condition {
    case .or(let choices): return Array(choices.flatMap(ways).prefix(maximumCount))
    case .and(let parts):
      return parts.map(ways).reduce([nil]) { made, ways in
        Array(made.flatMap { one in ways.map { joined(one, $0) } }.prefix(maximumCount))
      }
    // What is not to be there is not there.
    case .not: return [nil]
    case .exists(let query): return place(query, "any")
    case .comparison(let operand, let comparison, .literal(let value)):
      return compared(operand, comparison, value)
    case .comparison(.literal(let value), let comparison, let operand):
      return compared(operand, comparison.flipped, value)
    case .test(.find(.singular(let query), .compiled(let expression?), _)):
      return ExamplePattern.texts(expression.pattern).flatMap { place(query, .string($0)) }
    case .comparison, .test: return []
    }
  }

  private static func joined(_ one: JSONValue?, _ other: JSONValue?) -> JSONValue? {
    guard let one, let other else { return one ?? other }
    return ExampleJSON.merged(one, other)
  }

  private static func compared(
    _ operand: JSONPath.Operand, _ comparison: JSONPath.Comparison, _ value: JSONValue
  ) -> [JSONValue?] {
    let wanted = near(value, comparison)
    switch operand {
    case .singular(let query), .function(.value(let query)): return place(query, wanted)
    case .function(.length(.singular(var query))), .function(.count(var query)):
      guard case .number(let number) = wanted, let count = Int(number.text),
        (0...maximumLength).contains(count)
      else { return [] }
      if case .wildcard? = query.segments.last?.selectors.first { query.segments.removeLast() }
      return place(query, .array(Array(repeating: 1, count: count)))
        + place(query, .string(String(repeating: "a", count: count)))
    case .literal, .function: return []
    }
  }

  /// A value for which the comparison with another one is true.
  private static func near(_ value: JSONValue, _ comparison: JSONPath.Comparison) -> JSONValue {
    let offset: Int
    switch comparison {
    case .notEqual: return value == "any" ? "other" : "any"
    case .greater: offset = 1
    case .less: offset = -1
    case .equal, .lessOrEqual, .greaterOrEqual: return value
    }
    guard case .number(let number) = value, let near = Int(number.text) else { return value }
    return .number(JSONNumber(near + offset))
  }

  /// A value with another one where a query selects it; one from the root, and one for anything, needs nothing more.
  private static func place(_ query: JSONPath.Query, _ value: JSONValue) -> [JSONValue?] {
    guard query.isRelative else { return [nil] }
    if query.segments.count == 1, case .wildcard? = query.segments[0].selectors.first {
      return [nil]
    }
    return values(of: query.segments, around: value).prefix(1).map(\.self)
  }
}

extension JSONPath.Comparison {
  fileprivate var flipped: JSONPath.Comparison {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .greater: .less
    case .lessOrEqual: .greaterOrEqual
    case .greaterOrEqual: .lessOrEqual
    }
  }
}
