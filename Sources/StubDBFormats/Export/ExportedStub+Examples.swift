internal import Foundation
internal import HTTPTypes
internal import StubDBEngine
internal import StubDBModel

extension ExportedStub {
  /// Requests that the stub answers, one for each of its methods, and what became of its patterns.
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
      document.tree.log.add(
        .changed, .priority, at: document,
        "The stub \(first.stub.key)\(origin) answers the example first")
      return
    }
  }

  private func settleRequest(
    _ example: RequestExample, _ maker: ExampleMaker, hasPlaceholders: Bool, hasAnyHost: Bool
  ) {
    noteOpenOrigin(example, hasAnyHost: hasAnyHost)
    guard let request = document["request"] else { return }
    request["method"]?.keep()
    request.settle(["scheme": .kept, "port": .kept, "basicAuth": .kept, "queryIsExact": .kept])
    for name in ["url", "path"] {
      guard let value = request[name] else { continue }
      let template = example.pathTemplate ?? ""
      if value.isString,
        hasPlaceholders ? template.hasWildcard : URLParts.isOpen(template: template)
      {
        value.change(.example, "An example stands for the open segments of the path")
      } else {
        value.settleExample()
      }
    }
    request["host"]?.settleExample()
    for part in ["pathParameters", "query", "headers", "cookies"] {
      settleMembers(of: part, in: request, maker.problems)
    }
    for member in request["captured"]?.members ?? [] {
      member.value.drop(.state, "What a run has captured before is not asked for")
    }
    let bodies = request["body"].map { $0.isArray ? $0.elements : [$0] } ?? []
    if maker.hasContent {
      for body in bodies { body.settleExample() }
    } else if let problem = maker.problems.first(where: { $0.part == "body" }) {
      request["body"]?.drop(.matcher, problem.text)
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
    place.tree.log.add(.changed, .variable, at: place, text)
  }

  /// Says of each member of a part that it is kept, that an example stands for it, or that there is none.
  private func settleMembers(
    of part: String, in request: SourceValue, _ problems: [ExampleMaker.Problem]
  ) {
    let problems = problems.filter { $0.part == part }
    if let whole = problems.first(where: { $0.name == nil }) {
      request[part]?.drop(.matcher, whole.text)
      return
    }
    for member in request[part]?.members ?? [] {
      let problem = problems.first { $0.name?.lowercased() == member.name.lowercased() }
      if let problem {
        member.value.drop(.matcher, problem.text)
      } else {
        member.value.settleExample()
      }
    }
  }
}

extension SourceValue {
  /// Records that a pattern is kept if it is literal, and that an example stands for it if it is not.
  func settleExample() {
    if let name = exampleOperator {
      change(.example, "An example stands for \"\(name)\"")
    } else {
      keep()
    }
  }

  /// The operator for which an example stands; nil if the pattern is literal.
  private var exampleOperator: String? {
    if isString || isArray && elements.allSatisfy({ $0.exampleOperator == nil }) { return nil }
    let members = members
    guard let first = members.first else { return "a list" }
    if members.count == 1
      || members.allSatisfy({ Self.literalOperators.contains($0.name) })
      || members.count == 2 && members.contains(where: { $0.name == "isExact" })
    {
      switch first.name {
      case "equalTo", "binaryEqualTo": return nil
      case "equalToJson", "graphql":
        return first.value.hasPlaceholder ? "${json-unit.…}" : nil
      case "form":
        return first.value.members.lazy.compactMap(\.value.exampleOperator).first
      case "multipart":
        return first.value.elements.lazy.compactMap(\.partOperator).first
      default: break
      }
    }
    return first.name
  }

  private static let literalOperators: Set<String> = ["equalTo", "binaryEqualTo"]

  /// The operator of a part of multipart content for which an example stands.
  private var partOperator: String? {
    self["filename"]?.exampleOperator
      ?? self["headers"]?.members.lazy.compactMap(\.value.exampleOperator).first
      ?? self["body"]?.exampleOperator
  }

  private var hasPlaceholder: Bool {
    if isString {
      return JSONPlaceholder(peekedText ?? "") != nil
    }
    return members.contains { $0.value.hasPlaceholder }
      || elements.contains(where: \.hasPlaceholder)
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
