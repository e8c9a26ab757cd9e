import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBModel
import Testing

/// What interactions of contracts become, by the versions of the specification.
@Suite struct PactImportTests {
  private func run(
    _ interactions: String, version: String = "3.0.0", more: String = ""
  ) throws(FormatError) -> ImportRun {
    try ImportRun(
      "app-shop.json",
      """
      {"consumer": {"name": "App"}, "provider": {"name": "Shop"}, "interactions": \(interactions),
       "metadata": {"pactSpecification": {"version": "\(version)"}}\(more)}
      """)
  }

  private func interaction(
    _ request: String, _ response: String = #"{"status": 200}"#, more: String = ""
  )
    -> String
  {
    #"[{"description": "a request", "request": \#(request), "response": \#(response)\#(more)}]"#
  }

  private func request(_ text: String, version: String = "3.0.0") throws -> JSONValue {
    let run = try run(interaction(text), version: version)
    #expect(run.unknown == [])
    return .object(try #require(run.stubs.first).request.jsonObject)
  }

  @Test(arguments: [
    (
      "2.0.0", #"{"method": "get", "path": "/a", "query": "x=1&y=2&x=3"}"#,
      #"{"method": "GET", "path": "/a", "query": {"x": ["1", "3"], "y": "2"}, "queryIsExact": true}"#
    ),
    (
      "3.0.0",
      #"{"method": "GET", "path": "/a", "query": {"x": ["1"]}, "headers": {"Accept": "a,b"}}"#,
      #"{"headers": {"Accept": {"matches": "a\\s*,\\s*b"}}, "method": "GET", "path": "/a", "query": {"x": "1"}, "queryIsExact": true}"#
    ),
    (
      "3.0.0",
      #"{"method": "GET", "path": "/a/1", "matchingRules": {"path": {"matchers": [{"match": "regex", "regex": "/a/\\d+"}]}}}"#,
      #"{"method": "GET", "path": {"matches": "/a/\\d+"}, "queryIsExact": true}"#
    ),
    (
      "3.0.0",
      #"{"method": "GET", "path": "/a/1", "matchingRules": {"path": {"matchers": [{"match": "type"}, {"match": "regex", "regex": "/a/\\d+"}]}}}"#,
      #"{"method": "GET", "path": {"and": [{"matches": ".+"}, {"matches": "/a/\\d+"}]}, "queryIsExact": true}"#
    ),
    (
      "3.0.0", #"{"method": "POST", "path": "/a", "body": {"a": 1}}"#,
      #"{"body": {"equalToJson": {"a": 1}}, "method": "POST", "path": "/a", "queryIsExact": true}"#
    ),
    (
      "4.0",
      #"{"method": "POST", "path": "/a", "body": {"contentType": "image/png", "encoded": "base64", "content": "AAE="}}"#,
      #"{"body": {"binaryEqualTo": "AAE="}, "method": "POST", "path": "/a", "queryIsExact": true}"#
    ),
    (
      "3.0.0", #"{"method": "POST", "path": "/a", "body": null}"#,
      #"{"body": {"absent": true}, "method": "POST", "path": "/a", "queryIsExact": true}"#
    ),
  ])
  func requestsAreTranslated(version: String, given: String, wanted: String) throws {
    #expect(try request(given, version: version) == JSONValue(parsing: wanted))
  }

  /// Rules say which contents match; the stub must agree.
  @Test(arguments: [
    (
      #""$.a": {"match": "type"}"#, [#"{"a": "x"}"#],
      [#"{"a": 1}"#, #"{}"#, #"{"a": "x", "b": 1}"#]
    ),
    (#""$.a": {"match": "regex", "regex": "[a-c]+"}"#, [#"{"a": "abc"}"#], [#"{"a": "abd"}"#]),
    (#""$.a": {"match": "integer"}"#, [#"{"a": 7}"#], [#"{"a": 7.5}"#, #"{"a": "7"}"#]),
  ])
  func rulesOfContentBecomeASchema(rule: String, matching: [String], others: [String]) async throws
  {
    for version in ["2.0.0", "3.0.0"] {
      let parts = rule.split(separator: ":", maxSplits: 1)
      let rules =
        version == "2.0.0"
        ? "{\(rule.replacingOccurrences(of: "$.", with: "$.body."))}"
        : #"{"body": {\#(parts[0]): {"matchers": [\#(parts[1])]}}}"#
      let run = try run(
        interaction(
          #"{"method": "POST", "path": "/a", "body": {"a": "abc"}, "matchingRules": \#(rules)}"#),
        version: version)
      for body in matching {
        try await run.play([
          RecordedCase(method: "POST", url: "https://a.test/a", body: Data(body.utf8))
        ])
      }
      for body in others {
        await #expect(throws: (any Error).self) {
          try await run.play([
            RecordedCase(method: "POST", url: "https://a.test/a", body: Data(body.utf8))
          ])
        }
      }
    }
  }

  /// A request that the contract does not allow gets no answer.
  @Test(arguments: [
    (
      #"{"match": "date", "format": "dd.MM.yyyy"}"#, "31.12.2026", ["01.02.2027"],
      ["2026-12-31", "31.13.2026", "x"]
    ),
    (
      #"{"match": "datetime"}"#, "2026-01-01T10:00:00", ["2027-12-31T23:59:59"],
      ["2027-12-31", "2027-12-31T24:00:00"]
    ),
    (
      #"{"match": "timestamp", "timestamp": "yyyy-MM-dd'T'HH:mm[:ss]XXX"}"#, "2026-01-01T10:00Z",
      ["2026-01-01T10:00:05+01:00"], ["2026-01-01T10:00"]
    ),
    (#"{"match": "semver"}"#, "1.2.3", ["1.0.0-rc.1+7"], ["1.2", "1.2.3 x"]),
    (
      #"{"match": "regex", "regex": "a.*"}, {"match": "regex", "regex": ".*z"}"#, "az", ["abz"],
      ["ab", "bz"]
    ),
  ])
  func rulesOfTextsAreFollowedWhole(
    rules: String, example: String, matching: [String], others: [String]
  ) async throws {
    for combine in ["AND", "OR"] {
      let run = try run(
        interaction(
          #"""
          {"method": "POST", "path": "/a", "query": {"x": ["\#(example)"]}, "body": {"x": "\#(example)"},
           "matchingRules": {"query": {"x": {"matchers": [\#(rules)], "combine": "\#(combine)"}},
             "body": {"$.x": {"matchers": [\#(rules)], "combine": "\#(combine)"}}}}
          """#))
      let url = try #require(URL(string: "https://a.test/a"))
      func play(_ query: String, _ body: String) async throws {
        try await run.play([
          RecordedCase(
            method: "POST",
            url: url.appending(queryItems: [URLQueryItem(name: "x", value: query)])
              .absoluteString.replacingOccurrences(of: "+", with: "%2B"),
            body: Data(#"{"x": "\#(body)"}"#.utf8))
        ])
      }
      let isChoice = rules.contains("}, {") && combine == "OR"
      for text in [example] + matching + (isChoice ? others : []) { try await play(text, text) }
      for text in isChoice ? ["b"] : others {
        await #expect(throws: (any Error).self) { try await play(text, example) }
        await #expect(throws: (any Error).self) { try await play(example, text) }
      }
    }
  }

  @Test func aListMayFollowAnyOfItsRules() async throws {
    let run = try run(
      interaction(
        #"""
        {"method": "POST", "path": "/a", "body": {"x": [1]}, "matchingRules": {"body": {"$.x":
          {"matchers": [{"match": "type"}, {"match": "null"}], "combine": "OR"}}}}
        """#))
    func play(_ body: String) async throws {
      try await run.play([
        RecordedCase(method: "POST", url: "https://a.test/a", body: Data(body.utf8))
      ])
    }
    for body in [#"{"x": [7, 8]}"#, #"{"x": null}"#] { try await play(body) }
    for body in [#"{"x": []}"#, #"{"x": ["7"]}"#, #"{"x": 1}"#] {
      await #expect(throws: (any Error).self) { try await play(body) }
    }
  }

  @Test(arguments: [
    #"{"match": "date", "format": "%Y-%m-%d"}"#, #"{"match": "date", "format": "yyyy-MM-dd QQ"}"#,
    #"{"match": "eachKey"}"#,
  ])
  func rulesWithoutACounterpartLeaveTheStubOutUnlessLenient(rule: String) throws {
    let text = interaction(
      #"""
      {"method": "GET", "path": "/a", "query": {"x": ["2026-01-01"], "y": ["1"]},
       "matchingRules": {"query": {"x": {"matchers": [\#(rule)]}}}}
      """#)
    let run = try run(text)
    #expect(run.stubs == [])
    #expect(run.ids(.dropped) == ["stub-left-out"])
    var options = ImportOptions()
    options.flags.insert(.lenient)
    let lenient = try ImportRun(
      "a.json",
      #"{"consumer": {"name": "a"}, "provider": {"name": "b"}, "interactions": \#(text), "metadata": {"pactSpecification": {"version": "3.0.0"}}}"#,
      options: options)
    #expect(lenient.stubs.count == 1)
    #expect(lenient.ids(.dropped) == ["operator"])
  }

  @Test func formsHaveTheirFieldsAndNoOthers() async throws {
    let run = try run(
      interaction(
        #"""
        {"method": "POST", "path": "/a", "headers": {"Content-Type": "application/x-www-form-urlencoded"},
         "body": "a=1&b=2"}
        """#))
    func play(_ body: String) async throws {
      try await run.play([
        RecordedCase(
          method: "POST", url: "https://a.test/a",
          headers: [.contentType: "application/x-www-form-urlencoded"], body: Data(body.utf8))
      ])
    }
    try await play("b=2&a=1")
    for body in ["a=1", "a=1&b=2&c=3", "a=1&b=3"] {
      await #expect(throws: (any Error).self) { try await play(body) }
    }
  }

  @Test func eachElementFollowsTheExample() async throws {
    let run = try run(
      interaction(
        #"""
        {"method": "POST", "path": "/a", "body": {"items": [{"id": 1}]},
         "matchingRules": {"body": {"$.items": {"matchers": [{"match": "type", "min": 1}]},
           "$.items[*].id": {"matchers": [{"match": "integer"}]}}}}
        """#))
    try await run.play([
      RecordedCase(
        method: "POST", url: "https://a.test/a",
        body: Data(#"{"items": [{"id": 2}, {"id": 3}]}"#.utf8))
    ])
    for body in [#"{"items": []}"#, #"{"items": [{"id": "x"}]}"#] {
      await #expect(throws: (any Error).self) {
        try await run.play([
          RecordedCase(method: "POST", url: "https://a.test/a", body: Data(body.utf8))
        ])
      }
    }
  }

  @Test func statesOfTheProviderAreScenarios() throws {
    let request = #"{"method": "GET", "path": "/me"}"#
    let run = try run(
      """
      [{"description": "me", "providerStates": [{"name": "a user exists"}],
        "request": \(request), "response": {"status": 200, "body": {"id": 1}}},
       {"description": "me", "providerStates": [], "request": \(request), "response": {"status": 404}}]
      """)
    #expect(run.result.scenarios.map(\.name.rawValue) == ["app-shop/a-user-exists", "app-shop"])
    #expect(run.ids(.changed) == ["provider-state"])
  }

  @Test func messagesAndUnknownRulesAreLeftOut() throws {
    let run = try run(
      """
      [{"type": "Asynchronous/Messages", "description": "m", "contents": {}},
       {"description": "r", "request": {"method": "GET", "path": "/a",
         "matchingRules": {"path": {"matchers": [{"match": "arrayContains"}]}}}, "response": {}}]
      """, version: "4.0", more: #", "messages": [{"description": "x"}]"#)
    #expect(run.stubs.isEmpty)
    #expect(run.ids(.dropped) == ["stub-left-out", "websocket", "websocket"])
    #expect(run.unknown == [])
  }

  /// A response with generators, the response that it becomes, and the ids of the report.
  @Test(arguments: [
    (
      #"{"status": 200, "body": {"id": 7, "at": "x", "ok": true, "k": [{"u": "a"}, {"u": "b"}]}, "generators": {"body": {"$.id": {"type": "RandomInt", "min": 1, "max": 9}, "$.at": {"type": "DateTime"}, "$.ok": {"type": "RandomBoolean"}, "$.k[*].u": {"type": "Uuid"}}}}"#,
      #"{"json": {"at": "{{now format=\"yyyy-MM-dd'T'HH:mm:ss\"}}", "id": "{{json (randomInt lower=1 upper=10)}}", "k": [{"u": "{{uuid}}"}, {"u": "{{uuid}}"}], "ok": "{{json (pickRandom true false)}}"}, "template": true}"#,
      ""
    ),
    (
      #"{"status": 200, "headers": {"X-Id": "1"}, "generators": {"header": {"x-id": {"type": "RandomHexadecimal", "digits": 4}}}}"#,
      #"{"headers": {"X-Id": "{{randomValue length=4 type='HEXADECIMAL'}}"}, "template": true}"#, ""
    ),
    (
      #"{"status": 200, "body": {"id": 7, "b": "c"}, "generators": {"status": {"type": "RandomInt"}, "body": {"$.id": {"type": "ProviderState", "expression": "${id}"}, "$.none": {"type": "Uuid"}, "$.b": {"type": "Date", "expression": "+ 1 day"}}}}"#,
      #"{"json": {"b": "c", "id": 7}}"#, "generated generated generated generated"
    ),
    (
      #"{"status": 200, "body": {"id": 7, "b": "{{x}}"}, "generators": {"body": {"$.id": {"type": "RandomInt"}}}}"#,
      #"{"json": {"b": "{{x}}", "id": 7}}"#, "generated"
    ),
  ])
  func generatorsBecomeTemplates(given: String, wanted: String, ids: String) throws {
    let run = try run(interaction(#"{"method": "GET", "path": "/a"}"#, given))
    let document = try JSONValue(parsing: run.documents)
    guard case .object(let scenario) = document, case .array(let stubs) = scenario["stubs"],
      case .object(let stub) = stubs.first
    else {
      Issue.record("no stub in \(run.documents)")
      return
    }
    #expect(stub["responses"] == .array([try JSONValue(parsing: wanted)]))
    #expect(run.ids(.changed).joined(separator: " ") == ids)
    #expect(run.ids(.dropped) == [])
  }

  @Test func valuesThatMayComeInAnyOrderAreReported() throws {
    func changes(_ query: String) throws -> [String] {
      try run(
        interaction(#"{"method": "GET", "path": "/a", "query": "\#(query)"}"#), version: "2.0.0"
      )
      .ids(.changed)
    }
    #expect(try changes("x=1&y=2&x=3") == ["unordered"])
    #expect(try changes("x=1&y=2") == [])
  }

  /// Pact compares the text of a number with the expression.
  @Test func anExpressionMatchesTheTextOfANumber() throws {
    let request = #"""
      {"method": "POST", "path": "/a", "body": {"feet": 4, "animals": [{"legs": 2}], "ok": true},
       "matchingRules": {"$.body.feet": {"match": "regex", "regex": "[0-9]"},
         "$.body.animals": {"match": "type"}, "$.body.animals[*].legs": {"match": "regex", "regex": "[24]"}}}
      """#
    let stub = try #require(try run(interaction(request), version: "2.0.0").stubs.first)
    for (body, isAnswered) in [
      (#"{"feet": 4, "animals": [{"legs": 2}], "ok": true}"#, true),
      (#"{"feet": "7", "animals": [{"legs": 2}, {"legs": 4}], "ok": true}"#, true),
      (#"{"feet": 12, "animals": [{"legs": 2}], "ok": true}"#, false),
      (#"{"feet": [4], "animals": [{"legs": 2}], "ok": true}"#, false),
      (#"{"feet": 4, "animals": [{"legs": 2}, {"legs": 3}], "ok": true}"#, false),
    ] {
      #expect(try Self.answers(stub, body) == isAnswered, "\(body)")
    }
  }

  private static func answers(_ stub: Stub, _ body: String) throws -> Bool {
    let scenario = Scenario(name: ScenarioName(unchecked: "a/b"), stubs: [stub])
    let request = StubRequest(method: "POST", url: "/a", body: .bytes(Data(body.utf8)))
    if case .respond = try LoadedScenario(scenario).run(seed: 0).respond(to: request) {
      return true
    }
    return false
  }
}
