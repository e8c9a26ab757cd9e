package import StubDBSupport

/// A query that selects values inside a JSON value, by RFC 9535.
///
/// Parsed and checked once; selecting never fails. https://www.rfc-editor.org/rfc/rfc9535
package struct JSONPath: Sendable, CustomStringConvertible {
  /// The query as it was written.
  package let description: String
  /// The steps of the query, in order.
  package let segments: [Segment]

  /// Parses a query.
  ///
  /// - Throws: A ``JSONPathSyntaxError`` if the text is not well-formed or not valid: an unknown
  ///   function, a wrong number or type of arguments, an integer beyond 2^53 - 1.
  package init(_ text: String) throws(JSONPathSyntaxError) {
    var parser = Parser(text)
    segments = try parser.parseQuery()
    description = text
  }

  /// The values that the query selects, in order; members of an object come sorted by name.
  ///
  /// The same value may be there more than once. Costs time in proportion to the values visited;
  /// a filter inside a filter, or `..` behind `..`, multiplies them.
  package func values(in root: JSONValue) -> [JSONValue] {
    select(from: root, Budget(.max), keepsPlaces: false).map(\.value)
  }

  /// The values that the query selects in a value from an untrusted source; nil if it would visit more values than the limit.
  ///
  /// The visits are taken off the limit, which is below 0 afterwards if it was too low. Also nil if a regular expression
  /// of the query takes longer than some tenths of a second.
  package func values(in root: JSONValue, visiting limit: inout Int) -> [JSONValue]? {
    let budget = Budget(limit)
    let nodes = select(from: root, budget, keepsPlaces: false)
    limit = budget.left
    return budget.isExhausted ? nil : nodes.map(\.value)
  }

  /// What the query selects, with the places; nil if it would visit more values than the limit.
  ///
  /// The visits are taken off the limit, as in ``values(in:visiting:)``.
  package func locatedValues(in root: JSONValue, visiting limit: inout Int) -> [LocatedJSON]? {
    let budget = Budget(limit)
    let nodes = select(from: root, budget, keepsPlaces: true)
    limit = budget.left
    return budget.isExhausted ? nil : nodes.map { LocatedJSON($0.value, at: $0.pointer) }
  }

  private func select(
    from root: JSONValue, _ budget: Budget, keepsPlaces: Bool
  ) -> [Evaluation.Node] {
    Evaluation(root: root, budget: budget, keepsPlaces: keepsPlaces)
      .select(segments, from: Evaluation.Node(value: root, place: nil))
  }
}

extension JSONPath: Hashable {
  /// Two queries are equal if they are written alike.
  package static func == (left: JSONPath, right: JSONPath) -> Bool {
    ByteText.isEqual(left.description, right.description)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

/// A value and its place in the value that a query searched.
package struct LocatedJSON: Hashable, Sendable {
  package let value: JSONValue
  package let pointer: JSONPointer

  init(_ value: JSONValue, at pointer: JSONPointer) {
    (self.value, self.pointer) = (value, pointer)
  }
}

extension JSONValue {
  /// The value without what the query selects, null if it selects the value itself; nil if it visits too many values.
  package func removing(_ query: JSONPath, visiting limit: inout Int) -> JSONValue? {
    guard let places = query.locatedValues(in: self, visiting: &limit) else { return nil }
    if places.isEmpty { return self }
    return without(Set(places.map(\.pointer)), at: JSONPointer()) ?? .null
  }

  private func without(_ places: Set<JSONPointer>, at place: JSONPointer) -> JSONValue? {
    if places.contains(place) { return nil }
    switch self {
    case .array(let elements):
      return .array(
        elements.enumerated().compactMap { $1.without(places, at: place.appending($0)) })
    case .object(let members):
      var left: JSONObject = [:]
      for (name, member) in members {
        left[name] = member.without(places, at: place.appending(name))
      }
      return .object(left)
    default: return self
    }
  }
}

/// A text that is not a JSONPath query, and where.
package struct JSONPathSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, as a phrase.
  package let message: String
  /// Where, in Unicode scalars from 0.
  package let offset: Int

  /// The phrase with its place.
  package var description: String { "\(message) at character \(offset + 1)" }
}

extension JSONPath {
  /// One step of a query: selectors for the children, or for all descendants.
  package struct Segment: Sendable {
    package var isDescendant: Bool
    package var selectors: [Selector]
  }

  /// What a segment selects among the children of a value.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9535#section-2.3
  package indirect enum Selector: Sendable {
    case name(String)
    case wildcard
    case index(Int)
    case slice(start: Int?, end: Int?, step: Int)
    case filter(Condition)
  }

  /// A logical expression of a filter.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9535#section-2.3.5
  package indirect enum Condition: Sendable {
    case or([Condition])
    case and([Condition])
    case not(Condition)
    case exists(Query)
    case comparison(Operand, Comparison, Operand)
    case test(FunctionCall)
  }

  /// The comparison operators.
  package enum Comparison: String, Sendable {
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
  }

  /// A query inside a filter: from the current value (`@`) or from the root (`$`).
  package struct Query: Sendable {
    package var isRelative: Bool
    package var segments: [Segment]

    /// Whether the query selects at most one value.
    package var isSingular: Bool {
      segments.allSatisfy { segment in
        guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
        switch segment.selectors[0] {
        case .name, .index: return true
        case .wildcard, .slice, .filter: return false
        }
      }
    }
  }

  /// One side of a comparison, or an argument that is a value.
  package enum Operand: Sendable {
    case literal(JSONValue)
    case singular(Query)
    case function(FunctionCall)
  }

  /// A call of one of the five functions of RFC 9535 with arguments of the right types.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9535#section-2.4
  package indirect enum FunctionCall: Sendable {
    case length(Operand)
    case count(Query)
    case value(Query)
    /// `match` (whole) and `search`.
    case find(in: Operand, Expression, isWhole: Bool)

    /// Whether the result is a value that can be compared; otherwise it is true or false.
    package var isValue: Bool {
      switch self {
      case .length, .count, .value: true
      case .find: false
      }
    }
  }

  /// The regular expression of a call.
  package enum Expression: Sendable {
    /// A literal; nil if it is not an expression, which in RFC 9535 matches nothing.
    case compiled(BoundedRegex?)
    /// One that the searched value contains or that is computed from it.
    case computed(Operand)
  }
}
