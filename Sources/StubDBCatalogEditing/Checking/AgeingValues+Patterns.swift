internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

extension AgeingValues {
  /// Looks for fixed dates in what a pattern asks of a part of a request.
  mutating func add(_ demand: RequestPart.Demand, at place: JSONPointer) {
    switch demand {
    case .value(let pattern): pattern.map { add($0, at: place) }
    case .named(let patterns): add(patterns, at: place)
    case .bodies(let patterns): add(patterns, at: place)
    case .methods, .other: break
    }
  }

  private mutating func add(_ patterns: [NamedPattern], at place: JSONPointer) {
    for named in patterns { add(named.pattern, at: place.appending(named.name)) }
  }

  /// One pattern is written without a list.
  private mutating func add(_ bodies: [BodyPattern], at place: JSONPointer) {
    for (index, body) in bodies.enumerated() {
      add(body, at: bodies.count > 1 ? place.appending(index) : place)
    }
  }

  private mutating func add(_ body: BodyPattern, at place: JSONPointer) {
    switch body.storage {
    case .value(let pattern): add(pattern, at: place)
    case .and(let patterns), .or(let patterns):
      for (index, pattern) in patterns.enumerated() {
        add(pattern, at: place.appending(body.isAnd ? "and" : "or").appending(index))
      }
    case .not(let pattern): add(pattern, at: place.appending("not"))
    case .operation(let operation):
      add(operation.base, at: place.appending(type(of: operation.base).name))
    }
  }

  /// The patterns inside of an operator.
  private mutating func add(_ operation: any BodyOperator, at place: JSONPointer) {
    switch operation {
    case let form as FormOperator: add(form.fields, at: place)
    case let path as JSONPathOperator: path.pattern.map { add($0, at: place) }
    case let path as XPathPattern: path.value.map { add($0, at: place) }
    case let graph as GraphQLPattern:
      graph.operationName.map { add($0, at: place.appending("operationName")) }
    case let multipart as MultipartOperator:
      for (index, part) in multipart.parts.enumerated() {
        let inner = place.appending(index)
        part.filename.map { add($0, at: inner.appending("filename")) }
        add(part.headers.map(\.named), at: inner.appending("headers"))
        add(part.body, at: inner.appending("body"))
      }
    default: break
    }
  }

  private mutating func add(_ pattern: ValuePattern, at place: JSONPointer) {
    let name = pattern.operator.rawValue
    for (index, inner) in pattern.patterns.enumerated() {
      // A list by itself asks for exactly these values.
      let inside = name == ValueOperator.hasExactly.rawValue ? place : place.appending(name)
      add(inner, at: pattern.operator.kind == .patterns ? inside.appending(index) : inside)
    }
    guard case .date(let comparison, let date) = pattern.storage, let fixed = date.fixedDate,
      isOver(fixed, isEnd: false)
    else { return }
    let offset = date.expectedOffset.map {
      " \($0.count < 0 ? "" : "+")\($0.count) \($0.unit.rawValue)"
    }
    note(
      place,
      "\(comparison.rawValue) \(date.expected)\(offset ?? "") has another meaning on \(day); write it as an "
        + "offset such as \"now +3 days\"")
  }
}

extension BodyPattern {
  fileprivate var isAnd: Bool { if case .and = storage { true } else { false } }
}

extension DatePattern {
  /// The date that values are compared with; nil for one that counts from now.
  fileprivate var fixedDate: DateTime? {
    guard var date = DateText.date(expected) else { return nil }
    if !applyTruncationLast, let truncateExpected { date = truncateExpected.kind.applied(to: date) }
    if let expectedOffset { date = date.moved(by: expectedOffset.count, expectedOffset.unit.kind) }
    if applyTruncationLast, let truncateExpected { date = truncateExpected.kind.applied(to: date) }
    return date
  }
}
