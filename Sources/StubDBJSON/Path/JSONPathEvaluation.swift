internal import StubDBSupport

extension JSONPath {
  /// The limit on the work of one evaluation.
  ///
  /// Belongs to the one call that made it.
  final class Budget {
    /// How many values may still be visited; below 0 once that was not enough.
    private(set) var left: Int
    /// Expressions that are not literals, by their text; nil for a text that is not an expression.
    private var expressions: [String: BoundedRegex?] = [:]
    private static let mostExpressions = 100

    init(_ limit: Int) { left = limit }

    var isExhausted: Bool { left < 0 }

    /// Takes the visits of so many values; false if the limit is exceeded.
    func take(_ count: Int) -> Bool {
      left = left < 0 ? left : left - count
      return left >= 0
    }

    /// A regular expression, compiled once for all values it is applied to.
    func expression(_ pattern: String, isWhole: Bool) -> BoundedRegex? {
      let key = (isWhole ? "=" : "~") + pattern
      if let known = expressions[key] { return known }
      let expression = BoundedRegex(interoperable: pattern, isWhole: isWhole)
      if expressions.count < Self.mostExpressions { expressions[key] = .some(expression) }
      return expression
    }

    /// Whether the text matches; false, with the budget used up, if that takes too long, as `(a+)+b` can.
    func isFound(_ expression: BoundedRegex, in text: String) -> Bool {
      guard left >= 0 else { return false }
      let verdict = expression.isFound(in: text, visiting: &left)
      if verdict == nil { left = -1 }
      return verdict ?? false
    }
  }

  /// Applies parsed queries to one JSON value.
  struct Evaluation {
    /// A value on the way, and its place if places are kept.
    struct Node {
      let value: JSONValue
      let place: Place?

      var pointer: JSONPointer {
        var tokens: [String] = []
        var place = place
        while let step = place {
          tokens.append(step.token)
          place = step.parent
        }
        return JSONPointer(tokens.reversed())
      }
    }

    /// A list from the inside out, which siblings share.
    final class Place {
      let token: String
      let parent: Place?

      init(_ token: String, in parent: Place?) {
        (self.token, self.parent) = (token, parent)
      }
    }

    let root: JSONValue
    let budget: Budget
    let keepsPlaces: Bool

    func select(_ segments: [Segment], from start: Node) -> [Node] {
      var selected = [start]
      for segment in segments {
        var next: [Node] = []
        for node in selected { append(segment, of: node, to: &next) }
        selected = next
        if selected.isEmpty { break }
      }
      return selected
    }
  }
}

extension JSONPath.Evaluation {
  private func append(_ segment: JSONPath.Segment, of node: Node, to result: inout [Node]) {
    guard budget.take(1) else { return }
    for selector in segment.selectors { append(selector, of: node, to: &result) }
    guard segment.isDescendant else { return }
    for child in children(of: node) { append(segment, of: child, to: &result) }
  }

  private func append(_ selector: JSONPath.Selector, of node: Node, to result: inout [Node]) {
    switch (selector, node.value) {
    case (.name(let name), .object(let members)):
      if let value = members[name] { result.append(child(value, name, of: node)) }
    case (.index(let index), .array(let elements)):
      let index = index < 0 ? elements.count + index : index
      if elements.indices.contains(index) {
        result.append(child(elements[index], index, of: node))
      }
    case (.slice(let start, let end, let step), .array(let elements)):
      let indices = Self.indices(start: start, end: end, step: step, count: elements.count)
      guard budget.take(indices.count) else { return }
      for index in indices { result.append(child(elements[index], index, of: node)) }
    case (.wildcard, _):
      let children = children(of: node)
      if budget.take(children.count) { result.append(contentsOf: children) }
    case (.filter(let condition), _):
      for child in children(of: node) where budget.take(1) && holds(condition, at: child.value) {
        result.append(child)
      }
    default: break
    }
  }

  private func child(_ value: JSONValue, _ name: String, of parent: Node) -> Node {
    Node(value: value, place: keepsPlaces ? Place(name, in: parent.place) : nil)
  }

  private func child(_ value: JSONValue, _ index: Int, of parent: Node) -> Node {
    Node(value: value, place: keepsPlaces ? Place(String(index), in: parent.place) : nil)
  }

  private func children(of node: Node) -> [Node] {
    switch node.value {
    case .array(let elements):
      elements.enumerated().map { child($0.element, $0.offset, of: node) }
    case .object(let members):
      members.sorted { $0.key < $1.key }.map { child($0.value, $0.key, of: node) }
    case .null, .bool, .number, .string: []
    }
  }

