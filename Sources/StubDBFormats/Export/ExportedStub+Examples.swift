internal import Foundation
internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBEngine
internal import StubDBModel

extension ExportedStub {
  /// Requests that the stub answers, one for each of its methods, and the disposition of its patterns.
  ///
  /// Literal parts are kept; for the others an example stands there, which the matcher has tried, with a line. The
  /// list is empty if there is no URL that the stub answers; the stub is left out then. A format that has `{name}` in
  /// paths itself passes true for `hasPlaceholders`, one that says that any host will do for `hasAnyHost`.
  package func examples(
    _ options: ExportOptions, hasPlaceholders: Bool = false, hasAnyHost: Bool = false
  ) -> [RequestExample] {
    document.tree.log.countExported()
    var maker = ExampleMaker(pattern: stub.request.decidedByRequest, options: options)
    guard let example = maker.example() else {
      leaveOut("no example could be made of a URL that it answers")
      return []
    }
    settleRequest(example, maker, hasPlaceholders: hasPlaceholders, hasAnyHost: hasAnyHost)
    let methods = stub.request.methods.map(\.rawValue)
    let examples = (methods.isEmpty ? [example.method] : methods).map { method in
      var example = example
      example.method = method
      return example
    }
    noteOthers(examples)
    return examples
  }

  /// Says where another stub answers an example first, because its pattern is wider or its state another one.
  private func noteOthers(_ examples: [RequestExample]) {
    for example in examples {
      guard let first = play.firstAnswer(to: example),
        first.origin != scenario || first.stub.key != stub.key
      else { continue }
      let origin = first.origin == scenario ? "" : " of \(first.origin)"
      document.note(
        .changed, .priority, "The stub \(first.stub.key)\(origin) answers the example first")
      return
    }
  }

  private func settleRequest(
    _ example: RequestExample, _ maker: ExampleMaker, hasPlaceholders: Bool, hasAnyHost: Bool
  ) {
    noteOpenOrigin(example, hasAnyHost: hasAnyHost)
    guard let place = document["request"] else { return }
    let request = stub.request
    let template = example.pathTemplate ?? ""
    let isOpen = hasPlaceholders ? template.hasWildcard : URLParts.isOpen(template: template)
    for part in RequestPart.all {
      guard let value = place[part.rawValue] else { continue }
      switch part.demand(of: request) {
      case .methods, .other: value.keep()
      case .value where part != .host && value.isString && isOpen:
        value.change(.example, "An example stands for the open segments of the path")
      case .value(let pattern): value.settleExample(pattern?.exampleOperator)
      case .named where part == .captured:
        for member in value.members {
          member.value.drop(.state, "What a run has captured before is not asked for")
        }
      case .named(let patterns): settle(patterns, of: part, at: value, maker.problems)
      case .bodies(let bodies) where maker.hasContent:
        for (body, place) in zip(bodies, value.elementsOrSelf) {
          place.settleExample(body.exampleOperator)
        }
      case .bodies:
        if let problem = maker.problems.first(where: { $0.part == .body }) {
          value.drop(.matcher, problem.text)
        }
      }
    }
  }

  /// Says that the stub answers more servers than the one that the example asks.
  private func noteOpenOrigin(_ example: RequestExample, hasAnyHost: Bool) {
    let pattern = stub.request
    let text: String
    if example.isAnyHost {
      if hasAnyHost { return }
      text = "The stub answers any host; the example asks one"
    } else if pattern.host != nil, pattern.scheme == nil, pattern.wholeURL == nil {
      let open = pattern.port == nil ? "scheme and port" : "scheme"
      text = "The stub answers any \(open); the example asks https"
    } else {
      return
    }
    let request = document["request"]
    let place = request?["url"] ?? request?["path"] ?? request ?? document
    place.note(.changed, .variable, text)
  }

  /// Says of each member of a part that it is kept, that an example represents it, or that it has no example.
  private func settle(
    _ patterns: [NamedPattern], of part: RequestPart, at place: SourceValue,
    _ problems: [ExampleMaker.Problem]
  ) {
    let problems = problems.filter { $0.part == part }
    if let whole = problems.first(where: { $0.name == nil }) {
      return place.drop(.matcher, whole.text)
    }
    let merged = NamedPattern.merged(patterns, isCaseSensitive: part != .headers)
    for (named, member) in zip(merged, place.members) {
      let problem = problems.first { $0.name?.lowercased() == member.name.lowercased() }
      if let problem {
        member.value.drop(.matcher, problem.text)
      } else {
        member.value.settleExample(named.pattern.exampleOperator)
      }
    }
  }
}

