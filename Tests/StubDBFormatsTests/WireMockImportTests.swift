import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

/// What each key of WireMock becomes, and what has no counterpart.
@Suite struct WireMockImportTests {
  private func run(
    _ mapping: String, options: ImportOptions = ImportOptions()
  ) throws(FormatError) -> ImportRun {
    try ImportRun("orders.json", mapping, options: options)
  }

  /// The request of the one stub, as a document has it.
  private func request(_ text: String) throws -> JSONValue {
    let run = try run(#"{"request": \#(text), "response": {"status": 200}}"#)
    #expect(run.unknown == [])
    return .object(try #require(run.stubs.first).request.jsonObject)
  }

  @Test(arguments: [
    (#"{"method": "ANY", "urlPath": "/a"}"#, #"{"path": "/a"}"#),
    (#"{"method": {"oneOf": ["PUT", "GET"]}}"#, #"{"method": ["GET", "PUT"]}"#),
    (
      #"{"method": "GET", "url": "/a?x=1&y"}"#,
      #"{"method": "GET", "path": "/a", "query": {"x": ["1"], "y": [""]}, "queryIsExact": true}"#
    ),
    (
      #"{"queryParameters": {"a": {"equalTo": "1"}}, "url": "/a?x=1"}"#,
      #"{"path": "/a", "query": {"a": "1", "x": ["1"]}, "queryIsExact": true}"#
    ),
    (
      #"{"formParameters": {"a": {"equalTo": "1"}}, "headers": {"X": {"absent": false}}}"#,
      #"""
      {"body": {"form": {"a": "1"}},
        "headers": {"Content-Type": {"contains": "x-www-form-urlencoded"}, "X": {"absent": true}}}
      """#
    ),
    (#"{"urlPath": "/a/{b}/**"}"#, #"{"path": "/a/%7Bb%7D/%2A%2A"}"#),
    (#"{"urlPathTemplate": "/a/{b.c}"}"#, #"{"path": "/a/{bc}"}"#),
    (#"{"urlPathTemplate": "/a.b/**"}"#, #"{"path": {"matches": "/a\\.b/.*"}}"#),
    (
      #"{"urlPathTemplate": "/a/{b}/**"}"#,
      #"{"path": "/a/{b}/**", "url": {"matches": "(?:[a-z]+://[^/?]*+)?+/a/[^/]+/.*(?:\\?.*)?"}}"#
    ),
    (
      #"{"cookies": {"c": {"doesNotMatch": "x"}, "d": {"absent": true}, "e": {"equalTo": "1"}}}"#,
      #"{"cookies": {"c": {"and": [{"contains": ""}, {"doesNotMatch": "x"}]}, "d": {"absent": true}, "e": "1"}}"#
    ),
    (#"{"urlPathPattern": "/a/[0-9]+"}"#, #"{"path": {"matches": "/a/[0-9]+"}}"#),
    (#"{"urlPattern": "/a(/)?($|\\?.*)"}"#, #"{"path": {"matches": "/a(/)?"}}"#),
    (
      #"{"urlPattern": "/a\\?x=.*"}"#,
      #"{"url": {"matches": "(?:[a-z]+://[^/?]*+)?+(?:/a\\?x=.*)"}}"#
    ),
    (#"{"urlPattern": "^/a/[0-9]+.*$"}"#, #"{"path": {"matches": "/a/[0-9]+.*"}}"#),
    (
      #"{"urlPattern": "^/a/[0-9]+$"}"#,
      #"{"path": {"matches": "/a/[0-9]+"}, "queryIsExact": true}"#
    ),
    // No request has both, as there.
    (
      #"{"urlPattern": "/a", "queryParameters": {"x": {"equalTo": "1"}}}"#,
      #"{"url": {"matches": "(?:[a-z]+://[^/?]*+)?+(?:/a)"}, "query": {"x": "1"}}"#
    ),
    (#"{"urlPattern": ".*"}"#, "{}"),
    (
      #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "absent": true}}]}"#,
      #"{"body": {"matchesJsonPath": {"expression": "$.a", "or": [{"absent": true}, {"equalToJson": null}]}}}"#
    ),
    (
      #"{"host": {"equalTo": "a.test"}, "port": 81, "scheme": "HTTP"}"#,
      #"{"host": "a.test", "port": 81, "scheme": "http"}"#
    ),
    (
      #"{"queryParameters": {"a": {"hasExactly": [{"equalTo": "1"}]}, "b": {"absent": true}}}"#,
      #"{"query": {"a": ["1"], "b": {"absent": true}}}"#
    ),
    (
      #"{"headers": {"A": {"equalTo": "x", "caseInsensitive": true}}}"#,
      #"{"headers": {"A": {"caseInsensitive": true, "equalTo": "x"}}}"#
    ),
    (
      #"{"basicAuthCredentials": {"username": "a", "password": "b"}}"#,
      #"{"basicAuth": {"password": "b", "username": "a"}}"#
    ),
    (
      #"{"bodyPatterns": [{"equalToJson": "{\"a\": \"${json-unit.any-string}\"}"}]}"#,
      #"{"body": {"equalToJson": {"a": "${json-unit.any-string}"}}}"#
    ),
    (
      #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "contains": "x"}}]}"#,
      #"{"body": {"matchesJsonPath": {"contains": "x", "expression": "$.a"}}}"#
    ),
    (
      #"{"bodyPatterns": [{"matchesJsonPath": "$.a[?(@.b =~ /x.*/)]"}]}"#,
      #"{"body": {"matchesJsonPath": "$.a[?$.a[0] && (match(@.b, 'x.*')) || !$.a[0] && (match($.a.b, 'x.*'))]"}}"#
    ),
    (
      #"{"bodyPatterns": [{"matchesJsonPath": "$[?(@.b =~ /^a2\\d$/i && @.c.size() > 1)]"}]}"#,
      #"{"body": {"matchesJsonPath": "$[?$[0] && (match(@.b, '[aA]2\\\\d') && length(@.c) > 1) || !$[0] && (match($.b, '[aA]2\\\\d') && length($.c) > 1)]"}}"#
    ),
    (
      #"{"bodyPatterns": [{"not": {"contains": "a"}}, {"greaterThanNumber": 5}]}"#,
      #"{"body": [{"not": {"contains": "a"}}, {"greaterThanNumber": 5}]}"#
    ),
    (
      #"{"headers": {"Id": {"matchesPathTemplate": "/a.b/{c}"}}}"#,
      #"{"headers": {"Id": {"matches": "/a\\.b/[^/]+"}}}"#
    ),
    (
      #"{"headers": {"D": {"before": "now +3 days", "truncateExpected": "first day of month"}}}"#,
      #"{"headers": {"D": {"before": "now +3 days", "truncateExpected": "first day of month"}}}"#
    ),
  ])
  func partsOfRequestsAreTranslated(given: String, wanted: String) throws {
    #expect(try request(given) == JSONValue(parsing: wanted))
  }

  @Test(arguments: [
    #"{"customMatcher": {"name": "mine"}}"#, #"{"method": {"noneOf": ["GET"]}}"#,
    #"{"clientIp": {"equalTo": "127.0.0.1"}}"#,
    #"{"bodyPatterns": [{"matchesJsonPath": "$.a.length()"}]}"#,
    #"{"bodyPatterns": [{"matchesJsonSchema": {}, "schemaVersion": "V4"}]}"#,
    #"{"multipartPatterns": [{"matchingType": "ALL", "bodyPatterns": [{"contains": "a"}]}]}"#,
  ])
  func whatHasNoCounterpartLeavesTheStubOut(request: String) throws {
    let mapping = """
      {"mappings": [{"request": \(request), "response": {"status": 200}},
                    {"request": {"urlPath": "/kept"}, "response": {"status": 204}}]}
      """
    let strict = try run(mapping)
    #expect(strict.stubs.map(\.key) == ["any-kept"])
    #expect(strict.ids(.dropped) == ["stub-left-out"])
    var options = ImportOptions()
    options.flags.insert(.lenient)
    let lenient = try run(mapping, options: options)
    #expect(lenient.stubs.count == 2)
    #expect(lenient.ids(.dropped) == ["operator"])
  }

  @Test(arguments: [
    (#"{"status": 201, "jsonBody": {"a": 1}}"#, #"{"json": {"a": 1}, "status": 201}"#),
    (#"{"status": 0, "body": "x"}"#, #"{"text": "x"}"#),
    (#"{"headers": {"Set-Cookie": ["a", "b"]}}"#, #"{"headers": {"Set-Cookie": ["a", "b"]}}"#),
    (
      #"{"headers": {"Content-Type": "application/json"}, "body": "{\"a\":1}"}"#,
      #"{"headers": {"Content-Type": "application/json"}, "json": {"a": 1}}"#
    ),
    (#"{"base64Body": "AAE="}"#, #"{"base64": "AAE="}"#),
    (
      #"{"headers": {"Content-Encoding": "gzip"}, "base64Body": "H4sIAAAAAAAAA6tWSlSyMqwFAK+sG1YHAAAA"}"#,
      #"{"text": "{\"a\":1}"}"#
    ),
    (#"{"fixedDelayMilliseconds": 1500}"#, #"{"delay": "1500ms"}"#),
    (
      #"{"delayDistribution": {"type": "uniform", "lower": 1, "upper": 3}}"#,
      #"{"delay": {"uniform": ["1ms", "3ms"]}}"#
    ),
    (
      #"{"body": "ab", "chunkedDribbleDelay": {"numberOfChunks": 2, "totalDuration": 100}}"#,
      #"{"chunks": {"count": 2, "over": "100ms"}, "text": "ab"}"#
    ),
    (#"{"fault": "CONNECTION_RESET_BY_PEER"}"#, #"{"fault": "connectionReset"}"#),
  ])
  func responsesAreTranslated(given: String, wanted: String) throws {
    let run = try run(#"{"request": {"urlPath": "/a"}, "response": \#(given)}"#)
    #expect(run.unknown == [])
    let response = try #require(run.stubs.first).responses[0].jsonObject(includingBody: true)
    #expect(.object(response) == (try JSONValue(parsing: wanted)))
  }

  @Test func statesBecomeFlows() throws {
    let run = try run(
      """
      {"mappings": [
        {"request": {"urlPath": "/a"}, "response": {}, "scenarioName": "order",
         "requiredScenarioState": "Started", "newScenarioState": "paid"},
        {"request": {"urlPath": "/b"}, "response": {}, "scenarioName": "unused"}]}
      """)
    // The one that was added last answers first.
    #expect(
      run.stubs.map(\.flow) == [nil, FlowStep(name: "order", requires: "started", becomes: "paid")])
  }

  @Test func laterStubsAnswerFirstAndPrioritiesBeginAtOne() throws {
    let run = try run(
      """
      {"mappings": [
        {"priority": -2, "request": {"urlPath": "/a"}, "response": {"status": 201}},
        {"request": {"urlPath": "/a"}, "response": {"status": 202}}]}
      """)
    #expect(run.stubs.map(\.priority) == [8, 1])
    #expect(run.stubs.map { $0.responses[0].status } == [202, 201])
  }

  @Test(arguments: [
    (#"{"jsonBody": {"u": "{{request.requestLine.baseUrl}}/x"}}"#, true),
    (#"{"body": "{{ user.name }} says {{hello}}"}"#, false),
    (#"{"body": "{{now format='yyyy'}}", "transformers": ["response-template"]}"#, true),
  ])
  func bracesAreTemplatesWhereAllOfThemAreKnown(response: String, isTemplate: Bool) throws {
    let run = try run(#"{"request": {"urlPath": "/a"}, "response": \#(response)}"#)
    #expect(run.stubs.first?.responses[0].isTemplate == isTemplate)
    if isTemplate { #expect(!run.documents.contains("requestLine")) }
    #expect(run.unknown == [])
  }

  @Test func commentsAndSingleQuotesAreRead() throws {
    let run = try run(
      """
      // orders
      {'request': {'urlPath': '/a'}, /* none */ 'response': {'body': 'it\\'s'}}
      """)
    #expect(run.stubs.first?.responses[0].body == .text("it's"))
  }

  /// It would become a stub that answers everything.
  @Test func aFileOfAnotherKindIsNoStub() {
    #expect(throws: FormatError.self) {
      try ImportRun(["a.json": Data(#"{"log": {"entries": []}}"#.utf8)], format: "wiremock")
    }
  }

  @Test func aFolderGivesAScenarioForEachFolderAndOneForAll() throws {
    try withTemporaryFolder { folder in
      let root = folder.appendingPathComponent("mocks")
      for (name, text) in [
        "__files/a.json": #"{"a": 1}"#, "__files/b.png": "\u{0}\u{1}",
        "mappings/orders/a.json":
          #"{"request": {"urlPath": "/a"}, "response": {"bodyFileName": "a.json", "headers": {"Content-Type": "application/json"}}}"#,
        "mappings/users/b.json":
          #"{"request": {"urlPath": "/b"}, "response": {"bodyFileName": "b.png"}}"#,
      ] {
        let file = root.appendingPathComponent(name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
      let above = try ImportRun(folder: folder)
      #expect(above.ids(.dropped) == [])
      #expect(above.result.scenarios[1].stubs[0].responses[0].body == .json(["a": 1]))
      let run = try ImportRun(folder: root)
      #expect(run.result.scenarios.map(\.name.rawValue) == ["all", "orders", "users"])
      #expect(run.result.scenarios[0].includes.map(\.rawValue) == ["users", "orders"])
      #expect(run.result.scenarios[1].stubs[0].responses[0].body == .json(["a": 1]))
      #expect(run.result.scenarios[2].stubs[0].responses[0].body == .data(Data([0, 1])))
      #expect(run.unknown == [])
    }
  }

  @Test(arguments: ["missing.json", "../../outside.json", "/etc/hostname"])
  func filesThatAreMissingOrOutsideRefuseTheImport(name: String) throws {
    try withTemporaryFolder { folder in
      let mapping = #"{"request": {"urlPath": "/a"}, "response": {"bodyFileName": "\#(name)"}}"#
      let error = #expect(throws: FormatError.self) {
        try ImportRun("a.json", mapping, folder: folder)
      }
      #expect(error?.description.contains(name) == true)
      #expect(error?.pointer == "/response/bodyFileName")
    }
  }

  @Test func everyKeyIsInOneOfFourBags() throws {
    let run = try run(
      """
      {"id": "x", "uuid": "x", "name": "an order", "persistent": true, "priority": 3,
       "metadata": {"a": [1, {"b": 2}]}, "request": {"urlPath": "/a"},
       "response": {"status": 200, "statusMessage": "Fine"},
       "postServeActions": [{"name": "webhook", "parameters": {"url": "https://a.test"}}]}
      """)
    #expect(run.unknown == [])
    #expect(run.ids(.dropped) == ["webhook"])
    #expect(run.stubs.first?.summary == "an order")
    #expect(run.stubs.first?.priority == 3)
  }

  @Test(arguments: [
    #"{"messageMappings": [{"name": "a", "trigger": {"message": {}}, "actions": []}]}"#,
    #"{"name": "a", "trigger": {"channel": {"urlPath": "/ws"}}, "actions": [{"type": "send"}]}"#,
  ])
  func stubsOfMessagesAreLeftOut(mapping: String) throws {
    let run = try run(mapping)
    #expect(run.stubs == [] && run.ids(.dropped) == ["websocket"])
  }

  /// It has a request and a response as a mapping has.
  @Test func anEntryOfAnArchiveIsNoMapping() {
    let error = #expect(throws: FormatError.self) { try run(HARText.entry()) }
    #expect(error?.message.contains("startedDateTime") == true)
  }

  @Test func filesThatAreNoTextAreBytes() throws {
    try withTemporaryFolder { folder in
      for name in ["mappings", "__files"] {
        try FileManager.default.createDirectory(
          at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
      }
      let image = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0xFF])
      let large = Data(repeating: 0x61, count: 1 << 20 + 1)
      try image.write(to: folder.appendingPathComponent("__files/logo.png"))
      try large.write(to: folder.appendingPathComponent("__files/large.txt"))
      for name in ["logo.png", "large.txt"] {
        let mapping =
          #"{"request": {"urlPath": "/\#(name)"}, "response": {"bodyFileName": "\#(name)"}}"#
        try Data(mapping.utf8).write(to: folder.appendingPathComponent("mappings/\(name).json"))
      }
      let run = try ImportRun(folder: folder)
      let contents = run.stubs.map { stub -> Data? in
        if case .bytes(let data)? = stub.responses[0].body?.content { data } else { nil }
      }
      #expect(Set(contents) == [image, large])
    }
  }
}
