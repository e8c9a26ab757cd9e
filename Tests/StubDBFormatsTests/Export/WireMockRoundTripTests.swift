import Foundation
import StubDBDocuments
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

/// Mappings that are exported and imported again, and the other way round.
@Suite struct WireMockRoundTripTests {
  /// The scenarios that an import makes of an export, without the tags that imports add.
  private func again(_ run: ExportRun) throws -> [Scenario] {
    try withTemporaryFolder { folder in
      for file in run.result.files {
        let url = folder.appendingPathComponent(file.path)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try file.content.write(to: url)
      }
      let imported = try ImportRun(folder: folder)
      #expect(imported.unknown == [])
      return imported.result.scenarios.map { scenario in
        var scenario = scenario
        scenario.tags.removeAll { ["imported", "wiremock"].contains($0) }
        return scenario
      }
    }
  }

  private var wireMock: any ExportFormat {
    get throws { try #require(ExportFormats.named("wiremock")) }
  }

  @Test func aDocumentComesBackAsItWas() throws {
    let document = #"""
      {
        "scenario": "Shop/cart_1",
        "summary": "A cart",
        "tags": ["a b", "cart"],
        "stubs": [
          {
            "key": "Get cart",
            "summary": "The cart",
            "required": true,
            "request": {"method": "GET", "url": "https://api.shop.test/carts/{id}",
              "pathParameters": {"id": {"matches": "[0-9]+"}}, "query": {"a": ["1", "2"], "b": "x"}},
            "responses": [{"json": {"items": [1, 2.5]}, "delay": "200ms"}],
            "recorded": {"at": "2026-11-21", "from": "https://api.shop.test"}
          },
          {
            "key": "exact", "priority": 2,
            "request": {"url": "/x", "query": {"a": "1", "b c": {"anything": true}}, "queryIsExact": true},
            "responses": [{"status": 404, "text": "{{request.path}}", "headers": {"X-A": ["1", "2"]}},
              {"status": 204, "repeat": 3}, {"error": "notConnectedToInternet"}, {"json": 7}],
            "then": "cycle"
          },
          {
            "key": "late", "request": {"url": "/x"},
            "responses": [{"error": {"domain": "Shop", "code": 7, "userInfo": {"a": [1]}}, "delay": "1s"}],
            "flow": {"name": "f", "requires": "started", "becomes": "Started"}
          },
          {
            "key": "later", "request": {"method": "POST", "url": "/x",
              "body": [{"equalToJson": {"a": ["${json-unit.any-string}"]}}, {"or": ["a", {"contains": "b"}]}]},
            "responses": [{"status": 201, "text": "{\"a\": 1}", "headers": {"Content-Type": "application/json"}},
              {"fault": "never", "delay": "2s"}, {"fault": "truncated", "text": "abcd", "afterBytes": 1}]
          },
          {
            "key": "port", "request": {"host": "h.test", "path": "/p",
              "url": {"matches": "(?:[a-z]+://[^/:?]+)?+(?:[/?].*)?"}}
          },
          {
            "key": "parts", "request": {"path": "/p", "body": {"multipart": [{"name": "a\"b", "body": {"equalTo": "x"}},
              {"filename": "c.png"}]}}
          }
        ]
      }
      """#
    let run = try ExportRun([document], as: try wireMock)
    #expect(run.ids(.dropped) == [])
    let scenario = try ScenarioDocument.decode(Data(document.utf8))
    #expect(try again(run).map(ScenarioDocument.encode) == [ScenarioDocument.encode(scenario)])
  }

  /// What has no line in the report comes back equal; what was left out does not come back.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func whatHasNoLineComesBackEqual(seed: UInt64) throws {
    var random = RandomStubs(seed: seed)
    var equal = 0
    for _ in 0..<20 {
      let scenario = random.scenario()
      let run = try ExportRun([ScenarioDocument.encode(scenario)], as: try wireMock)
      let lines = run.result.report.lines.filter { $0.level != .ignored && $0.id != .priority }
      let touched = Set(lines.compactMap(\.key))
      let leftOut = Set(lines.filter { $0.id == .stubLeftOut }.compactMap(\.key))
      let stubs = try again(run).flatMap(\.stubs)
      for stub in scenario.stubs where !touched.contains(stub.key.rawValue) {
        let other = stubs.first { $0.key == stub.key }
        try #require(
          other.map(unordered) == unordered(stub),
          "\(run.result.files.map { String(decoding: $0.content, as: UTF8.self) })")
        equal += 1
      }
      #expect(stubs.allSatisfy { !leftOut.contains($0.key.rawValue) })
      // The order in which they answer is the same.
      let order = stubs.map(\.key).filter { key in scenario.stubs.contains { $0.key == key } }
      #expect(order == scenario.stubs.map(\.key).filter(order.contains))
    }
    #expect(equal > 20)
  }

  /// Requests get the same answers from what comes back, unless the report says something of the stub.
  @Test(arguments: 11...13 as ClosedRange<UInt64>)
  func requestsGetTheSameAnswers(seed: UInt64) throws {
    var random = RandomStubs(seed: seed)
    var answered = 0
    for _ in 0..<20 {
      let scenario = random.scenario()
      let run = try ExportRun([ScenarioDocument.encode(scenario)], as: try wireMock)
      let touched = Set(
        run.result.report.lines.filter { $0.level != .ignored && $0.id != .priority }
          .compactMap(\.key))
      let before = try LoadedScenario(untouched(scenario, touched)).run()
      guard let imported = try again(run).first else { continue }
      let after = try LoadedScenario(untouched(imported, touched)).run()
      for _ in 0..<25 {
        let request = random.request()
        let answer = before.respond(to: request)?.response
        let again = after.respond(to: request)?.response
        try #require(
          answer == again,
          "\(request) \(run.result.files.map { String(decoding: $0.content, as: UTF8.self) })"
        )
        if answer != nil { answered += 1 }
      }
    }
    #expect(answered > 3)
  }

  /// The document of a stub, in which the patterns of the body stand in no order of their own.
  private func unordered(_ stub: Stub) -> String {
    var stub = stub
    stub.request.body.sort { "\($0)" < "\($1)" }
    return ScenarioDocument.encode(stub)
  }

  private func untouched(_ scenario: Scenario, _ touched: Set<String>) -> Scenario {
    var scenario = scenario
    scenario.stubs.removeAll { touched.contains($0.key.rawValue) }
    scenario.includes = []
    return scenario
  }

  /// Mappings of others, which say the same after they were here.
  @Test(arguments: [
    #"{"request": {"method": "ANY", "urlPath": "/a"}, "response": {"status": 204}}"#,
    #"{"request": {"url": "/a?x=1"}, "response": {"body": "x"}}"#,
    #"{"request": {"url": "/a?x=1&y=2%20"}, "response": {"body": "x"}}"#,
    #"{"request": {"urlPattern": "/a(/)?($|\\?.*)"}, "response": {}}"#,
    #"{"request": {"urlPattern": "/a\\?x=.*"}, "response": {}}"#,
    #"{"request": {"urlPathTemplate": "/a/{b}", "pathParameters": {"b": {"contains": "1"}}}}"#,
    #"{"request": {"host": {"equalTo": "a.test"}, "port": 81, "scheme": "https"}, "response": {}}"#,
    #"{"request": {"queryParameters": {"a": {"hasExactly": [{"equalTo": "1"}]}, "b": {"absent": true}}}}"#,
    #"{"request": {"basicAuth": {"username": "a", "password": "b"}}, "response": {}}"#,
    #"{"request": {"headers": {"A": {"equalTo": "x", "caseInsensitive": true}}, "cookies": {"c": {"matches": "x+"}}}}"#,
    #"{"request": {"formParameters": {"a": {"equalTo": "1"}}}, "response": {"fault": "EMPTY_RESPONSE"}}"#,
    #"{"request": {"multipartPatterns": [{"name": "a", "headers": {"Content-Disposition": {"contains": "name=\"a\""}}, "bodyPatterns": [{"contains": "x"}]}]}}"#,
    #"{"request": {"customMatcher": {"name": "graphql-body-matcher", "parameters": {"query": "{ a }"}}}}"#,
    #"{"request": {"bodyPatterns": [{"equalToJson": "{\"a\": 1}", "ignoreExtraElements": true}]}}"#,
    #"{"request": {"bodyPatterns": [{"matchesJsonPath": "$.a.b"}, {"matchesJsonPath": "$.a[?(@.b =~ /x.*/)]"}]}}"#,
    #"{"request": {"bodyPatterns": [{"matchesJsonPath": "$[?(@.a == ')' && @.b =~ /x/)]"}]}}"#,
    #"{"request": {"bodyPatterns": [{"matchesJsonPath": "$.a[*][?(@.b == 1)].c"}, {"matchesJsonPath": "$..[?(@.b == 1)]"}]}}"#,
    #"{"request": {"bodyPatterns": [{"matchesJsonPath": {"expression": "$.a[?(@.b == 1)].c", "equalTo": "x"}}]}}"#,
    #"{"request": {"bodyPatterns": [{"matchesJsonPath": {"expression": "$[?(@.b == 1)]", "absent": "(absent)"}}]}}"#,
    #"{"request": {"bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "doesNotContain": "x"}}]}}"#,
    #"{"request": {"bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "contains": "x"}}]}}"#,
    #"{"request": {"bodyPatterns": [{"matchesJsonSchema": "{\"type\": \"object\"}", "schemaVersion": "V7"}]}}"#,
    #"{"request": {"bodyPatterns": [{"equalToXml": "<a/>", "namespaceAwareness": "STRICT"}, {"matchesXPath": "//x:a", "xPathNamespaces": {"x": "urn:x"}}]}}"#,
    #"{"request": {"bodyPatterns": [{"binaryEqualTo": "AAE="}, {"not": {"contains": "a"}}]}}"#,
    #"{"request": {"headers": {"D": {"before": "now +3 days", "truncateExpected": "first day of month"}}}}"#,
    #"{"priority": 3, "response": {"jsonBody": [1], "fixedDelayMilliseconds": 5, "headers": {"Set-Cookie": ["a", "b"]}}}"#,
    #"{"response": {"base64Body": "AAE=", "chunkedDribbleDelay": {"numberOfChunks": 2, "totalDuration": 100}}}"#,
    #"{"response": {"delayDistribution": {"type": "lognormal", "median": 80, "sigma": 0.4}, "fault": "RANDOM_DATA_THEN_CLOSE"}}"#,
    #"{"response": {"body": "{{request.path}}", "transformers": ["response-template"]}}"#,
    #"{"response": {"body": "{{ user }}"}, "scenarioName": "s", "requiredScenarioState": "Started", "newScenarioState": "b"}"#,
    #"{"request": {"urlPattern": "^/a/.+x$"}}"#, #"{"request": {"urlPattern": "^/a/[0-9]+$"}}"#,
    #"{"request": {"bodyPatterns": [{"matchesXPath": "/a/b"}]}}"#,
    #"{"request": {"host": {"equalTo": "a.test"}}, "response": {"proxyBaseUrl": "https://a.test"}}"#,
  ])
  func mappingsOfOthersMeanTheSameAfterwards(mapping: String) throws {
    let first = try ImportRun("orders.json", mapping)
    let scenario = try #require(first.result.scenarios.first)
    let run = try ExportRun([ScenarioDocument.encode(scenario)], as: try wireMock)
    #expect(run.ids(.dropped) == [])
    let stubs = try again(run).flatMap(\.stubs)
    // Templates are written with three braces, which are the same here.
    let texts = [stubs, scenario.stubs].map { stubs in
      stubs.map(ScenarioDocument.encode).joined().replacingOccurrences(of: "{{{", with: "{{")
        .replacingOccurrences(of: "}}}", with: "}}")
    }
    #expect(texts[0] == texts[1])
  }
}

extension Outcome<Selection> {
  /// The response of a stub; nil if none answers.
  fileprivate var response: StubResponse? {
    if case .respond(let selection) = self { selection.response } else { nil }
  }
}
