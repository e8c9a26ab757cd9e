/// Evaluates parsed queries on one JSON value.
struct Evaluation<Value: JSONPathValue> {
  let root: Value
  let budget: EvaluationBudget

  /// The value of an operand; nil is RFC 9535's "Nothing".
  enum OperandValue {
    case value(JSONPathContent<Value>)
    case nothing
  }

  func select(_ segments: [Segment], from start: Value) -> [Value] {
    var selected = [start]
    for segment in segments {
      var next: [Value] = []
      for value in selected { append(segment, of: value, to: &next) }
      selected = next
      if selected.isEmpty { break }
    }
    return selected
  }

  private func append(_ segment: Segment, of value: Value, to result: inout [Value]) {
    guard budget.take(1) else { return }
    let content = value.jsonPathContent
    for selector in segment.selectors { append(selector, of: content, to: &result) }
    guard segment.isDescendant else { return }
    for child in Self.children(content) { append(segment, of: child, to: &result) }
  }

  private func append(
    _ selector: Selector, of content: JSONPathContent<Value>, to result: inout [Value]
  ) {
    switch (selector, content) {
    case (.name(let name), .object(let members)):
      // A dictionary treats canonically equivalent names as equal; RFC 9535 compares their scalars.
      if let place = members.index(forKey: name), members[place].key.utf8.elementsEqual(name.utf8) {
        result.append(members[place].value)
      }
    case (.index(let index), .array(let elements)):
      let index = index < 0 ? elements.count + index : index
      if elements.indices.contains(index) { result.append(elements[index]) }
    case (.slice(let start, let end, let step), .array(let elements)):
      let indices = Self.indices(start: start, end: end, step: step, count: elements.count)
      guard budget.take(indices.count) else { return }
      for index in indices {
        result.append(elements[index])
      }
    case (.wildcard, _):
      let children = Self.children(content)
      if budget.take(children.count) { result.append(contentsOf: children) }
    case (.filter(let condition), _):
      for child in Self.children(content) where budget.take(1) && holds(condition, at: child) {
        result.append(child)
      }
    default: break
    }
  }

  private static func children(_ content: JSONPathContent<Value>) -> [Value] {
    switch content {
    case .array(let elements): elements
    case .object(let members): members.sorted { $0.key < $1.key }.map(\.value)
    case .null, .bool, .number, .string: []
    }
  }

  /// The indices of a slice. https://www.rfc-editor.org/rfc/rfc9535#section-2.3.4.2.2
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

  private func holds(_ condition: Condition, at current: Value) -> Bool {
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

  private func values(of query: Query, at current: Value) -> [Value] {
    select(query.segments, from: query.isRelative ? current : root)
  }

  private func operand(_ operand: Operand, at current: Value) -> OperandValue {
    switch operand {
    case .literal(.null): return .value(.null)
    case .literal(.bool(let value)): return .value(.bool(value))
    case .literal(.number(let value)): return .value(.number(value))
    case .literal(.string(let value)): return .value(.string(value))
    case .singular(let query):
      return values(of: query, at: current).first.map { .value($0.jsonPathContent) } ?? .nothing
    case .function(let function): return result(of: function, at: current)
    }
  }

  private func result(of function: FunctionCall, at current: Value) -> OperandValue {
    switch function {
    case .length(let argument):
      switch operand(argument, at: current) {
      case .value(.string(let text)): return .value(.number(Double(text.unicodeScalars.count)))
      case .value(.array(let elements)): return .value(.number(Double(elements.count)))
      case .value(.object(let members)): return .value(.number(Double(members.count)))
      default: return .nothing
      }
    case .count(let query):
      return .value(.number(Double(values(of: query, at: current).count)))
    case .value(let query):
      let values = values(of: query, at: current)
      return values.count == 1 ? .value(values[0].jsonPathContent) : .nothing
    case .match, .search:
      return .nothing
    }
  }

  private func isTrue(_ function: FunctionCall, at current: Value) -> Bool {
    let (text, pattern, isWhole): (Operand, Operand, Bool)
    switch function {
    case .match(let first, let second): (text, pattern, isWhole) = (first, second, true)
    case .search(let first, let second): (text, pattern, isWhole) = (first, second, false)
    case .length, .count, .value: return false
    }
    guard case .value(.string(let text)) = operand(text, at: current),
      case .value(.string(let pattern)) = operand(pattern, at: current)
    else { return false }
    return budget.expression(pattern, isWhole: isWhole)?.matches(text, budget) ?? false
  }
}
