internal import Foundation
internal import HTTPTypes
internal import StubDBDrift
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel

/// Makes the one concrete request that a stub stands for.
struct LiveQuestionBuilder {
  private let stub: ExportedStub
  private let hosts: LiveHosts
  let options: LiveOptions
  /// What of the stub is not compared although its first answer is, each with the reason.
  private(set) var partsLeftOut: [String] = []

  init(_ stub: ExportedStub, hosts: LiveHosts, options: LiveOptions) {
    (self.stub, self.hosts, self.options) = (stub, hosts, options)
  }

  mutating func question() throws(LiveSkip) -> LivePlan.Question {
    try hosts.requireServer(for: stub.stub.request)
    try requireStart()
    let method = try method()
    let pattern = try concretePattern(method)
    var exportOptions = ExportOptions()
    exportOptions.server = serverOrigin
    var maker = ExampleMaker(pattern: pattern, options: exportOptions)
    guard var example = maker.example(), maker.problems.isEmpty else {
      throw LiveSkip("no request could be made of its pattern")
    }
    example.method = method
    let stored = try storedAnswer(to: example)
    var request = LiveRequests.Request(method: method, url: located(example.url))
    request.headers = try headers(of: example).map { [$0.name.rawName, $0.value] }
    request.body = example.body
    if !example.body.isEmpty, ["GET", "HEAD"].contains(method) {
      throw LiveSkip("a \(method) request with content cannot be sent")
    }
    return LivePlan.Question(
      scenario: stub.scenario, key: stub.stub.key, request: request, stored: stored,
      mayChange: !LiveOptions.safeMethods.contains(method)
        && !stub.stub.request.body.contains(where: \.isGraphQLQuery),
      operation: stub.operation)
  }

  /// Only what a fresh run answers can be asked for.
  private func requireStart() throws(LiveSkip) {
    if let flow = stub.stub.flow, let state = flow.requires, state != FlowStep.initialState {
      throw LiveSkip("it answers only in the state \"\(state)\" of the flow \"\(flow.name)\"")
    }
    if stub.stub.request != stub.stub.request.decidedByRequest {
      throw LiveSkip("it compares with what a run has captured before")
    }
  }

  // MARK: The answer

  private mutating func storedAnswer(
    to example: RequestExample
  ) throws(LiveSkip) -> SampledAnswer {
    let answers = stub.storedAnswers(to: example)
    if answers.count > 1 {
      partsLeftOut.append(
        answers.count == 2
          ? "its second answer comes only after the first"
          : "its \(answers.count - 1) later answers come only after the first")
    }
    if stub.stub.responses[0].usesCaptures, stub.stub.captures.isEmpty {
      throw LiveSkip("its template uses what a run has captured before")
    }
    switch answers[0] {
    case .none(let reason): throw LiveSkip(reason)
    case .answer(let answer) where answer.status >= 500:
      throw LiveSkip("it answers with the status \(answer.status), which cannot be asked for")
    case .answer(let answer): return answer
    }
  }

  // MARK: The request

  /// The method that is sent: the first one that is allowed.
  private func method() throws(LiveSkip) -> String {
    let pattern = stub.stub.request
    let isQuery = pattern.body.contains { $0.isGraphQLQuery }
    var methods = pattern.methods.map(\.rawValue)
    if methods.isEmpty { methods = [pattern.body.isEmpty ? "GET" : "POST"] }
    if let allowed = methods.first(where: { options.allowsMethod($0, isQuery && $0 == "POST") }) {
      return allowed
    }
    throw LiveSkip("its method is \(methods.joined(separator: ", ")); see --methods")
  }

