internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// The steps of a query, as far as a value can be made for them: `$.items[0].sku`, `$..id`, `$.a[?@.b == 'x' && @.c > 1]`.
struct JSONPathSteps {
  enum Step {
    case member(String)
    case element(Int)
    /// An element that needs one of these; nil for an element that may be anything.
    case filter([JSONValue?])
  }

  private(set) var steps: [Step] = []

  /// Nil for other queries.
  init?(_ query: String) {
    var rest = query.trimmingCharacters(in: .whitespaces)[...]
    guard rest.popFirst() == "$" else { return nil }
    while !rest.isEmpty {
      if let match = rest.prefixMatch(of: /\.\.?([\p{L}_][\p{L}\p{N}_-]*)/) {
        steps.append(.member(String(match.output.1)))
        rest = rest[match.range.upperBound...]
      } else if let match = rest.prefixMatch(of: /\.\.?\*/) {
        steps.append(.element(0))
        rest = rest[match.range.upperBound...]
      } else {
        if rest.hasPrefix("..[") { rest.removeFirst(2) }
        guard rest.first == "[", let part = QueryScanner.bracketed(String(rest)),
          let step = Self.step(part.inside.trimmingCharacters(in: .whitespaces))
        else { return nil }
        steps.append(step)
        rest = part.rest[...]
      }
    }
  }

  /// The values that have a leaf where the query selects it, one for each way to satisfy the filters.
  func values(around leaf: JSONValue) -> [JSONValue] {
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

  /// The step that brackets stand for.
  private static func step(_ selector: String) -> Step? {
    if selector.hasPrefix("?") {
      let filter = JSONPathFilter.ways(String(selector.dropFirst()))
      return filter.isEmpty ? nil : .filter(filter)
    }
    let first = QueryScanner.parts(of: selector, at: ",")[0]
    if let name = JSONPathFilter.text(first) { return .member(name) }
    if first == "*" { return .element(0) }
    // Of a slice its first element; those counted from the end may be the first.
    let number = QueryScanner.parts(of: first, at: ":")[0]
    if number.isEmpty, first.contains(":") { return .element(0) }
    return Int(number).flatMap { $0 > 99 ? nil : .element(max(0, $0)) }
  }
}

/// Finds what the condition of a filter needs.
enum JSONPathFilter {
  private static let maximumCount = 8

  /// The ways to satisfy a condition: a value with what it needs, nil if it needs nothing; empty if none was found.
  static func ways(_ condition: String) -> [JSONValue?] {
    let choices = QueryScanner.parts(of: condition, at: "||")
    if choices.count > 1 { return Array(choices.flatMap(ways).prefix(maximumCount)) }
    let parts = QueryScanner.parts(of: condition, at: "&&")
    guard parts.count > 1 else { return waysOfOne(parts[0]) }
    return parts.map(ways).reduce([nil]) { made, ways in
      Array(made.flatMap { one in ways.map { joined(one, $0) } }.prefix(maximumCount))
    }
  }

  private static func joined(_ one: JSONValue?, _ other: JSONValue?) -> JSONValue? {
    guard let one, let other else { return one ?? other }
    return ExampleJSON.merged(one, other)
  }

  private static func waysOfOne(_ condition: String) -> [JSONValue?] {
    // What is not to be there is not there.
    if condition.hasPrefix("!"), !condition.hasPrefix("!=") { return [nil] }
    if condition.hasPrefix("("), let part = QueryScanner.bracketed(condition), part.rest.isEmpty {
      return ways(part.inside)
    }
    for sign in ["==", "!=", ">=", "<=", ">", "<"] {
      let sides = QueryScanner.parts(of: condition, at: sign)
      guard sides.count == 2 else { continue }
      return literal(sides[1]).map { compared(sides[0], sign, $0) }
        ?? literal(sides[0]).map { compared(sides[1], flipped[sign] ?? sign, $0) } ?? []
    }
    if let (name, arguments) = function(condition), arguments.count == 2,
      ["match", "search"].contains(name), let expression = text(arguments[1])
    {
      let texts = ExamplePattern.texts(expression.replacing("\\\\", with: "\\"))
      return texts.compactMap { place(arguments[0], .string($0)) }
    }
    return place(condition, "any").map { [$0] } ?? []
  }

  private static let flipped = ["<": ">", ">": "<", "<=": ">=", ">=": "<="]

  private static func compared(_ side: String, _ sign: String, _ value: JSONValue) -> [JSONValue?] {
    let wanted = near(value, sign)
    guard let (name, arguments) = function(side), let argument = arguments.first else {
      return place(side, wanted).map { [$0] } ?? []
    }
    guard ["length", "count", "value"].contains(name) else { return [] }
    if name == "value" { return place(argument, wanted).map { [$0] } ?? [] }
    guard case .number(let number) = wanted, let count = Int(number.text),
      (0...1_000).contains(count)
    else { return [] }
    let list = argument.hasSuffix("[*]") ? String(argument.dropLast(3)) : argument
    return [
      JSONValue.array(Array(repeating: 1, count: count)),
      .string(String(repeating: "a", count: count)),
    ].compactMap { place(list, $0) }
  }

  /// A value for which the comparison with another one is true.
  private static func near(_ value: JSONValue, _ sign: String) -> JSONValue {
    guard sign != "!=" else { return value == "any" ? "other" : "any" }
    guard case .number(let number) = value, let near = Int(number.text) else { return value }
    switch sign {
    case ">": return .number(JSONNumber(near + 1))
    case "<": return .number(JSONNumber(near - 1))
    default: return value
    }
  }

  /// A value with another one at the place that a query below the element names; one from the root needs nothing more.
  private static func place(_ query: String, _ value: JSONValue) -> JSONValue?? {
    if query.hasPrefix("$") { return .some(nil) }
    guard query.hasPrefix("@"), let path = JSONPathSteps("$" + query.dropFirst()) else {
      return nil
    }
    // Any member or element is there in every example.
    if query == "@[*]" || query == "@.*" { return .some(nil) }
    return path.values(around: value).first
  }

  private static func function(_ text: String) -> (name: String, arguments: [String])? {
    guard let start = text.firstIndex(of: "("), start > text.startIndex,
      let part = QueryScanner.bracketed(String(text[start...])), part.rest.isEmpty
    else { return nil }
    return (String(text[..<start]), QueryScanner.parts(of: part.inside, at: ","))
  }

  private static func literal(_ operand: String) -> JSONValue? {
    if let text = text(operand) { return .string(text) }
    return try? JSONValue(parsing: operand)
  }

  /// The text between quotation marks; nil without them.
  static func text(_ operand: String) -> String? {
    guard operand.unicodeScalars.count > 1, let mark = operand.unicodeScalars.first,
      mark == "'" || mark == "\"", operand.unicodeScalars.last == mark
    else { return nil }
    let inside = String(operand.unicodeScalars.dropFirst().dropLast())
    return inside.replacing("\\\(mark)", with: "\(mark)")
  }
}
