internal import Foundation
internal import HTTPTypes
internal import StubDBJSON
internal import StubDBModel

/// Makes the stubs of an operation.
struct OpenAPIOperationReader {
  let path: OpenAPIPath
  let method: String
  let item: SourceValue
  let operation: SourceValue
  let references: OpenAPIReferences
  let server: OpenAPIServer
  let options: ImportOptions
  let isSwagger: Bool
  /// The whole description.
  let root: SourceValue

  /// An answer of the operation: a status, and one of its examples.
  private struct Answer {
    var status: Int
    /// The name of the scenario: `404`, `4xx`, `default`, or the name of the example.
    var situation: String
    var exampleName: String?
    var response: StubResponse
    /// What the lines of the report on it are about.
    var item: ReportLog.Item
    /// Whether it is a stub of its own beside the usual one.
    var isWanted: Bool
  }

  /// Adds the usual answer to the main scenario, and each other one to a scenario of its own.
  func addStubs(to builder: inout OpenAPIScenarios, log: ReportLog) throws(FormatError) {
    guard let parsedMethod = HTTPRequest.Method(method) else { return }
    let operationName = operation["operationId"]?.text.map(StubNaming.words)
    let key =
      operationName
      ?? DerivedName.key(
        of: RequestPattern(methods: [parsedMethod], path: .template(path.text)))
    var pattern = RequestPattern(methods: [parsedMethod])
    let base = server.apply(to: &pattern)
    let (pathPattern, isExpression) = OpenAPIPath.pattern(path.text, base: base)
    pattern.path = pathPattern
    try tellApart(&pattern, log)
    if let callbacks = operation["callbacks"], !callbacks.members.isEmpty {
      callbacks.drop(.webhook, "Calls of the server (callbacks) are not made")
    }
    let (answers, leftOut) = try self.answers(log)
    for _ in 0..<leftOut { builder.leaveOut() }
    for (place, answer) in answers.enumerated() {
      if place == 0 {
        let stubs = try usualStubs(answers, pattern, key)
        if isExpression {
          log.add(
            .changed, .matcher, at: operation,
            "A placeholder is a part of a segment in \(path.text); the path became an expression")
        }
        let tag = operation["tags"]?.elements.first?.text
        for stub in stubs { builder.add(stub, tag: tag, rank: OpenAPIPath.Rank(path)) }
      } else if answer.isWanted {
        builder.add(
          stub(pattern, answer, key), operation: key, situation: answer.situation)
      }
    }
  }

  /// Asks for what distinguishes the operation from others of its path.
  private func tellApart(
    _ pattern: inout RequestPattern, _ log: ReportLog
  ) throws(FormatError) {
    guard !path.told.isEmpty else { return }
    let before = pattern
    let parameters = try OpenAPIParameters(item, operation, references)
    for item in path.told { parameters.add(item, isQuery: !path.hasFragment, to: &pattern) }
    guard path.hasFragment else { return }
    let names = path.told.map(\.name).joined(separator: ", ")
    log.add(
      .changed, .urlFragment, at: operation,
      pattern == before
        ? "A fragment is never sent, and no required parameter distinguishes this operation from others of \(path.text)"
        : "A fragment is never sent; the parameter \(names) distinguishes this operation")
  }

  private func stub(
    _ request: RequestPattern, _ answer: Answer, _ name: String
  ) -> ImportedStub {
    var stub = Stub(key: .unset, request: request, responses: [answer.response])
    let summary = operation["summary"]?.text ?? operation["description"]?.peekedText
    stub.summary = summary.flatMap(StubNaming.summary)
    return ImportedStub(stub: stub, name: name, items: [answer.item])
  }

  /// The stubs of the main scenario: those for the requests of examples first, then the usual answer, then the refusal
  /// of requests without credentials where they are asked for.
  private func usualStubs(
    _ answers: [Answer], _ pattern: RequestPattern, _ key: String
  ) throws(FormatError) -> [ImportedStub] {
    let parameters = try OpenAPIParameters(item, operation, references)
    let requirements = OpenAPIRequirements(
      operation: operation, root: root, parameters: parameters, references: references,
      options: options, isSwagger: isSwagger)
    requirements.reportSecurity()
    let bodies = try requestExamples()
    let examples = OpenAPIRequestExamples(
      parameters: parameters, bodies: bodies, options: options)
    var stubs: [ImportedStub] = []
    for (answer, request) in paired(answers, pattern, parameters, bodies) {
      var request = request
      try requirements.apply(to: &request)
      let example = answer.exampleName ?? ""
      let name = "\(key)-\(StubNaming.words(example))"
      for request in try requirements.secured(request) ?? [request] {
        stubs.append(stub(request, answer, name))
        let asked = path.told.isEmpty ? examples.request(named: example, to: request) : nil
        stubs[stubs.count - 1].asked = asked.map { [$0] } ?? []
      }
    }
    var usual = pattern
    try requirements.apply(to: &usual)
    let secured = try requirements.secured(usual)
    let asked =
      path.told.isEmpty ? examples.requests(to: usual, besides: stubs.map(\.stub.request)) : []
    for request in secured ?? [usual] {
      stubs.append(stub(request, answers[0], key))
      stubs[stubs.count - 1].asked = asked
    }
    if secured != nil, let refusal = answers.dropFirst().first(where: { $0.status == 401 }) {
      for request in try requirements.unsecured(pattern) {
        var refused = stub(request, refusal, "\(key)-401")
        refused.stub.priority = Stub.defaultPriority + 1
        stubs.append(refused)
      }
    }
    return stubs
  }

