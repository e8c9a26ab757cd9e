import Foundation
import StubDBDocuments
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

/// What stubs become in contracts, and what comes back from them.
@Suite struct PactExportTests {
  private let pact: any ExportFormat

  init() throws { pact = try #require(ExportFormats.named("pact")) }

  private func run(_ stubs: String...) throws -> ExportRun {
    try ExportRun(stubs: stubs, as: pact)
  }

  /// A member of the first interaction.
  private func part(_ name: String, of run: ExportRun) throws -> JSONValue? {
    guard case .object(let contract) = try run.json,
      case .array(let interactions) = contract["interactions"],
      case .object(let members)? = interactions.first
    else { return nil }
    return members[name]
  }

  /// Imports what an export wrote.
  private func again(_ run: ExportRun) throws -> ImportRun {
    let files = run.result.files.map { ($0.path, $0.content) }
    let imported = try ImportRun(Dictionary(uniqueKeysWithValues: files))
    #expect(imported.unknown == [])
    return imported
  }

  /// The request of an interaction, and the ids of what changed.
  @Test(arguments: [
    (#"{"method": "GET", "path": "/a"}"#, #"{"method": "GET", "path": "/a"}"#, "operator"),
    (
      #"{"method": "GET", "url": "/a?x=1", "queryIsExact": true}"#,
      #"{"method": "GET", "path": "/a", "query": {"x": ["1"]}}"#, ""
    ),
    (
      #"{"method": "GET", "url": "https://a.test/a", "queryIsExact": true}"#,
      #"{"method": "GET", "path": "/a"}"#, "operator"
    ),
    (
      #"{"method": "GET", "path": "/a/{id}/**", "queryIsExact": true}"#,
      #"{"matchingRules": {"path": {"combine": "AND", "matchers": [{"match": "regex", "regex": "^(?:/a/[^/]+(?:/.*)?)$"}]}}, "method": "GET", "path": "/a/1/any"}"#,
      ""
    ),
    (
      #"{"method": "GET", "path": "/a/{id}", "pathParameters": {"id": {"matches": "[0-9]+"}}, "queryIsExact": true}"#,
      #"{"matchingRules": {"path": {"combine": "AND", "matchers": [{"match": "regex", "regex": "^(?:/a/(?:[0-9]+))$"}]}}, "method": "GET", "path": "/a/0"}"#,
      ""
    ),
    (
      #"{"method": "GET", "path": {"contains": "/a"}, "queryIsExact": true}"#,
      #"{"matchingRules": {"path": {"combine": "AND", "matchers": [{"match": "include", "value": "/a"}]}}, "method": "GET", "path": "/a"}"#,
      ""
    ),
    (
      #"{"method": "GET", "path": "/a", "queryIsExact": true, "query": {"a": {"matches": "x+"}, "b": {"absent": true}, "c": ["1", "2"]}}"#,
      #"{"matchingRules": {"query": {"a": {"combine": "AND", "matchers": [{"match": "regex", "regex": "^(?:x+)$"}]}}}, "method": "GET", "path": "/a", "query": {"a": ["x"], "c": ["1", "2"]}}"#,
      "unordered"
    ),
    (
      #"{"method": "GET", "path": "/a", "queryIsExact": true, "headers": {"Accept": "a/b", "X": "1", "Y": {"doesNotContain": "z"}}}"#,
      #"{"headers": {"Accept": "a/b", "X": "1", "Y": "any"}, "matchingRules": {"header": {"Accept": {"combine": "AND", "matchers": [{"match": "equality"}]}, "Y": {"combine": "AND", "matchers": [{"match": "equality"}]}}}, "method": "GET", "path": "/a"}"#,
      "example"
    ),
    (
      #"{"method": "POST", "path": "/a", "queryIsExact": true, "body": {"equalToJson": {"a": 1, "b c": "${json-unit.any-number}", "d": [{"e": "${json-unit.regex}[a-c]"}]}}}"#,
      #"{"body": {"a": 1, "b c": 1, "d": [{"e": "a"}]}, "matchingRules": {"body": {"$.d[0].e": {"combine": "AND", "matchers": [{"match": "regex", "regex": "^(?:[a-c])$"}]}, "$['b c']": {"combine": "AND", "matchers": [{"match": "number"}]}}}, "method": "POST", "path": "/a"}"#,
      ""
    ),
    (
      #"{"method": "POST", "path": "/a", "queryIsExact": true, "body": {"matchesJsonSchema": {"additionalProperties": false, "properties": {"a": {"type": "string"}}, "required": ["a"], "type": "object"}}}"#,
      #"{"body": {"a": "any"}, "matchingRules": {"body": {"$.a": {"combine": "AND", "matchers": [{"match": "type"}]}}}, "method": "POST", "path": "/a"}"#,
      "generated"
    ),
    (
      #"{"method": "POST", "path": "/a", "queryIsExact": true, "body": {"equalToJson": [1], "ignoreExtraElements": true}}"#,
      #"{"body": [1], "method": "POST", "path": "/a"}"#, "operator"
    ),
    (
      #"{"method": "POST", "path": "/a", "queryIsExact": true, "body": {"absent": true}}"#,
      #"{"body": null, "method": "POST", "path": "/a"}"#, ""
    ),
    (
      #"{"method": "POST", "path": "/a", "queryIsExact": true, "body": {"contains": "mug"}}"#,
      #"{"body": "mug", "method": "POST", "path": "/a"}"#, "example"
    ),
    (
      #"{"method": "POST", "path": "/a", "queryIsExact": true, "body": {"form": {"a": "1 2"}}}"#,
      #"{"body": "a=1%202", "headers": {"Content-Type": "application/x-www-form-urlencoded"}, "method": "POST", "path": "/a"}"#,
      "header operator"
    ),
  ])
  func requestsAreTranslated(given: String, wanted: String, ids: String) throws {
    let run = try run(#"{"key": "a", "request": \#(given)}"#)
    #expect(try part("request", of: run) == JSONValue(parsing: wanted))
    #expect(run.ids(.changed).joined(separator: " ") == ids)
    #expect(run.ids(.dropped) == [])
    #expect(run.unknown == [])
  }

  /// What a contract cannot ask for, forbid or hold.
  @Test(arguments: [
    #""request": {"captured": {"id": true}}"#, #""request": {"headers": {"A": {"absent": true}}}"#,
    #""request": {"cookies": {"a": {"absent": true}}}"#,
    #""request": {"query": {"a": {"equalToCaptured": "id"}}}"#,
    #""request": {"body": {"binaryEqualTo": "AP8="}}"#,
    #""request": {"body": {"multipart": [{"name": "a"}]}}"#,
    #""request": {"body": {"equalToJson": null}}"#, #""responses": [{"error": "timedOut"}]"#,
    #""responses": [{"fault": "never"}]"#, #""responses": [{"next": true}]"#,
    #""responses": [{"passthrough": true}]"#, #""responses": [{"base64": "AP8="}]"#,
    #""responses": [{"json": null}]"#, #""responses": [{"status": 700}]"#,
  ])
  func whatAContractCannotSayIsLeftOut(member: String) throws {
    let run = try run(
      #"{"key": "a", \#(member)}"#, #"{"key": "kept", "request": {"path": "/k"}}"#)
    #expect(run.result.report.lines.filter { $0.key == "a" }.map(\.id) == [.stubLeftOut])
    #expect(try part("description", of: run) == "kept")
  }

  /// The response of an interaction, and the ids of what was changed and dropped.
  @Test(arguments: [
    (
      #"{"status": 201, "json": {"a": 1}}"#,
      #"{"body": {"a": 1}, "headers": {"Content-Type": "application/json"}, "status": 201}"#, ""
    ),
    (
      #"{"text": "x", "headers": {"Content-Type": "a/b", "Set-Cookie": ["a=1", "b=2"]}}"#,
      #"{"body": "x", "headers": {"Content-Type": ["a/b"], "Set-Cookie": ["a=1", "b=2"]}, "status": 200}"#,
      ""
    ),
    (
      #"{"json": "x", "delay": "1s"}"#,
      #"{"body": "x", "headers": {"Content-Type": "application/json"}, "status": 200}"#, "timing"
    ),
    (
      #"{"json": {"id": "{{randomInt lower=1 upper=2}}", "at": {"x": "{{now format='yyyy'}}"}}, "template": true}"#,
      #"{"body": {"at": {"x": "2026"}, "id": "1"}, "generators": {"body": {"$.at.x": {"format": "yyyy", "type": "DateTime"}, "$.id": {"max": 1, "min": 1, "type": "RandomInt"}}}, "headers": {"Content-Type": "application/json"}, "matchingRules": {"body": {"$.at.x": {"combine": "AND", "matchers": [{"match": "type"}]}, "$.id": {"combine": "AND", "matchers": [{"match": "type"}]}}}, "status": 200}"#,
      ""
    ),
    (
      #"{"text": "{{request.method}}", "template": true}"#,
      #"{"body": "GET", "headers": {"Content-Type": "text/plain; charset=utf-8"}, "status": 200}"#,
      "template"
    ),
  ])
  func responsesAreTranslated(given: String, wanted: String, ids: String) throws {
    let run = try run(
      #"{"key": "a", "request": {"method": "GET", "url": "/x", "queryIsExact": true}, "responses": [\#(given)]}"#
    )
    #expect(try part("response", of: run) == JSONValue(parsing: wanted))
    #expect((run.ids(.changed) + run.ids(.dropped)).joined(separator: " ") == ids)
    #expect(run.unknown == [])
  }

  @Test func sequencesAndFlowsLoseWhatFollows() throws {
    let run = try run(
      #"""
      {"key": "a", "request": {"method": ["GET", "PUT"], "path": "/a", "queryIsExact": true},
       "responses": [{"status": 201, "repeat": 2}, {"status": 202}], "then": "fail",
       "flow": {"name": "order", "requires": "paid", "becomes": "sent"}}
      """#)
    #expect(run.ids(.changed) == ["state"])
    #expect(run.ids(.dropped) == ["sequence", "sequence", "sequence", "state"])
    let contract = try again(run)
    #expect(
      contract.result.scenarios.map(\.name.rawValue) == [
        "stubdb-provider/shop/test-and-order-is-paid"
      ])
    #expect(contract.stubs.map(\.responses[0].status) == [201, 201])
    #expect(contract.stubs.map(\.key.rawValue) == ["a-get", "a-put"])
  }

  @Test func eachConsumerAndProviderHasAFile() throws {
    func scenario(_ name: String, _ tags: String, _ summary: String, _ path: String) -> String {
      #"""
      {"scenario": "\#(name)", "tags": [\#(tags)], "summary": "\#(summary)", "stubs": [
        {"key": "a", "request": {"method": "GET", "url": "\#(path)", "queryIsExact": true}}]}
      """#
    }
    let run = try ExportRun(
      [
        scenario("app-shop", #""imported", "pact""#, "x", "/1"),
        scenario("app-shop/a-user-exists", #""pact""#, "a User exists", "/2"),
        scenario("web-shop", #""pact""#, "x", "/3"), scenario("cart/full", "", "x", "/4"),
        scenario("cart/b", "", "x", "https://b.test/5"),
      ], as: pact)
    #expect(
      run.result.files.map(\.path)
        == ["app-shop.json", "stubdb-b.test.json", "web-shop.json"])
    #expect(run.text.contains(#""name": "a User exists""#))
    #expect(
      try again(run).result.scenarios.map(\.name.rawValue) == [
        "app-shop", "app-shop/a-user-exists", "stubdb-b.test/cart/full", "stubdb-b.test/cart/b",
        "web-shop",
      ])
  }

  @Test func whatAnotherStubMayAnswerIsReported() throws {
    let run = try run(
      #"{"key": "a", "request": {"method": "GET", "url": "https://a.test/x", "queryIsExact": true}}"#,
      #"{"key": "b", "request": {"method": "GET", "url": "https://b.test/x", "queryIsExact": true}}"#,
      #"{"key": "c", "request": {"method": "GET", "url": "/x?y=1", "queryIsExact": true}}"#)
    #expect(
      run.result.report.lines.filter { $0.id == .priority }.map(\.key) == ["b"])
  }

  /// Contracts of others: what an import makes of them survives a way through a contract of ours.
  @Test(arguments: [
    #"{"method": "get", "path": "/a", "query": {"x": ["1"]}, "headers": {"Accept": "a/b,c/d", "Content-Type": "application/json"}}"#,
    #"{"method": "GET", "path": "/a/1", "matchingRules": {"path": {"matchers": [{"match": "regex", "regex": "/a/\\d+"}]}}}"#,
    #"{"method": "GET", "path": "/a", "query": {"x": ["abc"]}, "matchingRules": {"query": {"x": {"matchers": [{"match": "include", "value": "b"}]}}}}"#,
    #"{"method": "POST", "path": "/a", "body": {"a": [1, {"b": null}]}}"#,
    #"{"method": "POST", "path": "/a", "body": null}"#,
    #"{"method": "POST", "path": "/a", "headers": {"Content-Type": "application/x-www-form-urlencoded"}, "body": "a=1&b=2"}"#,
    #"{"method": "POST", "path": "/a", "headers": {"Content-Type": "application/xml"}, "body": "<a>1</a>"}"#,
    #"{"method": "POST", "path": "/a", "body": {"a": "Ada", "b": 1, "c": "x"}, "matchingRules": {"body": {"$.a": {"matchers": [{"match": "type"}]}, "$.b": {"matchers": [{"match": "integer"}]}, "$.c": {"matchers": [{"match": "regex", "regex": "[a-z]"}]}}}}"#,
    #"{"method": "POST", "path": "/a", "body": {"i": [{"n": 1, "s": "x"}]}, "matchingRules": {"body": {"$.i": {"matchers": [{"match": "type", "min": 1}]}, "$.i[*].n": {"matchers": [{"match": "number"}]}, "$.i[*].s": {"matchers": [{"match": "equality"}]}}}}"#,
    #"{"method": "POST", "path": "/a", "body": {"a": {"b": true, "c": [1, 2]}}, "matchingRules": {"body": {"$.a": {"matchers": [{"match": "type"}]}}}}"#,
    #"{"method": "POST", "path": "/a", "body": {"v": "1.2.3", "t": "say hi"}, "matchingRules": {"body": {"$.v": {"matchers": [{"match": "semver"}]}, "$.t": {"matchers": [{"match": "include", "value": "hi"}]}}}}"#,
  ])
  func contractsOfOthersMeanTheSameAfterwards(request: String) throws {
    let first = try ImportRun(
      "app-shop.json",
      #"""
      {"consumer": {"name": "App"}, "provider": {"name": "Shop"}, "interactions": [
        {"description": "an Order", "providerStates": [{"name": "A user exists"}],
         "request": \#(request), "response": {"status": 200, "headers": {"Content-Type": "application/json"}, "body": {"a": 1}}}],
       "metadata": {"pactSpecification": {"version": "3.0.0"}}}
      """#)
    let run = try ExportRun(first.result.scenarios.map(ScenarioDocument.encode), as: pact)
    #expect(run.ids(.dropped) == [])
    // Examples of schemas are made up.
    #expect(Set(run.ids(.changed)).isSubset(of: ["generated"]))
    #expect(try again(run).documents == first.documents)
    // And the contract itself does not change any more.
    let second = try ExportRun(again(run).result.scenarios.map(ScenarioDocument.encode), as: pact)
    #expect(second.result.files == run.result.files)
  }

  /// A contract gives the answers of its stubs to their requests, and no stub answers more there.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func requestsGetNoOtherAnswers(seed: UInt64) throws {
    var random = RandomStubs(seed: seed)
    var (answered, written) = (0, 0)
    for _ in 0..<20 {
      var scenario = random.scenario()
      // One stub, so that no other can answer.
      scenario.stubs = Array(scenario.stubs.prefix(1))
      scenario.stubs[0].then = .repeatLast
      scenario.stubs[0].responses = Array(scenario.stubs[0].responses.prefix(1))
      (scenario.stubs[0].flow, scenario.stubs[0].request.scheme) = (nil, nil)
      (scenario.stubs[0].request.host, scenario.stubs[0].request.port) = (nil, nil)
      scenario.stubs[0].request.wholeURL = nil
      let run = try ExportRun([ScenarioDocument.encode(scenario)], as: pact)
      guard !run.ids(.dropped).contains("stub-left-out"),
        let imported = try again(run).result.scenarios.first
      else { continue }
      written += 1
      let before = try LoadedScenario(scenario).run()
      let after = try LoadedScenario(imported).run()
      for _ in 0..<40 {
        let request = random.request()
        guard case .respond? = after.respond(to: request) else { continue }
        answered += 1
        guard case .respond? = before.respond(to: request) else {
          Issue.record("\(request) \(run.text)")
          continue
        }
      }
      let stub = try #require(run.content.stubs.first)
      for example in stub.examples(ExportOptions()) {
        guard case .respond(let selection)? = after.respond(to: example.request) else { continue }
        answered += 1
        #expect(selection.response.status == stub.played(example)[0].status)
      }
    }
    #expect(written > 5)
    #expect(answered > 5)
  }

  @Test func everyFeatureIsAccountedFor() throws {
    let run = try ExportRun(FeatureDocuments.all, as: pact)
    #expect(run.unknown == [])
    #expect(try ExportRun(FeatureDocuments.all, as: pact).result.files == run.result.files)
    #expect(try again(run).stubs != [])
  }

  /// The same stubs always give the same bytes, which are a fixture of the import, too.
  @Test func theFixtureIsWhatIsWritten() throws {
    let run = try run(
      #"""
      {"key": "charge", "summary": "refused, then accepted",
       "request": {"method": "POST", "url": "https://api.shop.test/v1/carts/{cart}/charges",
         "pathParameters": {"cart": {"matches": "c_[0-9]+"}}, "queryIsExact": true,
         "headers": {"Authorization": {"matches": "Bearer .+"}},
         "body": {"equalToJson": {"amount": "${json-unit.any-number}", "card": "visa"}}},
       "responses": [{"status": 402, "json": {"error": "card_declined", "id": "{{uuid}}"}, "template": true},
         {"status": 201}]}
      """#,
      #"{"key": "me", "request": {"method": "GET", "url": "https://api.shop.test/v1/me"}, "responses": [{"json": {"name": "Ada"}}]}"#
    )
    let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Fixtures/Imports/pact/stubdb.json").standardizedFileURL
    #expect(run.result.files.map(\.path) == ["stubdb-api.shop.test.json"])
    let wanted = try String(contentsOf: fixture, encoding: .utf8)
    #expect(run.text == wanted)
  }
}
