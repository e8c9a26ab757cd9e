import Foundation
import StubDBDocuments
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBModel
import Testing

/// An export in a test: documents as texts, and what becomes of them.
struct ExportRun {
  let content: ExportContent
  let result: ExportResult

  /// Exports documents; included ones follow those that include them.
  init(
    _ documents: [String], as format: any ExportFormat, options: ExportOptions = ExportOptions()
  ) throws {
    let scenarios = try documents.map { try ScenarioDocument.decode(Data($0.utf8)) }
    content = ExportContent(scenarios, options: options)
    result = Exporter.result(of: content, as: format)
  }

  /// Exports the stubs of a scenario `shop/test`, each written as a document has it.
  init(
    stubs: [String], as format: any ExportFormat, options: ExportOptions = ExportOptions()
  ) throws {
    try self.init(
      [#"{"scenario": "shop/test", "stubs": [\#(stubs.joined(separator: ","))]}"#], as: format,
      options: options)
  }

  /// The text of the first file.
  var text: String { result.files.first.map { String(decoding: $0.content, as: UTF8.self) } ?? "" }

  /// The first file as JSON.
  var json: JSONValue { get throws { try JSONValue(parsing: Data(text.utf8)) } }

  /// The ids of the lines of a level, sorted.
  func ids(_ level: ReportLevel) -> [String] {
    result.report.lines.filter { $0.level == level }.map(\.id.rawValue).sorted()
  }

  /// The pointers of values of which a format says nothing by itself.
  var unknown: [String] {
    result.report.lines.filter { $0.id == .unknown }.map { "\($0.key ?? "") \($0.pointer ?? "")" }
  }

  /// Plays example requests, one after another, through a run of the scenarios as they were exported.
  func play(_ examples: [RequestExample]) throws -> [StubResponse?] {
    let scenarios = content.scenarios.map { exported in
      var scenario = exported.scenario
      scenario.stubs = exported.stubs.map(\.stub)
      scenario.includes = []
      return scenario
    }
    guard let first = scenarios.first else { return [] }
    let run = try LoadedScenario(first, including: Array(scenarios.dropFirst())).run()
    return examples.map { example in
      guard case .respond(let selection)? = run.respond(to: example.request) else { return nil }
      return selection.response
    }
  }
}

extension ImportRun {
  /// Expects of a run of the first scenario, which was imported from an export, that it answers the examples of every
  /// stub as the stub does.
  func expectSameAnswers(as export: ExportRun, onlyFirst: Bool = false) throws {
    let run = try LoadedScenario(try #require(result.scenarios.first)).run()
    for stub in export.content.stubs {
      for example in stub.examples(ExportOptions()) {
        let played = stub.played(example)
        for response in onlyFirst ? played.prefix(1) : played[...] {
          for _ in 0..<response.repeatCount {
            let place = "\(stub.stub.key) \(example.method) \(response.index)"
            guard case .respond(let selection)? = run.respond(to: example.request) else {
              Issue.record("\(place) is not answered")
              return
            }
            Self.expectSame(selection.response, as: response, place)
          }
        }
      }
    }
  }

  private static func expectSame(
    _ answer: StubResponse, as response: PlayedResponse, _ place: String
  ) {
    #expect((answer.error != nil) == (response.ending != .complete), "\(place)")
    guard answer.error == nil else { return }
    #expect(answer.status == response.status, "\(place)")
    #expect(answer.headers == response.headers, "\(place)")
    var bytes = Data()
    if case .bytes(let content)? = answer.body?.content { bytes = content }
    #expect(bytes == response.content, "\(place)")
  }
}

/// A format that settles only the requests, to test what the frame does.
struct ExampleFormat: ExportFormat {
  let name = "examples"
  let summary = "example requests"
  let layout = ExportLayout.file(extension: "txt")

  func files(of content: ExportContent) -> [ExportedFile] {
    var text = ""
    for stub in content.stubsInAnswerOrder {
      for example in stub.examples(content.options) { text += "\(example.method) \(example.url)\n" }
    }
    return [ExportedFile(path: "examples.txt", text: text)]
  }
}

/// Documents with every feature that a document may have.
enum FeatureDocuments {
  static let all = [main, included]