  /// Answers whose example has the name of examples of the request: they answer that request.
  private func paired(
    _ answers: [Answer], _ pattern: RequestPattern, _ parameters: OpenAPIParameters,
    _ bodies: JSONObject
  ) -> [(answer: Answer, request: RequestPattern)] {
    var found: [(answer: Answer, request: RequestPattern)] = []
    for answer in answers {
      guard let name = answer.exampleName else { continue }
      var request = pattern
      var isPaired = parameters.addExamples(named: name, to: &request)
      if let body = bodies[name] {
        request.body = [.equalToJSON(body)]
        isPaired = true
      }
      if isPaired { found.append((answer, request)) }
    }
    return found
  }

  /// The JSON examples of the content of the request; the one without a name has an empty one.
  private func requestExamples() throws(FormatError) -> JSONObject {
    guard let body = operation["requestBody"] else { return [:] }
    let content = try references.resolved(body)["content"]
    guard let media = content?.members.first(where: { $0.name.contains("json") }) else {
      return [:]
    }
    var examples: JSONObject = [:]
    if let example = media.value["example"] { examples[""] = Self.json(of: example) }
    for example in media.value["examples"]?.members ?? [] {
      let value = try references.resolved(example.value)
      guard let given = value.first(of: "dataValue", "value") else { continue }
      examples[example.name] = Self.json(of: given)
    }
    return examples
  }

  /// The value of an example, which may be the text of JSON.
  private static func json(of example: SourceValue) -> JSONValue {
    guard case .string(let text) = example.json, let parsed = try? JSONValue(parsing: text),
      parsed.isContainer
    else { return example.json }
    return parsed
  }
}

// MARK: - Answers

extension OpenAPIOperationReader {
  /// The usual answer first, then the other statuses and named examples that are asked for; and how many are not.
  private func answers(_ log: ReportLog) throws(FormatError) -> ([Answer], leftOut: Int) {
    let responses = (operation["responses"]?.members ?? []).filter {
      Self.statusClass($0.name) != nil || $0.name.lowercased() == "default"
    }
    guard !responses.isEmpty else {
      let response = ResponseBuilder().response
      return (
        [
          Answer(
            status: 200, situation: "200", response: response, item: log.beginItem(), isWanted: true
          )
        ], 0
      )
    }
    let listed = Set(responses.compactMap { Int($0.name) })
    let order = Self.usualFirst(responses.map(\.name))
    var answers: [Answer] = []
    var leftOut = 0
    for (place, name) in order.enumerated() {
      guard let member = responses.first(where: { $0.name == name }) else { continue }
      let status = Self.status(name, isUsual: place == 0, listed: listed)
      let response = try references.resolved(member.value)
      let reader = OpenAPIResponseReader(
        references: references, status: status, isSwagger: isSwagger)
      let isWanted = place == 0 ? true : try self.isWanted(response, reader)
      // The refusal of requests without credentials is a part of the usual stubs.
      guard isWanted || status == 401 && options.requirements.contains(.security) else {
        leftOut += 1
        continue
      }
      let item = log.beginItem()
      for example in try reader.responses(response) {
        answers.append(
          Answer(
            status: status,
            situation: Self.situation(name, example.name, isFirst: example.isFirst),
            exampleName: example.name, response: example.response, item: item,
            isWanted: isWanted && (options.answers != .usual || answers.isEmpty)))
      }
    }
    return (answers, leftOut)
  }

  /// Whether an answer beside the usual one becomes a stub.
  private func isWanted(
    _ response: SourceValue, _ reader: OpenAPIResponseReader
  ) throws(FormatError) -> Bool {
    switch options.answers {
    case .usual: false
    case .examples: try reader.hasExample(response)
    case .all: true
    }
  }

  private static func situation(_ status: String, _ example: String?, isFirst: Bool) -> String {
    guard let example, !isFirst else { return status.lowercased() }
    let name = StubNaming.words(example)
    return status.first == "2" ? name : "\(status.lowercased())-\(name)"
  }

  /// The class of `404` or `4XX`; nil for other names.
  private static func statusClass(_ name: String) -> Int? {
    if let status = Int(name), (100...599).contains(status) { return status / 100 }
    guard name.utf8.count == 3, name.lowercased().hasSuffix("xx") else { return nil }
    return name.first?.wholeNumberValue
  }

  /// The names with the usual answer first: the lowest 2xx, `2XX`, `default`, the lowest 3xx, or the first.
  private static func usualFirst(_ names: [String]) -> [String] {
    let codes = names.filter { Int($0) != nil }.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }
    let usual =
      codes.first { $0.hasPrefix("2") } ?? names.first { $0.lowercased() == "2xx" }
      ?? names.first { $0.lowercased() == "default" } ?? codes.first { $0.hasPrefix("3") }
      ?? names[0]
    // A description that only lists errors answers with the error that it lists.
    let first =
      usual.lowercased() == "default" && names.count > 1 && !codes.isEmpty ? codes[0] : usual
    return [first] + names.filter { $0 != first }
  }

  private static func status(_ name: String, isUsual: Bool, listed: Set<Int>) -> Int {
    if let status = Int(name) { return status }
    if name.lowercased() == "default" { return isUsual ? 200 : 500 }
    let start = (statusClass(name) ?? 2) * 100
    return (start..<(start + 100)).first { !listed.contains($0) } ?? start
  }
}
