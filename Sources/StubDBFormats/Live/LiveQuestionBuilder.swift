internal import Foundation
internal import HTTPTypes
internal import StubDBDrift
internal import StubDBEngine
internal import StubDBModel
internal import StubDBSecrets

/// Makes the one concrete request that a stub represents.
struct LiveQuestionBuilder {
  private let stub: ExportedStub
  private let hosts: LiveHosts
  let options: LiveOptions
  private var server = ""
  /// The header fields of the options without those that the stub refuses.
  private var givenHeaders = HTTPFields()
  /// What of the stub is not compared although its first answer is, each with the reason.
  private(set) var partsLeftOut: [String] = []

  init(_ stub: ExportedStub, hosts: LiveHosts, options: LiveOptions) {
    (self.stub, self.hosts, self.options) = (stub, hosts, options)
  }

  mutating func question() throws(LiveSkip) -> LivePlan.Question {
    server = try hosts.server(for: stub.stub.request)
    try requireStart()
    givenHeaders = acceptedHeaders()
    let method = try method()
    let pattern = try concretePattern(method)
    var exportOptions = ExportOptions()
    exportOptions.server = serverOrigin
    var maker = ExampleMaker(pattern: pattern, options: exportOptions)
    guard var example = maker.example(), maker.problems.isEmpty else {
      throw LiveSkip("no request could be made of its pattern")
    }
    example.method = method
    example.headers = headers(of: example)
    guard isAnswered(example) else {
      throw LiveSkip("it would not answer the request that could be made of its pattern itself")
    }
    let texts = [example.url] + example.headers.map(\.value)
    guard
      RedactionPlaceholders.all(in: example.body + Data(texts.joined(separator: " ").utf8)).isEmpty
    else { throw LiveSkip("it asks for a secret that was taken out of it") }
    let stored = try storedAnswer(to: example)
    var request = LiveRequests.Request(method: method, url: located(example.url))
    request.headers = example.headers.map { [$0.name.rawName, $0.value] }
    request.body = example.body
    if !example.body.isEmpty, ["GET", "HEAD"].contains(method) {
      throw LiveSkip("a \(method) request with content cannot be sent")
    }
    return LivePlan.Question(
      scenario: stub.scenario, key: stub.stub.key, request: request, stored: stored,
      mayChange: !LiveOptions.safeMethods.contains(method)
        && !stub.stub.request.body.contains(where: \.isGraphQLQuery),
      operation: stub.operation,
      resource: stub.stub.responses.count == 1 ? stub.whole.resource : nil)
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
    var pattern = stub.stub.request.withoutHost
    pattern.methods = HTTPRequest.Method(method).map { [$0] } ?? []
    if pattern.wholeURL != nil { throw LiveSkip("its URL is an expression") }
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
        if segment == "**" { throw LiveSkip("its path has **, which matches any path") }
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
      let query = "\(URLParts.encodedQuery(named.name))=\(URLParts.encodedQuery(value))"
      let request = StubRequest(method: "GET", url: "https://any.test/?\(query)")
      if ExportedRun.matches(request, RequestPattern(query: [named])) {
        named.pattern = .equalTo(value)
        return
      }
    }
    guard named.pattern.isConcrete else {
      throw LiveSkip(
        "its \(what) \(named.name) has no single value; give one with --param \(named.name)=VALUE")
    }
  }

  private func settleHeaders(_ pattern: inout RequestPattern) throws(LiveSkip) {
    var kept: [HeaderPattern] = []
    for header in pattern.headers where !givenHeaders.contains(header.name) {
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
    let asksForCookies = pattern.cookies.contains { !$0.pattern.isSatisfiedByNothing }
    if pattern.basicAuth != nil || asksForCookies {
      let name: HTTPField.Name = pattern.basicAuth != nil ? .authorization : .cookie
      guard givenHeaders.contains(name) else {
        throw LiveSkip(
          "it asks for the header field \(name.rawName), which is never sent from a catalog; "
            + "give it with --header")
      }
    }
    pattern.headers = kept
  }

  /// The fields of the options without those that a stub has to do without.
  ///
  /// Where a stub asks for another value, that of the options takes its place: it is a token of another server.
  private func acceptedHeaders() -> HTTPFields {
    var request = StubRequest(method: "GET", url: "https://any.test/")
    request.headers = options.headers
    var accepted = options.headers
    for header in stub.stub.request.headers
    where header.pattern.isSatisfiedByNothing
      && !ExportedRun.matches(request, RequestPattern(headers: [header]))
    {
      accepted[header.name] = nil
    }
    for cookie in stub.stub.request.cookies
    where cookie.pattern.isSatisfiedByNothing
      && !ExportedRun.matches(request, RequestPattern(cookies: [cookie]))
    {
      accepted[.cookie] = nil
    }
    return accepted
  }

  private func headers(of example: RequestExample) -> HTTPFields {
    var headers = example.headers
    for field in givenHeaders { headers[field.name] = nil }
    for field in givenHeaders { headers.append(field) }
    return headers
  }

  /// Whether the stub answers a request, apart from its host and from the fields that took the place of its own.
  private func isAnswered(_ example: RequestExample) -> Bool {
    var pattern = stub.stub.request.withoutHost
    pattern.headers.removeAll { givenHeaders.contains($0.name) }
    if givenHeaders.contains(.authorization) { pattern.basicAuth = nil }
    if givenHeaders.contains(.cookie) { pattern.cookies = [] }
    return ExportedRun.matches(example.request, pattern)
  }

  // MARK: The URL

  private var serverOrigin: String {
    guard let server = URLParts(server), let host = server.host else { return "" }
    return "\(server.scheme ?? "https")://\(host)\(server.port.map { ":\($0)" } ?? "")"
  }

  /// The URL with the path of the server before its own.
  private func located(_ url: String) -> String {
    guard let base = URLParts(server)?.path, base != "/", url.hasPrefix(serverOrigin) else {
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

extension RequestPattern {
  /// The pattern for any host; of a URL that is an expression all of it stays.
  fileprivate var withoutHost: RequestPattern {
    var pattern = self
    (pattern.host, pattern.scheme, pattern.port) = (nil, nil, nil)
    guard let url = wholeURL?.literal.flatMap({ URLParts($0) }) else { return pattern }
    pattern.wholeURL = nil
    pattern.path = .value(.equalTo(url.path))
    pattern.query += url.query.map { NamedPattern($0.name, .equalTo($0.value)) }
    return pattern
  }
}
