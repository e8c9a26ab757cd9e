import Foundation
import StubDBDocuments
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

/// What of a stub becomes what of a mapping.
@Suite struct WireMockExportTests {
  private let wireMock: any ExportFormat

  init() throws { wireMock = try #require(ExportFormats.named("wiremock")) }

  private func run(_ stubs: String...) throws -> ExportRun {
    try ExportRun(stubs: stubs, as: wireMock)
  }

  private func mapping(_ run: ExportRun, _ index: Int = 0) throws -> JSONObject {
    let files = run.result.files.filter { $0.path.hasPrefix("mappings/") }
    let value = try JSONValue(parsing: try #require(files.dropFirst(index).first).content)
    guard case .object(let members) = value else { return [:] }
    return members
  }

  /// The request of a mapping, and the ids of what changed.
  @Test(arguments: [
    (#"{"method": "GET", "path": "/a"}"#, #"{"method": "GET", "urlPath": "/a"}"#, ""),
    (
      #"{"method": ["PUT", "GET"], "url": "https://a.test/x"}"#,
      #"{"host": {"equalTo": "a.test"}, "method": {"oneOf": ["GET", "PUT"]}, "port": 443, "scheme": "https", "urlPath": "/x"}"#,
      ""
    ),
    (
      #"{"url": "http://a.test:8080/x"}"#,
      #"{"host": {"equalTo": "a.test"}, "port": 8080, "scheme": "http", "urlPath": "/x"}"#, ""
    ),
    (#"{"path": "/a/{id}"}"#, #"{"urlPathTemplate": "/a/{id}"}"#, ""),
    (#"{"path": "/a/**/c.d"}"#, #"{"urlPathPattern": "/a(?:/[^?]*)?/c\\.d"}"#, ""),
    (#"{"path": {"matches": "/a/[0-9]+"}}"#, #"{"urlPathPattern": "/a/[0-9]+"}"#, ""),
    (#"{"path": {"contains": "a.b"}}"#, #"{"urlPathPattern": "(?s).*a\\.b.*"}"#, ""),
    (
      #"{"path": "/a/{id}", "pathParameters": {"id": {"matches": "[0-9]+"}}}"#,
      #"{"pathParameters": {"id": {"matches": "[0-9]+"}}, "urlPathTemplate": "/a/{id}"}"#, ""
    ),
    (#"{"path": "/a", "queryIsExact": true}"#, #"{"url": "/a"}"#, ""),
    (#"{"url": "/a?x=1", "queryIsExact": true}"#, #"{"url": "/a?x=1"}"#, ""),
    (
      #"{"url": "/a?x=1&y=2", "queryIsExact": true}"#,
      #"{"queryParameters": {"x": {"equalTo": "1"}, "y": {"equalTo": "2"}}, "urlPattern": "/a(?!\\?(?:[^&]*&)*x(?:=[^&]*)?&(?:[^&]*&)*x(?:=|&|$))(?!\\?(?:[^&]*&)*y(?:=[^&]*)?&(?:[^&]*&)*y(?:=|&|$))(?:\\?(?:&|(?:x|y)(?:=[^&]*)?(?=&|$))*)?"}"#,
      ""
    ),
    (
      #"{"url": {"matches": "(?:[a-z]+://[^/?]*+)?+(?:/a\\?x=.*)"}}"#,
      #"{"urlPattern": "/a\\?x=.*"}"#, ""
    ),
    (
      #"{"url": {"matches": "[a-z]+://[^/?]*(?:/a\\?x=.*)"}}"#, #"{"urlPattern": "/a\\?x=.*"}"#, ""
    ),
    (
      #"{"url": {"matches": "https://a\\.test/v[0-9]/.*"}}"#,
      #"{"host": {"equalTo": "a.test"}, "port": 443, "scheme": "https", "urlPattern": "/v[0-9]/.*"}"#,
      ""
    ),
    (
      #"{"query": {"a": ["1", "2"], "b": {"absent": true}, "c": {"anything": true}}}"#,
      #"{"queryParameters": {"a": {"hasExactly": [{"equalTo": "1"}, {"equalTo": "2"}]}, "b": {"absent": true}}}"#,
      ""
    ),
    (
      #"{"query": {"a": ["1", "1"]}}"#,
      #"{"queryParameters": {"a": {"hasExactly": [{"equalTo": "1"}, {"equalTo": "1"}]}}}"#,
      "operator"
    ),
    (
      #"{"headers": {"A": {"or": ["x", {"absent": true}]}}, "cookies": {"c": {"not": "x"}}}"#,
      #"{"cookies": {"c": {"not": {"equalTo": "x"}}}, "headers": {"A": {"or": [{"equalTo": "x"}, {"absent": true}]}}}"#,
      "operator"
    ),
    (
      #"{"query": {"n": {"equalToNumber": 9007199254740993}}}"#,
      #"{"queryParameters": {"n": {"equalToNumber": 9007199254740993}}}"#, "operator"
    ),
    (
      #"{"basicAuth": {"username": "a", "password": "b"}}"#,
      #"{"basicAuth": {"password": "b", "username": "a"}}"#, ""
    ),
    (
      #"{"body": [{"equalToJson": {"a": 1}, "ignoreArrayOrder": true}, {"contains": "x"}]}"#,
      #"{"bodyPatterns": [{"equalToJson": {"a": 1}, "ignoreArrayOrder": true}, {"contains": "x"}]}"#,
      ""
    ),
    (
      #"{"body": {"equalToJson": [1], "ignoreExtraElements": true}}"#,
      #"{"bodyPatterns": [{"equalToJson": "[1]", "ignoreExtraElements": true}]}"#, "operator"
    ),
    (
      #"{"body": {"matchesJsonPath": {"expression": "$.a", "not": {"equalToJson": null}}}}"#,
      #"{"bodyPatterns": [{"matchesJsonPath": "$.a"}]}"#, ""
    ),
    (
      #"{"body": {"matchesJsonPath": "$.a"}}"#, #"{"bodyPatterns": [{"matchesJsonPath": "$.a"}]}"#,
      "jsonpath-dialect"
    ),
    (
      #"{"body": {"matchesJsonPath": "$.a[?match(@.b, 'x.*')].c"}}"#,
      #"{"bodyPatterns": [{"matchesJsonPath": "$.a[?(@.b =~ /x.*/)].c"}]}"#, "jsonpath-dialect"
    ),
    (
      #"{"body": {"matchesJsonSchema": {"type": "object"}, "schemaVersion": "draft-07"}}"#,
      #"{"bodyPatterns": [{"matchesJsonSchema": "{\"type\":\"object\"}", "schemaVersion": "V7"}]}"#,
      ""
    ),
    (
      #"{"body": {"matchesJsonSchema": {"minLength": 2}}}"#,
      #"{"bodyPatterns": [{"matchesJsonSchema": "{\"minLength\":2}"}]}"#, "operator"
    ),
    (
      #"{"headers": {"Content-Type": {"contains": "x-www-form-urlencoded"}}, "body": {"form": {"a": "1"}}}"#,
      #"{"formParameters": {"a": {"equalTo": "1"}}, "headers": {"Content-Type": {"contains": "x-www-form-urlencoded"}}}"#,
      ""
    ),
    (
      #"{"body": {"form": {"a": "1"}}}"#, #"{"formParameters": {"a": {"equalTo": "1"}}}"#,
      "operator"
    ),
    (
      #"{"body": {"multipart": [{"name": "a", "filename": "b.png", "body": {"contains": "x"}}]}}"#,
      #"{"multipartPatterns": [{"bodyPatterns": [{"contains": "x"}], "fileName": "b.png", "headers": {"Content-Disposition": {"matches": "(?s).*;\\s*name=\"?a\"?\\s*(?:;.*)?"}}, "matchingType": "ANY", "name": "a"}]}"#,
      ""
    ),
    (
      #"{"body": {"graphql": {"query": "{ a }", "operationName": "A", "variables": {"x": 1}}}}"#,
      #"{"customMatcher": {"name": "graphql-body-matcher", "parameters": {"operationName": "A", "query": "{ a }", "variables": {"x": 1}}}}"#,
      "operator"
    ),
    (
      #"{"body": {"equalToXml": "<a/>"}}"#,
      #"{"bodyPatterns": [{"equalToXml": "<a/>", "namespaceAwareness": "STRICT"}]}"#, ""
    ),
    (
      #"{"body": {"matchesXPath": {"expression": "//x:a/text()", "namespaces": {"x": "urn:x"}, "equalTo": "1"}}}"#,
      #"{"bodyPatterns": [{"matchesXPath": {"equalTo": "1", "expression": "//x:a/text()"}, "xPathNamespaces": {"x": "urn:x"}}]}"#,
      ""
    ),
    (
      #"{"body": {"matchesXPath": "//a"}}"#, #"{"bodyPatterns": [{"matchesXPath": "//a"}]}"#,
      "operator"
    ),
  ])
  func requestsAreTranslated(given: String, wanted: String, ids: String) throws {
    let run = try run(#"{"key": "a", "request": \#(given)}"#)
    #expect(try mapping(run)["request"] == JSONValue(parsing: wanted))
    #expect(run.ids(.changed).joined(separator: " ") == ids)
    #expect(run.ids(.dropped) == [])
    #expect(run.unknown == [])
  }

  /// What a mapping could not ask for would make it answer more.
  @Test(arguments: [
    #"{"captured": {"id": true}}"#, #"{"query": {"a": {"equalToCaptured": "id"}}}"#,
    #"{"url": {"contains": "x"}}"#, #"{"url": {"matches": "https://a.test/a|http://b.test/b"}}"#,
    #"{"cookies": {"a": ["1", "2"]}}"#, #"{"query": {"a": {"not": ["1"]}}}"#,
    #"{"body": {"not": {"form": {"a": "1"}}}}"#, #"{"body": {"not": {"binaryEqualTo": "AAE="}}}"#,
    #"{"body": [{"form": {"a": "1"}}, {"form": {"b": "1"}}]}"#,
    #"{"body": {"multipart": [{"filename": {"matches": ".*"}}]}}"#,
    #"{"body": {"graphql": {"operationName": "A"}}}"#,
    #"{"body": {"matchesJsonPath": "$[?count(@.a) > 1]"}}"#,
    #"{"path": {"matches": "/a.*"}, "queryIsExact": true}"#,
    #"{"body": {"form": {"a": "1"}, "isExact": true}}"#,
    #"{"body": {"form": {}, "isExact": true}}"#,
    #"{"body": {"multipart": [{"name": "a"}], "isExact": true}}"#,
    #"{"path": "/a/{id}", "pathParameters": {"id": "1"}, "queryIsExact": true}"#,
    #"{"query": {"a": {"not": {"anything": true}}}}"#,
  ])
  func whatHasNoCounterpartIsLeftOut(request: String) throws {
    let run = try run(
      #"{"key": "a", "request": \#(request)}"#, #"{"key": "kept", "request": {"path": "/k"}}"#)
    #expect(run.result.files.map(\.path) == ["mappings/shop/test/kept.json"])
    #expect(run.ids(.dropped) == ["stub-left-out"])
  }

  /// The response of a mapping, and the ids of what changed.
  @Test(arguments: [
    (
      #"{"status": 201, "json": {"a": 1}}"#,
      #"{"headers": {"Content-Type": "application/json"}, "jsonBody": {"a": 1}, "status": 201}"#, ""
    ),
    (
      #"{"text": "x", "headers": {"Content-Type": "text/html", "Set-Cookie": ["a", "b"]}}"#,
      #"{"body": "x", "headers": {"Content-Type": "text/html", "Set-Cookie": ["a", "b"]}, "status": 200}"#,
      ""
    ),
    (#"{"base64": "AAE="}"#, #"{"base64Body": "AAE=", "status": 200}"#, ""),
    (
      #"{"json": 12, "headers": {"Content-Type": "a/b"}}"#,
      #"{"body": "12", "headers": {"Content-Type": "a/b"}, "status": 200}"#, ""
    ),
    (
      #"{"json": [0.1234567890123456789], "headers": {"Content-Type": "a/b"}}"#,
      #"{"body": "[0.1234567890123456789]", "headers": {"Content-Type": "a/b"}, "status": 200}"#, ""
    ),
    (#"{"delay": "1500ms"}"#, #"{"fixedDelayMilliseconds": 1500, "status": 200}"#, ""),
    (
      #"{"delay": "1500us"}"#, #"{"fixedDelayMilliseconds": 2, "status": 200}"#, "stream-timing"
    ),
    (
      #"{"delay": {"uniform": ["1ms", "2s"]}}"#,
      #"{"delayDistribution": {"lower": 1, "type": "uniform", "upper": 2000}, "status": 200}"#, ""
    ),
    (
      #"{"delay": {"lognormal": {"median": "80ms", "sigma": 0.4}}}"#,
      #"{"delayDistribution": {"median": 80, "sigma": 0.4, "type": "lognormal"}, "status": 200}"#,
      ""
    ),
    (
      #"{"base64": "AAE=", "chunks": {"count": 2, "over": "1s"}}"#,
      #"{"base64Body": "AAE=", "chunkedDribbleDelay": {"numberOfChunks": 2, "totalDuration": 1000}, "status": 200}"#,
      ""
    ),
    (
      #"{"headers": {"Content-Type": "a/b"}, "chunks": [{"text": "ab", "after": "10ms"}, {"text": "cd", "after": "10ms"}]}"#,
      #"{"body": "abcd", "chunkedDribbleDelay": {"numberOfChunks": 2, "totalDuration": 20}, "headers": {"Content-Type": "a/b"}, "status": 200}"#,
      ""
    ),
    (
      #"{"headers": {"Content-Type": "a/b"}, "chunks": [{"text": "ab"}, {"text": "c", "after": "10ms"}]}"#,
      #"{"body": "abc", "headers": {"Content-Type": "a/b"}, "status": 200}"#, "stream-timing"
    ),
    (
      #"{"base64": "AAECAwQFBgc=", "throttle": "8B/s"}"#,
      #"{"base64Body": "AAECAwQFBgc=", "chunkedDribbleDelay": {"numberOfChunks": 20, "totalDuration": 1000}, "status": 200}"#,
      "stream-timing"
    ),
    (
      #"{"error": "networkConnectionLost"}"#,
      #"{"fault": "CONNECTION_RESET_BY_PEER", "status": 200}"#, ""
    ),
    (
      #"{"error": "notConnectedToInternet"}"#,
      #"{"fault": "CONNECTION_RESET_BY_PEER", "status": 200}"#, "error-guess"
    ),
    (
      #"{"error": "timedOut"}"#, #"{"fixedDelayMilliseconds": 86400000, "status": 200}"#,
      "error-guess"
    ),
    (
      #"{"fault": "connectionReset"}"#, #"{"fault": "CONNECTION_RESET_BY_PEER", "status": 200}"#, ""
    ),
    (#"{"fault": "emptyResponse"}"#, #"{"fault": "EMPTY_RESPONSE", "status": 200}"#, ""),
    (#"{"fault": "garbage"}"#, #"{"fault": "RANDOM_DATA_THEN_CLOSE", "status": 200}"#, ""),
    (
      #"{"fault": "truncated", "base64": "AAE="}"#,
      #"{"base64Body": "AAE=", "fault": "MALFORMED_RESPONSE_CHUNK", "status": 200}"#, "error-guess"
    ),
    (
      #"{"fault": "never"}"#, #"{"fixedDelayMilliseconds": 86400000, "status": 200}"#, "error-guess"
    ),
    (#"{"passthrough": true}"#, #"{"proxyBaseUrl": "https://a.test"}"#, "proxy"),
    (
      #"{"text": "{{upper request.query.q}} {{uuid}}", "headers": {"Content-Type": "a/b"}, "template": true}"#,
      #"{"body": "{{{upper request.query.q}}} {{{randomValue type='UUID'}}}", "headers": {"Content-Type": "a/b"}, "status": 200, "transformers": ["response-template"]}"#,
      ""
    ),
    (
      #"{"json": {"n": "{{json request.json.items.0.n}}", "p": "{{request.path.0}}"}, "headers": {"Content-Type": "a/b"}, "template": true}"#,
      #"{"body": "{\"n\":{{{toJson (jsonPath request.body '$.items[0].n')}}},\"p\":\"{{{request.pathSegments.[0]}}}\"}", "headers": {"Content-Type": "a/b"}, "status": 200, "transformers": ["response-template"]}"#,
      "template"
    ),
    (
      #"{"text": "{{#each request.json.a as |x|}}{{concat x (upper x)}}{{/each}}", "headers": {"Content-Type": "a/b"}, "template": true}"#,
      #"{"body": "{{#each (jsonPath request.body '$.a') as |x|}}{{{join x (upper x) ''}}}{{/each}}", "headers": {"Content-Type": "a/b"}, "status": 200, "transformers": ["response-template"]}"#,
      ""
    ),
  ])
  func responsesAreTranslated(given: String, wanted: String, ids: String) throws {
    let run = try run(
      #"{"key": "a", "request": {"url": "https://a.test/x"}, "responses": [\#(given)]}"#)
    #expect(try mapping(run)["response"] == JSONValue(parsing: wanted))
    #expect(run.ids(.changed).joined(separator: " ") == ids)
    #expect(run.ids(.dropped) == [])
    #expect(run.unknown == [])
  }

  @Test(arguments: [
    #"{"next": true, "delay": "1s"}"#, #"{"passthrough": true}"#,
    #"{"status": "{{request.query.s}}", "template": true}"#,
    #"{"text": "{{counter}}", "template": true}"#, #"{"text": "{{captured.a}}", "template": true}"#,
    #"{"json": {"{{#each request.json as |x|}}": "{{x}}"}, "template": true}"#,
  ])
  func answersThatWireMockCannotGiveAreLeftOut(response: String) throws {
    let run = try run(#"{"key": "a", "request": {"path": "/a"}, "responses": [\#(response)]}"#)
    #expect(run.result.files == [])
    #expect(run.ids(.dropped) == ["stub-left-out"])
  }

  /// The states of the mappings: required, then entered.
  @Test(arguments: [
    (#""repeatLast""#, "Started>a-2 a-2>a-3 a-3>-", ""),
    (#""cycle""#, "Started>a-2 a-2>a-3 a-3>a-4 a-4>Started", ""),
    (#""fail""#, "Started>a-2 a-2>a-3 a-3>a-4 a-4>a-done", ""),
    (#""next""#, "Started>a-2 a-2>a-3 a-3>a-4 a-4>a-done", ""),
    (#""passthrough""#, "Started>a-2 a-2>a-3 a-3>a-4 a-4>a-done a-done>-", ""),
  ])
  func sequencesBecomeStates(then: String, wanted: String, ids: String) throws {
    let run = try run(
      #"""
      {"key": "a", "request": {"url": "https://a.test/x"}, "then": \#(then),
       "responses": [{"status": 201, "repeat": 2}, {"status": 202, "repeat": 2}]}
      """#)
    let states = try run.result.files.indices.sorted { one, other in
      let paths = run.result.files.map(\.path)
      return (paths[one].count, paths[one]) < (paths[other].count, paths[other])
    }.map { index in
      let members = try mapping(run, index)
      #expect(members["scenarioName"] == "shop/test/a")
      return [members["requiredScenarioState"], members["newScenarioState"]].map { value in
        if case .string(let text) = value { text } else { "-" }
      }.joined(separator: ">")
    }
    #expect(states.joined(separator: " ") == wanted)
    #expect(run.ids(.changed).joined(separator: " ") == ids)
    #expect(run.result.files.last?.path == "mappings/shop/test/a.json")
  }

  @Test func aSequenceThatFailsIsReportedWhereAnotherStubFollows() throws {
    let run = try run(
      #"{"key": "a", "request": {"path": "/x"}, "responses": [{"status": 201}], "then": "fail"}"#,
      #"{"key": "b", "priority": 9}"#)
    #expect(run.ids(.changed) == ["state"])
  }

  @Test func flowsAreScenarios() throws {
    let run = try run(
      #"{"key": "a", "flow": {"name": "order", "requires": "started", "becomes": "paid"}}"#)
    let members = try mapping(run)
    #expect(members["scenarioName"] == "order")
    #expect(members["requiredScenarioState"] == "Started")
    #expect(members["newScenarioState"] == "paid")
    let both = try self.run(
      #"{"key": "a", "flow": {"name": "o", "becomes": "x"}, "responses": [{}, {"status": 404}]}"#)
    #expect(both.ids(.dropped) == ["stub-left-out"])
  }

  /// Mappings are loaded in any order, so only numbers keep the order of those that match the same requests.
  @Test(arguments: [
    ([#"{"path": "/a"}"#, #"{"path": "/b"}"#], [nil, nil] as [JSONValue?]),
    ([#"{"path": "/a"}"#, "{}"], [nil, 6]),
    ([#"{"path": "/a/{x}"}"#, #"{"path": "/{y}/b"}"#, #"{"path": "/c"}"#], [nil, 6, nil]),
    ([#"{"method": "PUT"}"#, #"{"method": "GET"}"#], [nil, nil]),
    ([#"{"url": "/a?x=1"}"#, #"{"url": "/a?x=2"}"#], [nil, 6]),
    ([#"{"query": {"a": "1"}}"#, #"{"query": {"a": {"absent": true}}}"#], [nil, nil]),
    ([#"{"body": {"equalToJson": {"a": "b"}}}"#, #"{"body": {"equalToJson": {}}}"#], [nil, nil]),
  ])
  func prioritiesAreWrittenForTies(requests: [String], wanted: [JSONValue?]) throws {
    let run = try ExportRun(
      stubs: requests.enumerated().map { #"{"key": "k\#($0)", "request": \#($1)}"# },
      as: wireMock)
    #expect(try requests.indices.map { try mapping(run, $0)["priority"] } == wanted)
    #expect(run.ids(.changed) == wanted.compactMap { $0 }.map { _ in "priority" })
  }

  @Test func namesBecomeFileNames() throws {
    let run = try run(
      #"{"key": "Get items/1", "request": {"path": "/1"}}"#,
      #"{"key": "get-items-1", "request": {"path": "/2"}}"#,
      #"{"key": "GET-items-1", "request": {"path": "/3"}}"#,
      #"{"key": "..", "request": {"path": "/4"}}"#, #"{"key": "日本", "request": {"path": "/5"}}"#,
      #"{"key": "con", "request": {"path": "/6"}}"#)
    #expect(
      run.result.files.map(\.path)
        == [
          "GET-items-1-3", "_con", "get-items-1-2", "get-items-1", "stub-2", "stub",
        ].map { "mappings/shop/test/\($0).json" })
    #expect(try mapping(run, 1)["name"] == "con")
  }

  @Test func idsAndTextsDependOnTheContentOnly() throws {
    let stub = #"{"key": "a", "summary": "An order", "required": true, "request": {"path": "/a"}}"#
    let run = try run(stub)
    #expect(try self.run(stub).result.files == run.result.files)
    let members = try mapping(run)
    #expect(members["name"] == "An order")
    guard case .string(let id) = members["id"] else { return #expect(Bool(false)) }
    try firstMatch(
      of: /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, in: id)
    // SHA-256 of "shop/test\na".
    #expect(id == "d287fb2c-852b-828c-a293-252c9d708807")
  }

  @Test func largeContentIsAFile() throws {
    let text = String(repeating: "0123456789", count: 7000)
    let run = try run(#"{"key": "a", "responses": [{"text": "\#(text)"}]}"#)
    let body = try #require(run.result.files.first { $0.path.hasPrefix("__files/") })
    #expect(body.content == Data(text.utf8))
    try firstMatch(of: /^__files\/[0-9a-f]{12}\.txt$/, in: body.path)
    guard case .object(let response) = try mapping(run)["response"] else { return }
    #expect(response["bodyFileName"] == .string(String(body.path.dropFirst(8))))
  }

  @Test func everyFeatureIsAccountedFor() throws {
    let run = try ExportRun(FeatureDocuments.all, as: wireMock)
    #expect(run.unknown == [])
    #expect(
      run.result.files.allSatisfy {
        $0.path.hasPrefix("mappings/shop/") || $0.path.hasPrefix("__files/")
      })
  }

  /// WireMock refuses a file with a name that it does not know.
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func everyMappingIsOneThatWireMockReads(seed: UInt64) throws {
    var random = RandomStubs(seed: seed)
    var count = 0
    let documents = (0..<20).map { _ in [ScenarioDocument.encode(random.scenario())] }
    for scenarios in documents + [FeatureDocuments.all] {
      let run = try ExportRun(scenarios, as: wireMock)
      for file in run.result.files where file.path.hasPrefix("mappings/") {
        let violations = try WireMockSchema.violations(in: JSONValue(parsing: file.content))
        #expect(violations == [], "\(String(decoding: file.content, as: UTF8.self))")
        count += 1
      }
    }
    #expect(count > 30)
  }

  @Test(arguments: [
    #"{"request": {"path": "/a"}, "response": {}}"#, #"{"response": {"status": "200"}}"#,
    #"{"request": {"headers": {"A": {"contains": "x", "equalTo": "y"}}}, "response": {}}"#,
    #"{"request": {"bodyPatterns": [{"equalToJson": [1]}]}, "response": {}}"#,
    #"{"request": {"cookies": {"a": {"equalTo": "1", "x": 1}}}, "response": {}}"#,
  ])
  func theSchemaCanRefuse(mapping: String) throws {
    #expect(try WireMockSchema.violations(in: JSONValue(parsing: mapping)) != [])
  }

  @Test func aParameterOfAnExactQueryComesAsOftenAsTheStubSays() throws {
    let run = try run(
      #"{"key": "k", "request": {"url": "/a?x=1&y=2", "query": {"z": ["1", "2"]}, "queryIsExact": true}}"#
    )
    guard case .object(let request)? = try mapping(run)["request"],
      case .string(let pattern)? = request["urlPattern"]
    else {
      Issue.record("no expression")
      return
    }
    let expression = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
    func isMatch(_ target: String) -> Bool {
      let range = NSRange(target.startIndex..., in: target)
      return expression.firstMatch(in: target, range: range) != nil
    }
    for target in ["/a", "/a?x=1&y=2&z=1&z=2", "/a?y=2&&x=1", "/a?x&y"] {
      #expect(isMatch(target), "\(target)")
    }
    for target in ["/a?x=1&x=2&y=2", "/a?y=2&x=2&z=1&x=1", "/a?x&x", "/a?xx=1", "/a?z=1&y&w&y"] {
      #expect(!isMatch(target), "\(target)")
    }
    let again = try ImportRun("m.json", JSONValue.object(try mapping(run)).canonicalText)
    let read = try #require(again.stubs.first).request
    #expect(read.queryIsExact && read.path == .template("/a"))
    #expect(
      read.query == [
        NamedPattern("x", "1"), NamedPattern("y", "2"), NamedPattern("z", .hasExactly(["1", "2"])),
      ])
  }
}
