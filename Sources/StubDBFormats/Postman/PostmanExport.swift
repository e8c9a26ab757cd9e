internal import Foundation
internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Writes stubs as a collection of Postman 2.1: a request with saved examples for each, included scenarios as folders.
///
/// https://schema.postman.com
struct PostmanExport: ExportFormat {
  static let schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
  /// The variable for the host of stubs that answer any host.
  static let baseVariable = "baseUrl"

  let name = "postman"
  let summary = "a collection of Postman 2.1 with saved examples"
  let layout = ExportLayout.file(extension: "json")

  func files(of content: ExportContent) -> [ExportedFile] {
    guard let first = content.scenarios.first else { return [] }
    var usesBase = false
    var requests = SameRequests()
    var items: [OrderedJSON] = []
    for scenario in content.scenarios {
      scenario.document.settle(["summary": .kept, "tags": .ignored])
      let own = scenario.stubs.inAnswerOrder.flatMap {
        self.items(of: $0, content.options, &usesBase, &requests)
      }
      if scenario.name == first.name {
        items = own
      } else if !own.isEmpty {
        items.append(Self.folder(scenario, own))
      }
    }
    var info: [(String, OrderedJSON)] = [("name", .string(first.name.rawValue))]
    info += Self.description(first.scenario.summary)
    info.append(("schema", .string(Self.schema)))
    var collection: [(String, OrderedJSON)] = [("info", .object(info)), ("item", .array(items))]
    if usesBase {
      let variable: [(String, OrderedJSON)] = [
        ("key", .string(Self.baseVariable)), ("value", .string(content.options.server ?? "")),
        ("type", .string("string")),
      ]
      collection.append(("variable", .array([.object(variable)])))
    }
    return [
      ExportedFile(
        path: "stubs.postman_collection.json", text: OrderedJSON.object(collection).text)
    ]
  }

  private static func folder(_ scenario: ExportedScenario, _ items: [OrderedJSON]) -> OrderedJSON {
    .object(
      [("name", .string(scenario.name.rawValue))] + description(scenario.scenario.summary)
        + [("item", .array(items))])
  }

  static func description(_ summary: String?) -> [(String, OrderedJSON)] {
    summary.map { [("description", .string($0))] } ?? []
  }

  private func items(
    of stub: ExportedStub, _ options: ExportOptions, _ usesBase: inout Bool,
    _ requests: inout SameRequests
  ) -> [OrderedJSON] {
    let examples = stub.examples(options, hasPlaceholders: true, hasAnyHost: true)
    guard let first = examples.first else { return [] }
    if first.isAnyHost { usesBase = true }
    settle(stub, stub.played(first), first)
    requests.note(examples, of: stub)
    return examples.map { example in
      let suffix = examples.count > 1 ? " \(example.method)" : ""
      let writer = PostmanRequestWriter(stub: stub.stub, example: example)
      let members: [(String, OrderedJSON)] =
        [("name", .string(stub.stub.key.rawValue + suffix))]
        + [("request", writer.request(isSaved: false))]
        + [("response", .array(saved(stub, example, writer)))]
      return .object(members)
    }
  }

  /// The saved examples: one for each response that arrives.
  private func saved(
    _ stub: ExportedStub, _ example: RequestExample, _ writer: PostmanRequestWriter
  ) -> [OrderedJSON] {
    var names = UniqueNames(limit: 200)
    return stub.played(example).filter { $0.ending == .complete }.map { response in
      let phrase = StatusPhrase.text(of: response.status)
      let name = names.unique("\(response.status)\(phrase.isEmpty ? "" : " " + phrase)")
      let isText = response.text != nil
      return .object([
        ("name", .string(name)), ("originalRequest", writer.request(isSaved: true)),
        ("status", .string(phrase)), ("code", .integer(response.status)),
        (
          "_postman_previewlanguage",
          .string(response.headers[.contentType]?.contains("json") ?? false ? "json" : "text")
        ),
        ("header", PostmanRequestWriter.pairs(response.headers)),
        ("cookie", .array([])),
        ("responseTime", .integer(response.delay.wholeMilliseconds)),
        ("body", isText ? .string(response.text) : .json(.null)),
      ])
    }
  }

  private func settle(
    _ stub: ExportedStub, _ played: [PlayedResponse], _ example: RequestExample
  ) {
    stub.document.settle([
      "summary": .kept, "priority": .kept, "required": .ignored, "recorded": .ignored,
      "capture": .dropped(.state, "Nothing is captured"),
      "flow": .dropped(.state, "Examples have no states; each answers at any time"),
      "then": .dropped(.sequence, "Examples have no order, and nothing follows the last one"),
    ])
    if let body = stub.document["request"]?["body"] { settle(body, example) }
    if played.count > 1 {
      stub.document["responses"]?.tree.log.add(
        .changed, .sequence, at: stub.document["responses"] ?? stub.document,
        "The responses became examples beside each other, without an order")
    }
    for response in played { settle(response, of: stub) }
  }

  private func settle(_ body: SourceValue, _ example: RequestExample) {
    switch example.content {
    case .multipart(let parts) where parts.contains { $0.filename != nil }:
      body.note(.dropped, .noRequestBody, "The content of files is not part of a collection")
    case .bytes(let data) where String(strictUTF8: data) == nil:
      body.drop(.binary, "Content that is not text is not part of a collection")
    case .none, .json, .graphQL, .form, .multipart, .text, .bytes: break
    }
  }

  private func settle(_ response: PlayedResponse, of stub: ExportedStub) {
    guard let document = stub.response(response.index) else { return }
    document.settle([
      "delay": .changed(.timing, "The delay is noted as the time of the example; nothing waits"),
      "throttle": .changed(.timing, "The speed is not kept"),
      "repeat": .dropped(.sequence, "How often a response is given is not kept"),
      "webSocket": .dropped(.websocket, "A request of a collection opens no WebSocket"),
      "error": .dropped(.failure, "A collection has no failures; there is no example of this"),
      "fault": .dropped(.failure, "A collection has no failures; there is no example of this"),
      "callbacks": .dropped(.webhook, "Calls after the answer are no examples"),
      "next": .dropped(.proxy, "What the next stub answers is no example"),
      "passthrough": .dropped(.proxy, "What the network answers is no example"),
    ])
    document.settleContent(as: response)
    if response.text == nil {
      (document["base64"] ?? document).drop(
        .binary, "Content that is not text is not part of a collection; the example has none")
    }
  }
}