  static let main = #"""
    { "scenario": "shop/features", "summary": "Everything", "tags": ["all", "shop"],
      "includes": ["shop/included"],
      "stubs": [
        { "key": "url", "summary": "A literal request", "priority": 3, "required": true,
          "request": {
            "method": "POST", "url": "https://api.shop.test:8443/v1/carts/{cart}/**",
            "pathParameters": {"cart": {"matches": "c_[0-9]+"}},
            "query": {"expand": "items", "page": ["1", "2"], "q": {"contains": "mug"}},
            "queryIsExact": true,
            "headers": {"Accept": "application/json", "X-Trace": {"absent": true},
              "X-Number": {"greaterThanNumber": 4}},
            "cookies": {"session": "s1", "theme": {"or": ["dark", "light"]}},
            "basicAuth": {"username": "ada", "password": "secret"},
            "captured": {"cart": true},
            "body": {"equalToJson": {"amount": 1200, "id": "${json-unit.any-string}"},
              "ignoreArrayOrder": true, "ignoreExtraElements": true}},
          "capture": {"cart": {"jsonPath": "$.id"}, "theme": {"cookie": "theme"}},
          "responses": [
            {"status": 402, "headers": {"Retry-After": "1", "Set-Cookie": ["a=1", "b=2"]},
              "json": {"error": "card_declined"}, "delay": "200ms", "repeat": 2},
            {"status": 201, "text": "{{request.method}} {{captured.cart}}", "template": true,
              "delay": {"uniform": ["100ms", "300ms"]}},
            {"base64": "AAH/", "throttle": "3g", "chunks": {"count": 2, "over": "1s"}},
            {"chunks": [{"text": "data: 1\n\n"}, {"json": {"a": 1}, "after": "1s"}]},
            {"error": "timedOut", "delay": {"lognormal": {"median": "80ms", "sigma": 0.4}}},
            {"error": {"domain": "Shop", "code": 7, "userInfo": {"a": 1}}, "afterBytes": 2,
              "text": "partial", "status": 200},
            {"fault": "connectionReset"},
            {"callbacks": [{"request": {"url": "https://hooks.test/", "json": {"a": 1}}, "after": "1s"}]},
            {"next": true}],
          "then": "cycle",
          "flow": {"name": "order", "requires": "started", "becomes": "paid"},
          "recorded": {"at": "2026-11-21", "from": "https://api.shop.test"}},
        { "key": "operators",
          "request": {"scheme": "http", "host": {"matches": "api-[0-9]\\.shop\\.test"}, "port": 81,
            "path": {"matches": "/v[0-9]/x"}, "method": ["GET", "PUT"],
            "body": [{"matchesJsonPath": "$.items[0].sku"}, {"contains": "mug"}]},
          "responses": [{"fault": "never"}, {"passthrough": true}], "then": "fail" },
        { "key": "whole-url", "request": {"url": {"matches": "https://cdn\\.shop\\.test/a.*"}},
          "responses": [{"fault": "truncated", "text": "abcdef"}, {"fault": "garbage"},
            {"fault": "emptyResponse"}], "then": "passthrough" },
        { "key": "form", "request": {"method": "POST", "url": "/form",
            "body": {"form": {"a": "1", "b": {"matches": "x+"}}}}, "then": "next" },
        { "key": "parts", "request": {"method": "POST", "url": "/parts",
            "body": {"multipart": [{"name": "avatar", "filename": {"matches": ".+\\.png"},
              "headers": {"Content-Type": "image/png"}, "body": {"binaryEqualTo": "AAH/"}}]}} },
        { "key": "graphql", "request": {"method": "POST", "url": "/graphql",
            "body": {"graphql": {"operationName": "Cart", "variables": {"id": "1"},
              "query": "query Cart($id: ID) { cart(id: $id) { total } }"}}} },
        { "key": "xml", "request": {"method": "POST", "url": "/xml",
            "body": [{"equalToXml": "<a><b>${xmlunit.ignore}</b></a>", "enablePlaceholders": true,
              "ignoreOrderOfSameNode": true}, {"matchesXPath": {"expression": "/a/b"}}]} },
        { "key": "schema", "request": {"method": "POST", "url": "/schema",
            "body": {"matchesJsonSchema": {"type": "object", "required": ["id"],
              "properties": {"id": {"type": "integer", "minimum": 5}}}, "schemaVersion": "2020-12"}} },
        { "key": "captured", "request": {"method": "GET", "url": "/captured",
            "query": {"id": {"equalToCaptured": "cart"}}} },
        { "key": "values", "request": {"url": "/values", "query": {
            "a": {"equalTo": "X", "caseInsensitive": true}, "b": {"doesNotContain": "x"},
            "c": {"doesNotMatch": "y.*"}, "d": {"anything": true}, "e": {"equalToNumber": 2},
            "f": {"lessThanEqualNumber": 2}, "g": {"before": "now"},
            "h": {"after": "2026-01-01T00:00:00Z"}, "i": {"equalToDateTime": "2026-01-01"},
            "j": {"includes": ["1", {"contains": "2"}]}, "k": {"not": {"equalTo": "z"}},
            "l": {"and": [{"contains": "a"}, {"matches": "[a-c]+"}]}}}},
        { "key": "live", "request": {"method": "GET", "url": "wss://api.shop.test/live"},
          "responses": [{"webSocket": {"protocol": "orders.v1", "frames": [
            {"send": {"json": {"type": "hello"}}}, {"expect": {"contains": "o_1"}, "within": "2s"},
            {"close": 1000}], "otherwise": "ignore"}}] },
        { "key": "anything" }
      ] }
    """#

  static let included = #"""
    { "scenario": "shop/included", "tags": ["session"], "stubs": [
        { "key": "me", "request": {"method": "GET", "url": "https://api.shop.test/v1/me"},
          "responses": [{"json": {"name": "Ada"}}] } ] }
    """#
}