extension SourceValue {
  /// Records that a pattern is kept, or that an example represents its operator.
  func settleExample(_ name: String?) {
    if let name {
      change(.example, "An example stands for \"\(name)\"")
    } else {
      keep()
    }
  }
}

extension ValuePattern {
  /// The operator for which an example stands; nil if the pattern is literal.
  var exampleOperator: String? {
    switch self.operator {
    case .equalTo where literal != nil: nil
    case .hasExactly: patterns.allSatisfy { $0.exampleOperator == nil } ? nil : "a list"
    case .equalTo, .contains, .doesNotContain, .matches, .doesNotMatch, .absent, .anything,
      .equalToCaptured, .equalToNumber, .greaterThanNumber, .greaterThanEqualNumber,
      .lessThanNumber, .lessThanEqualNumber, .before, .after, .equalToDateTime, .includes, .and,
      .or, .not:
      self.operator.rawValue
    }
  }
}

extension BodyPattern {
  /// The operator for which an example stands; nil if the pattern is literal.
  var exampleOperator: String? {
    switch storage {
    case .value(let value): return value.exampleOperator
    case .and: return ValueOperator.and.rawValue
    case .or: return ValueOperator.or.rawValue
    case .not: return ValueOperator.not.rawValue
    case .operation(let operation):
      let placeholder = "${json-unit.…}"
      switch operation.base {
      case is BinaryOperator: return nil
      case let json as EqualToJSONOperator
      where !json.ignoreArrayOrder && !json.ignoreExtraElements:
        return json.value.holdsPlaceholder ? placeholder : nil
      case let query as GraphQLPattern:
        return query.variables?.holdsPlaceholder == true ? placeholder : nil
      case let form as FormOperator:
        return form.fields.lazy.compactMap(\.pattern.exampleOperator).first
      case let multipart as MultipartOperator:
        return multipart.parts.lazy.compactMap(\.exampleOperator).first
      case let other: return type(of: other).name
      }
    }
  }
}

extension PartPattern {
  /// The operator for which an example stands; nil if the pattern is literal.
  fileprivate var exampleOperator: String? {
    let operators = body.compactMap(\.exampleOperator)
    return filename?.exampleOperator
      ?? headers.lazy.compactMap(\.pattern.exampleOperator).first
      ?? (body.count > 1 && !operators.isEmpty ? "a list" : operators.first)
  }
}

extension String {
  /// Whether a path has `**`.
  fileprivate var hasWildcard: Bool { split(separator: "/").contains("**") }
}

extension RequestPattern {
  /// The pattern without what only a run can tell: captured values.
  var decidedByRequest: RequestPattern {
    var pattern = self
    func free(_ value: ValuePattern) -> ValuePattern {
      value.mapLeaves { $0.operator == .equalToCaptured ? .anything : $0 }
    }
    pattern.captured = []
    pattern.host = host.map(free)
    pattern.wholeURL = wholeURL.map(free)
    if case .value(let value) = path { pattern.path = .value(free(value)) }
    for index in pathParameters.indices {
      pattern.pathParameters[index].pattern = free(pathParameters[index].pattern)
    }
    for index in query.indices { pattern.query[index].pattern = free(query[index].pattern) }
    for index in headers.indices { pattern.headers[index].pattern = free(headers[index].pattern) }
    for index in cookies.indices { pattern.cookies[index].pattern = free(cookies[index].pattern) }
    pattern.body = body.map { $0.mapValues(free) }
    return pattern
  }
}

extension BodyPattern {
  /// The pattern with the patterns of its values replaced.
  fileprivate func mapValues(_ transform: (ValuePattern) -> ValuePattern) -> BodyPattern {
    switch storage {
    case .value(let value): return .value(transform(value))
    case .and(let patterns): return .and(patterns.map { $0.mapValues(transform) })
    case .or(let patterns): return .or(patterns.map { $0.mapValues(transform) })
    case .not(let pattern): return .not(pattern.mapValues(transform))
    case .operation(let operation):
      switch operation.base {
      case let operation as JSONPathOperator:
        return .matchesJSONPath(operation.query, operation.pattern?.mapValues(transform))
      case var operation as FormOperator:
        operation.fields = operation.fields.map { NamedPattern($0.name, transform($0.pattern)) }
        return BodyPattern(operation)
      case var operation as XPathPattern:
        operation.value = operation.value.map(transform)
        return .matchesXPath(operation)
      case var operation as GraphQLPattern:
        operation.operationName = operation.operationName.map(transform)
        return .graphQL(operation)
      default: return self
      }
    }
  }
}
