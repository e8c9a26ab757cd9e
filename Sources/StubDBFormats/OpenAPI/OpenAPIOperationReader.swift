internal import Foundation
internal import HTTPTypes
internal import StubDBJSON
internal import StubDBModel

/// Makes the stubs of an operation.
struct OpenAPIOperationReader {
  let path: String
  let method: String
  let item: SourceValue
  let operation: SourceValue
  let references: OpenAPIReferences
  let server: OpenAPIServer
  let options: ImportOptions
  let isSwagger: Bool

  /// An answer of the operation: a status, and one of its examples.
  private struct Answer {
    var status: Int
    /// The name of the scenario: `404`, `4xx`, `default`, or the name of the example.
    var situation: String
    var exampleName: String?
    var response: StubResponse
  }

  /// Adds the usual answer to the main scenario, and each other one to a scenario of its own.
  func addStubs(to builder: inout OpenAPIScenarios, log: ReportLog) throws(ImportError) {
    guard let parsedMethod = HTTPRequest.Method(method) else { return }
    let operationName = operation["operationId"]?.text
    let key =
      operationName
      ?? StubNaming.key(
        of: RequestPattern(methods: [parsedMethod], path: .template(path)))
    let tag = operation["tags"]?.elements.first?.text
    var pattern = RequestPattern(methods: [parsedMethod])
    let base = server.apply(to: &pattern)
    let (pathPattern, isExpression) = OpenAPIPath.pattern(path, base: base)
    pattern.path = pathPattern
    if let callbacks = operation["callbacks"], !callbacks.members.isEmpty {
      callbacks.drop(.webhook, "Calls of the server (callbacks) are not made")
    }
    let answers = try self.answers()
    for (place, answer) in answers.enumerated() {
      let item = log.beginItem()
      if isExpression, place == 0 {
        log.add(
          .changed, .matcher, at: operation,
          "A placeholder is a part of a segment in \(path); the path became an expression")
      }
      var stub = Stub(key: .unset, request: pattern, responses: [answer.response])
      let summary = operation["summary"]?.text ?? operation["description"]?.peekedText
      stub.summary = summary.flatMap(StubNaming.summary)
      let imported = ImportedStub(stub: stub, name: key, items: [item])
      if place == 0 {
        if let paired = try pairedStub(answers, pattern, key, log) {
          for stub in paired { builder.add(stub, tag: tag, rank: OpenAPIPath.Rank(path)) }
        }
        builder.add(imported, tag: tag, rank: OpenAPIPath.Rank(path))
      } else {
        builder.add(imported, operation: key, situation: answer.situation)
      }
    }
  }

  /// Stubs for answers whose example has the name of an example of the request: they answer that request.
  private func pairedStub(
    _ answers: [Answer], _ pattern: RequestPattern, _ key: String, _ log: ReportLog
  ) throws(ImportError) -> [ImportedStub]? {
    let examples = try requestExamples()
    guard !examples.isEmpty else { return nil }
    var stubs: [ImportedStub] = []
    for answer in answers {
      guard let name = answer.exampleName, let body = examples[name] else { continue }
      let item = log.beginItem()
      var request = pattern
      request.body = [.equalToJSON(body)]
      let stub = Stub(key: .unset, request: request, responses: [answer.response])
      stubs.append(ImportedStub(stub: stub, name: "\(key)-\(name)", items: [item]))
    }
    return stubs
  }

  /// The named JSON examples of the content of the request.
  private func requestExamples() throws(ImportError) -> [String: JSONValue] {
    guard let body = operation["requestBody"] else { return [:] }
    let content = try references.resolved(body)["content"]
    guard let media = content?.members.first(where: { $0.name.contains("json") }) else {
      return [:]
    }
    var examples: [String: JSONValue] = [:]
    for example in media.value["examples"]?.members ?? [] {
      let value = try references.resolved(example.value)
      if let json = value.first(of: "dataValue", "value")?.json { examples[example.name] = json }
    }
    return examples
  }
}

// MARK: - Answers

extension OpenAPIOperationReader {
  /// The usual answer first, then every other status and named example.
  private func answers() throws(ImportError) -> [Answer] {
    let responses = (operation["responses"]?.members ?? []).filter {
      Self.statusClass($0.name) != nil || $0.name.lowercased() == "default"
    }
    guard !responses.isEmpty else {
      return [Answer(status: 200, situation: "200", response: StubResponse())]
    }
    let listed = Set(responses.compactMap { Int($0.name) })
    let order = Self.usualFirst(responses.map(\.name))
    var answers: [Answer] = []
    for (place, name) in order.enumerated() {
      guard let member = responses.first(where: { $0.name == name }) else { continue }
      let status = Self.status(name, isUsual: place == 0, listed: listed)
      let response = try references.resolved(member.value)
      let reader = OpenAPIResponseReader(
        references: references, status: status, isSwagger: isSwagger)
      for example in try reader.responses(response) {
        let situation = Self.situation(name, example.name, isFirst: example.isFirst)
        answers.append(
          Answer(
            status: status, situation: situation, exampleName: example.name,
            response: example.response))
      }
    }
    return answers
  }

  private static func situation(_ status: String, _ example: String?, isFirst: Bool) -> String {
    guard let example, !isFirst else { return status.lowercased() }
    return status.first == "2" ? example : "\(status.lowercased())-\(example)"
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