  /// The indexes of a slice. https://www.rfc-editor.org/rfc/rfc9535#section-2.3.4.2.2
  private static func indices(start: Int?, end: Int?, step: Int, count: Int) -> [Int] {
    guard step != 0 else { return [] }
    func normalized(_ index: Int) -> Int { index < 0 ? count + index : index }
    if step > 0 {
      let lower = min(max(normalized(start ?? 0), 0), count)
      let upper = min(max(normalized(end ?? count), 0), count)
      return Array(stride(from: lower, to: upper, by: step))
    }
    let upper = min(max(start.map(normalized) ?? count - 1, -1), count - 1)
    let lower = min(max(end.map(normalized) ?? -1, -1), count - 1)
    return Array(stride(from: upper, to: lower, by: step))
  }
}

// What filters ask. A missing value is nil here: RFC 9535's "Nothing".
extension JSONPath.Evaluation {
  private func holds(_ condition: JSONPath.Condition, at current: JSONValue) -> Bool {
    switch condition {
    case .or(let conditions): conditions.contains { holds($0, at: current) }
    case .and(let conditions): conditions.allSatisfy { holds($0, at: current) }
    case .not(let condition): !holds(condition, at: current)
    case .exists(let query): !values(of: query, at: current).isEmpty
    case .comparison(let left, let comparison, let right):
      Self.holds(operand(left, at: current), comparison, operand(right, at: current))
    case .test(let function): isTrue(function, at: current)
    }
  }

  private func values(of query: JSONPath.Query, at current: JSONValue) -> [JSONValue] {
    let start = Node(value: query.isRelative ? current : root, place: nil)
    let evaluation = JSONPath.Evaluation(root: root, budget: budget, keepsPlaces: false)
    return evaluation.select(query.segments, from: start).map(\.value)
  }

  private func operand(_ operand: JSONPath.Operand, at current: JSONValue) -> JSONValue? {
    switch operand {
    case .literal(let value): value
    case .singular(let query): values(of: query, at: current).first
    case .function(let function): result(of: function, at: current)
    }
  }

  private func result(of function: JSONPath.FunctionCall, at current: JSONValue) -> JSONValue? {
    switch function {
    case .length(let argument):
      switch operand(argument, at: current) {
      case .string(let text): return .number(JSONNumber(text.unicodeScalars.count))
      case .array(let elements): return .number(JSONNumber(elements.count))
      case .object(let members): return .number(JSONNumber(members.count))
      default: return .none
      }
    case .count(let query): return .number(JSONNumber(values(of: query, at: current).count))
    case .value(let query):
      let values = values(of: query, at: current)
      // A plain nil could be read as the literal of a JSON null.
      return values.count == 1 ? .some(values[0]) : .none
    case .find: return .none
    }
  }

  private func isTrue(_ function: JSONPath.FunctionCall, at current: JSONValue) -> Bool {
    guard case .find(let text, let expression, let isWhole) = function,
      case .string(let text) = operand(text, at: current)
    else { return false }
    switch expression {
    case .compiled(let regex): return regex.map { budget.isFound($0, in: text) } ?? false
    case .computed(let pattern):
      guard case .string(let pattern) = operand(pattern, at: current),
        let regex = budget.expression(pattern, isWhole: isWhole)
      else { return false }
      return budget.isFound(regex, in: text)
    }
  }

  /// Compares two operands. https://www.rfc-editor.org/rfc/rfc9535#section-2.3.5.2.2
  private static func holds(
    _ left: JSONValue?, _ comparison: JSONPath.Comparison, _ right: JSONValue?
  ) -> Bool {
    switch comparison {
    case .equal: isEqual(left, right)
    case .notEqual: !isEqual(left, right)
    case .less: isLess(left, right)
    case .greater: isLess(right, left)
    case .lessOrEqual: isLess(left, right) || isEqual(left, right)
    case .greaterOrEqual: isLess(right, left) || isEqual(left, right)
    }
  }

  private static func isEqual(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    switch (left, right) {
    case (.none, .none): true
    case (let left?, let right?): left.isSemanticallyEqual(to: right)
    default: false
    }
  }

  private static func isLess(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left.isNumericallyLess(than: right)
    case (.string(let left), .string(let right)):
      left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    default: false
    }
  }
}
