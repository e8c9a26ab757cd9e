internal import Foundation
internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBDrift
internal import StubDBJSON
internal import StubDBModel

/// Writes what stubs answer as a description in OpenAPI 3.1: their paths, and schemas of their contents.
///
/// https://spec.openapis.org/oas/v3.1.1.html
struct OpenAPIExport: ExportFormat {
  let name = "openapi"
  let summary = "a description in OpenAPI 3.1, with schemas of what the stubs answer"
  let layout = ExportLayout.file(extension: "json")
  let resourceLoss: (level: ReportLevel, text: String) = (
    .dropped, "A description has no state: what a resource keeps in a run is not said"
  )

  func files(of content: ExportContent) -> [ExportedFile] {
    guard let first = content.scenarios.first else { return [] }
    var api = LearnedAPI()
    for scenario in content.scenarios {
      scenario.document.settle(["summary": .ignored, "tags": .ignored])
      for stub in scenario.stubs { add(stub, to: &api, content.options) }
    }
    let text = api.json(title: first.name.rawValue, server: content.options.server).text
    return [ExportedFile(path: "openapi.json", text: text)]
  }

  private func add(_ stub: ExportedStub, to api: inout LearnedAPI, _ options: ExportOptions) {
    let examples = stub.examples(options, hasPlaceholders: true, hasAnyHost: true)
    guard let first = examples.first else { return }
    let described = examples.filter { LearnedAPI.methods.contains($0.method) }
    if described.isEmpty {
      return stub.leaveOut("OpenAPI 3.1 has no method \(first.method)")
    }
    if described.count < examples.count {
      stub.document["request"]?["method"]?.change(
        .matcher, "OpenAPI 3.1 has only \(LearnedAPI.methods.joined(separator: ", "))")
    }
    if stub.stub.request.methods.isEmpty {
      stub.document.note(
        .changed, .matcher, "Any method matches the stub, and \(first.method) alone is described")
    }
    // The request that a check asks with, so that both see the same answers of a template.
    let answers = stub.storedAnswers(to: stub.anyExample()).compactMap { answer in
      if case .answer(let answer) = answer { answer } else { nil }
    }
    let methods = stub.whole.request.methods
    let hasList = stub.whole.resource == nil || methods.isEmpty || methods.contains(.get)
    for example in described where hasList {
      api.add(stub.stub, example, answers, of: stub.scenario)
    }
    for (example, answer) in ResourceConversation(stub, list: first)?.exchanges ?? [] {
      api.add(stub.stub, example, [answer], of: stub.scenario)
    }
    settle(stub, first)
  }

  private func settle(_ stub: ExportedStub, _ example: RequestExample) {
    stub.document.settle([
      "summary": .kept, "priority": .ignored, "required": .ignored, "recorded": .ignored,
      "capture": .dropped(.state, "A description has no state"),
      "flow": .dropped(.state, "A description has no state; each answer is one of the operation"),
      "then": .ignored,
    ])
    for header in ["Authorization", "Cookie"] {
      stub.document["request"]?["headers"]?.members
        .first { $0.name.lowercased() == header.lowercased() }?.value
        .drop(.header, "Credentials are not described")
    }
    stub.document["request"]?["basicAuth"]?.drop(.header, "Credentials are not described")
    for index in stub.stub.responses.indices {
      guard let response = stub.response(index) else { continue }
      if response.members.isEmpty { response.keep() }
      response.settle([
        "status": .kept, "headers": .kept, "json": .kept, "text": .kept, "base64": .ignored,
        "delay": .ignored, "throttle": .ignored, "repeat": .ignored,
        "chunks": .changed(.streamTiming, "The pieces became one content, without their times"),
        "events": .changed(.streamTiming, "The events became one content, without their times"),
        "template": .changed(.template, "The template was filled in for the example request"),
        "webSocket": .dropped(.websocket, "A WebSocket is not described"),
        "error": .dropped(.failure, "A description has no failures"),
        "fault": .dropped(.failure, "A description has no failures"),
        "afterBytes": .dropped(.failure, "A description has no failures"),
        "callbacks": .dropped(.webhook, "Calls after the answer are not described"),
        "next": .dropped(.proxy, "What the next stub answers is described there"),
        "passthrough": .dropped(.proxy, "What the network answers is not known"),
      ])
    }
  }
}