  /// The pattern with values in place of all that is open, and without its host.
  private func concretePattern(_ method: String) throws(LiveSkip) -> RequestPattern {
    var pattern = stub.stub.request
    pattern.methods = HTTPRequest.Method(method).map { [$0] } ?? []
    (pattern.host, pattern.scheme, pattern.port) = (nil, nil, nil)
    if let whole = pattern.wholeURL {
      guard let url = whole.literal.flatMap({ URLParts($0) }) else {
        throw LiveSkip("its URL is an expression")
      }
      pattern.wholeURL = nil
      pattern.path = .value(.equalTo(url.path))
      pattern.query += url.query.map { NamedPattern($0.name, .equalTo($0.value)) }
    }
    try settlePath(&pattern)
    for index in pattern.query.indices {
      try settle(&pattern.query[index], "query parameter")
    }
    try settleHeaders(&pattern)
    // Credentials come from the options, never from a catalog.
    (pattern.basicAuth, pattern.cookies) = (nil, [])
    if pattern.body.contains(where: { $0.isGraphQL && !$0.isGraphQLQuery }), options.isSafe {
      throw LiveSkip("its GraphQL document is not in the stub, or is no query")
    }
    pattern.body = try pattern.body.map { (body) throws(LiveSkip) in try concrete(body) }
    return pattern
  }

  private func settlePath(_ pattern: inout RequestPattern) throws(LiveSkip) {
    switch pattern.path {
    case nil: throw LiveSkip("it answers any path")
    case .value(let value):
      guard value.isConcrete else { throw LiveSkip("its path is an expression") }
    case .template(let template):
      for segment in template.split(separator: "/") {
        if segment == "**" { throw LiveSkip("its path has **, which stands for any path") }
        guard URLParts.isPlaceholder(segment) else { continue }
        try settlePlaceholder(String(segment.dropFirst().dropLast()), &pattern)
      }
    }
  }

  private func settlePlaceholder(
    _ name: String, _ pattern: inout RequestPattern
  ) throws(LiveSkip) {
    let own = pattern.pathParameters.filter { $0.name == name }
    if let value = options.parameters[name] {
      pattern.pathParameters =
        pattern.pathParameters.filter { $0.name != name }
        + [NamedPattern(name, .and(own.map(\.pattern) + [.equalTo(value)]))]
    } else if !own.contains(where: { $0.pattern.literal != nil }) {
      throw LiveSkip("its path has {\(name)}; give a value with --param \(name)=VALUE")
    }
  }

  private func settle(_ named: inout NamedPattern, _ what: String) throws(LiveSkip) {
    if let value = options.parameters[named.name] {
      named.pattern = .equalTo(value)
    } else if !named.pattern.isConcrete {
      throw LiveSkip(
        "its \(what) \(named.name) has no single value; give one with --param \(named.name)=VALUE")
    }
  }

  private func settleHeaders(_ pattern: inout RequestPattern) throws(LiveSkip) {
    var kept: [HeaderPattern] = []
    for header in pattern.headers where !options.headers.contains(header.name) {
      let asks = !header.pattern.isSatisfiedByNothing
      if asks, header.isCredential {
        throw LiveSkip(
          "it asks for the header field \(header.name.rawName), which is never sent from a "
            + "catalog; give it with --header")
      }
      guard header.pattern.isConcrete else {
        throw LiveSkip(
          "its header field \(header.name.rawName) has no single value; give one with --header")
      }
      if asks { kept.append(header) }
    }
    if pattern.basicAuth != nil || !pattern.cookies.isEmpty {
      let name: HTTPField.Name = pattern.basicAuth != nil ? .authorization : .cookie
      guard options.headers.contains(name) else {
        throw LiveSkip(
          "it asks for the header field \(name.rawName), which is never sent from a catalog; "
            + "give it with --header")
      }
    }
    pattern.headers = kept
  }

  private func headers(of example: RequestExample) throws(LiveSkip) -> HTTPFields {
    var headers = example.headers
    for field in options.headers { headers[field.name] = nil }
    for field in options.headers { headers.append(field) }
    return headers
  }

  // MARK: The URL

  private var serverOrigin: String {
    guard let server = URLParts(options.server), let host = server.host else { return "" }
    return "\(server.scheme ?? "https")://\(host)\(server.port.map { ":\($0)" } ?? "")"
  }

  /// The URL with the path of the server before its own.
  private func located(_ url: String) -> String {
    guard let base = URLParts(options.server)?.path, base != "/", url.hasPrefix(serverOrigin) else {
      return url
    }
    let prefix = base.hasSuffix("/") ? String(base.dropLast()) : base
    return serverOrigin + prefix + url.dropFirst(serverOrigin.count)
  }
}

extension LiveOptions {
  /// Whether only methods that change nothing are sent.
  fileprivate var isSafe: Bool { !allowsMethod("POST", false) }
}
