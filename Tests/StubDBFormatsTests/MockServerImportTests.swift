import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

/// What each key of MockServer becomes, and what has no counterpart.
@Suite struct MockServerImportTests {
  private func run(
    _ text: String, options: ImportOptions = ImportOptions(), folder: URL? = nil
  ) throws(FormatError) -> ImportRun {
    try ImportRun("expectations.json", text, options: options, folder: folder)
  }

  private func expectRequest(_ given: String, _ wanted: String) throws {
    let run = try run(#"[{"httpRequest": \#(given), "httpResponse": {"statusCode": 200}}]"#)
    #expect(run.unknown == [])
    let stub = try Stub(jsonObject: ["key": "a", "request": JSONValue(parsing: wanted)])
    #expect(run.stubs.map(\.request) == [stub.request], "\(run.documents)")
  }

  @Test(arguments: [
    (#"{}"#, #"{}"#),
    (#"{"method": "get", "path": "/a.b"}"#, #"{"method": "GET", "path": "/a.b"}"#),
    (#"{"method": "GET|POST", "path": "a"}"#, #"{"method": ["GET", "POST"], "path": "/a"}"#),
    (#"{"path": "!/internal"}"#, #"{"path": {"not": {"matches": "(?i)(?:/internal)"}}}"#),
    (#"{"path": {"not": true, "value": "/x"}}"#, #"{"path": {"not": {"matches": "(?i)(?:/x)"}}}"#),
    (#"{"path": "/a/.*"}"#, #"{"path": {"matches": "/a/.*"}}"#),
    (#"{"path": "/a/{id}"}"#, #"{"path": "/a/%7Bid%7D"}"#),
    (
      #"{"path": "/a/{id}", "pathParameters": {"id": ["[0-9]+"]}}"#,
      #"{"path": "/a/{id}", "pathParameters": {"id": {"matches": "[0-9]+"}}}"#
    ),
    (
      #"{"queryStringParameters": {"a": ["1", "2"], "b": ["!x"], "c": "3"}}"#,
      #"""
      {"query": {"a": {"includes": ["1", "2"]}, "c": "3",
        "b": {"and": [{"matches": "[\\s\\S]*"}, {"not": {"includes": [{"matches": "(?i)(?:x)"}]}}]}}}
      """#
    ),
    (
      #"{"queryStringParameters": {"keyMatchStyle": "MATCHING_KEY", "a": ["1", "2"]}}"#,
      #"{"query": {"a": ["1", "2"]}}"#
    ),
    (
      #"{"headers": [{"name": "Accept", "values": ["?text/.*"]}, {"name": "!X-No", "values": [".*"]}]}"#,
      #"""
      {"headers": {"Accept": {"or": [{"absent": true}, {"matches": "text/.*"}]}, "X-No": {"absent": true}}}
      """#
    ),
    (
      #"{"headers": {"?X": ["1"], "Accept": ["application/a+json"], "N": []}}"#,
      #"""
      {"headers": {"X": {"or": [{"absent": true}, {"equalTo": "1"}]}, "N": {"matches": "[\\s\\S]*"},
        "Accept": {"or": [{"equalTo": "application/a+json"}, {"matches": "application/a+json"}]}}}
      """#
    ),
    (
      #"{"headers": {"X": [{"schema": {"type": "string", "pattern": "^a"}}]}}"#,
      #"""
      {"headers": {"X": {"and": [{"matches": "[\\s\\S]*"}, {"matches": "(?:a).*"}]}}}
      """#
    ),
    (
      #"{"headers": {"Host": ["!h.test"], "X": "1"}}"#,
      #"{"host": {"not": {"matches": "(?i)(?:h.test)"}}, "headers": {"X": "1"}}"#
    ),
    (
      #"{"headers": {"X": ["!a", "b"], "Y": ["1", "1"], "Z": ["a.*", "b"]}}"#,
      #"""
      {"headers": {"X": {"hasExactly": [{"not": {"matches": "(?i)(?:a)"}}, "b"]},
        "Y": {"hasExactly": ["1", "1"]}, "Z": {"hasExactly": [{"matches": "a.*"}, "b"]}}}
      """#
    ),
    (
      #"{"body": {"type": "STRING", "string": "x", "not": true}}"#,
      #"{"body": {"and": [{"not": {"absent": true}}, {"not": {"equalTo": "x"}}]}}"#
    ),
    (
      #"{"body": {"type": "JSON", "json": {"a": 1}, "not": true, "matchType": "STRICT"}}"#,
      #"{"body": {"not": {"equalToJson": {"a": 1}}}}"#
    ),
    (#"{"cookies": {"s": "1"}, "secure": true}"#, #"{"cookies": {"s": "1"}, "scheme": "https"}"#),
    (
      #"{"cookies": [{"name": "s", "value": "1"}], "keepAlive": true}"#, #"{"cookies": {"s": "1"}}"#
    ),
    (#"{"body": "x"}"#, #"{"body": {"equalTo": "x"}}"#),
    (
      #"{"body": {"type": "STRING", "string": "x", "subString": true}}"#,
      #"{"body": {"contains": "x"}}"#
    ),
    (#"{"body": {"type": "REGEX", "regex": "a.*"}}"#, #"{"body": {"matches": "(?-s)a.*"}}"#),
    (
      #"{"body": {"type": "car", "id": 1}}"#,
      #"""
      {"body": {"equalToJson": {"type": "car", "id": 1}, "ignoreArrayOrder": true,
        "ignoreExtraElements": true}}
      """#
    ),
    (
      #"{"body": {"type": "JSON", "json": "{\"a\": 1}", "matchType": "STRICT"}}"#,
      #"{"body": {"equalToJson": {"a": 1}}}"#
    ),
    (
      #"{"body": {"json": [1], "contentType": "application/json"}}"#,
      #"""
      {"body": {"equalToJson": [1], "ignoreArrayOrder": true, "ignoreExtraElements": true}}
      """#
    ),
    (
      #"{"body": {"type": "JSON_SCHEMA", "jsonSchema": "{\"type\": \"object\"}"}}"#,
      #"{"body": {"matchesJsonSchema": {"type": "object"}}}"#
    ),
    (
      #"{"body": {"type": "JSON_PATH", "jsonPath": "$.a[?(@.b > 1)]"}}"#,
      #"{"body": {"matchesJsonPath": "$.a[?$.a[0] && (@.b > 1) || !$.a[0] && ($.a.b > 1)]"}}"#
    ),
    (
      #"{"body": {"type": "PARAMETERS", "parameters": {"a": ["1"]}}}"#,
      #"{"body": {"form": {"a": "1"}}}"#
    ),
    (
      #"{"body": {"type": "XPATH", "xpath": "/a[b = 1]", "optional": true}}"#,
      #"{"body": {"or": [{"absent": true}, {"matchesXPath": "/a[b = 1]"}]}}"#
    ),
    (
      #"{"body": {"type": "BINARY", "base64Bytes": "AAE="}}"#,
      #"{"body": {"binaryEqualTo": "AAE="}}"#
    ),
    (
      #"""
      {"body": {"type": "GRAPHQL", "query": "{ a }", "operationName": "A",
        "variablesSchema": {"type": "object"}}}
      """#,
      #"""
      {"body": {"and": [{"graphql": {"query": "{ a }", "operationName": "A"}},
        {"matchesJsonSchema": {"type": "object", "required": ["variables"],
          "properties": {"variables": {"type": "object"}}}}]}}
      """#
    ),
    (
      #"{"body": {"type": "JSON_RPC", "method": "tools/call"}}"#,
      #"{"body": {"matchesJsonPath": {"expression": "$.method", "equalTo": "tools/call"}}}"#
    ),
  ])
  func partsOfRequestsAreTranslated(given: String, wanted: String) throws {
    try expectRequest(given, wanted)
  }

  @Test(arguments: [
    #"{"method": "!GET"}"#, #"{"headers": {"X-.*": ["1"]}}"#, #"{"clientCertificateChain": [1]}"#,
    #"{"body": {"type": "XML_SCHEMA", "xmlSchema": "<a/>"}}"#, #"{"body": {"type": "WASM"}}"#,
    #"{"body": {"type": "JSON_PATH", "jsonPath": "$.a.length()"}}"#, #"{"headers": "X: 1"}"#,
    #"{"path": 5.5, "queryStringParameters": [1]}"#, #""GET /a""#, "[]",
    #"{"headers": {"X": [{"schema": {"minLength": 1}}]}}"#, #"{"method": "G.T"}"#,
    #"{"secure": "perhaps"}"#, #"{"path": {"value": "/a", "not": "perhaps"}}"#,
    #"{"body": {"type": "STRING", "string": "x", "not": 1}}"#,
    #"{"body": {"type": "STRING", "string": "x", "ignoreCase": true}}"#,
    // Negated, what matches less than in MockServer would match more.
    #"{"body": {"type": "PARAMETERS", "parameters": {"a": ["x"]}, "not": true}}"#,
    #"{"body": {"type": "XPATH", "xpath": "/a", "not": true}}"#,
    #"{"body": {"type": "XML", "xml": "<a/>", "not": true}}"#,
    #"{"path": {"schema": {"type": "integer"}, "not": true}}"#,
    // What the field must not be, stubs can only say of the host in it.
    #"{"headers": {"Host": ["!h.test:8080"]}}"#, #"{"headers": {"!Host": [".*"]}}"#,
    #"{"headers": {"Host": ["?h.test"]}}"#, #"{"headers": {"Host": ["!a", "b"]}}"#,
    // All other parameters would have to be 1.
    #"{"queryStringParameters": {"!x": ["1"]}}"#,
    #"{"queryStringParameters": {"keyMatchStyle": "MATCHING_KEY", "!x": [".*"]}}"#,
  ])
  func whatHasNoCounterpartLeavesTheStubOut(request: String) throws {
    let run = try run(
      #"""
      [{"httpRequest": \#(request), "httpResponse": {"statusCode": 204}},
       {"httpRequest": {"path": "/kept"}, "httpResponse": {}}]
      """#)
    #expect(run.stubs.map(\.key) == ["any-kept"])
    #expect(run.ids(.dropped) == ["stub-left-out"])
    #expect(run.unknown == [])
  }

  /// A name that stands there twice asks for the values of both.
  @Test func namesThatRepeatAskForAllTheirValues() throws {
    let run = try run(
      #"""
      {"httpRequest": {"headers": [{"name": "A", "values": ["1"]}, {"name": "B", "values": ["4"]},
        {"name": "A", "values": ["2"]}, {"name": "!B", "values": [".*"]}]}, "httpResponse": {}}
      """#)
    let expected = try Stub(
      jsonObject: [
        "key": "any",
        "request": [
          "headers": [
            "A": ["includes": ["1", "2"]], "B": ["and": ["4", ["absent": true]]],
          ]
        ],
      ])
    #expect(run.stubs.map(\.request) == [expected.request])
  }

  @Test func aLenientImportSaysWhatTheStubDoesNotAskFor() throws {
    var options = ImportOptions()
    options.flags.insert(.lenient)
    let run = try run(
      #"{"httpRequest": {"path": "/a", "method": "!GET"}, "httpResponse": {}}"#, options: options)
    #expect(run.stubs.count == 1)
    #expect(run.ids(.dropped) == ["operator"])
  }

  @Test(arguments: [
    (#""httpResponse": {"statusCode": 201, "body": "x"}"#, #"{"status": 201, "text": "x"}"#),
    (
      #""httpResponse": {"body": {"a": 1}, "cookies": {"s": "1"}, "headers": {"X": ["1", "2"]}}"#,
      #"""
      {"json": {"a": 1}, "headers": {"Content-Type": "application/json", "Set-Cookie": "s=1",
        "X": ["1", "2"]}}
      """#
    ),
    (
      #""httpResponse": {"body": {"type": "STRING", "string": "{\"a\": 1}", "contentType": "application/json; charset=utf-8"}}"#,
      #"{"json": {"a": 1}, "headers": {"Content-Type": "application/json; charset=utf-8"}}"#
    ),
    (
      #""httpResponse": {"body": {"type": "BINARY", "base64Bytes": "AAE="}, "reasonPhrase": "x"}"#,
      #"{"base64": "AAE="}"#
    ),
    (
      #""httpResponse": {"delay": {"timeUnit": "SECONDS", "value": 2}}"#, #"{"delay": "2s"}"#
    ),
    (
      #""httpResponse": {"delay": {"timeUnit": "MILLISECONDS", "distribution": {"type": "UNIFORM", "min": 5, "max": 9}}}"#,
      #"{"delay": {"uniform": ["5ms", "9ms"]}}"#
    ),
    (
      #""httpResponse": {"delay": {"timeUnit": "MILLISECONDS", "distribution": {"type": "LOG_NORMAL", "median": 100, "p99": 1024}}}"#,
      #"{"delay": {"lognormal": {"median": "100ms", "sigma": 1}}}"#
    ),
    (
      #""httpResponse": {"delay": {"timeUnit": "MILLISECONDS", "distribution": {"type": "GAUSSIAN", "mean": 100, "stdDev": 60}}}"#,
      #"{"delay": {"uniform": ["0ms", "220ms"]}}"#
    ),
    (#""httpError": {"dropConnection": true}"#, #"{"fault": "connectionReset"}"#),
    (
      #""httpError": {"dropConnection": true, "responseBytes": "AAE="}"#, #"{"fault": "garbage"}"#
    ),
    (
      #"""
      "httpSseResponse": {"statusCode": 200, "events": [{"event": "tick", "data": "1\n2", "id": "7"},
        {"data": "end", "retry": 10, "delay": {"timeUnit": "MILLISECONDS", "value": 50}}],
        "closeConnection": true}
      """#,
      #"""
      {"headers": {"Content-Type": "text/event-stream"}, "chunks": [
        {"text": "event: tick\nid: 7\ndata: 1\ndata: 2\n\n"},
        {"text": "retry: 10\ndata: end\n\n", "after": "50ms"}]}
      """#
    ),
  ])
  func answersAreTranslated(given: String, wanted: String) throws {
    let run = try run(#"{"httpRequest": {"path": "/a"}, \#(given)}"#)
    #expect(run.unknown == [])
    let stub = try Stub(
      jsonObject: ["key": "a", "responses": .array([JSONValue(parsing: wanted)])])
    #expect(run.stubs.map(\.responses) == [stub.responses], "\(run.documents)")
  }

  @Test(arguments: [
    #""httpResponseTemplate": {"templateType": "VELOCITY", "template": "{}"}"#,
    #""httpResponseClassCallback": {"callbackClass": "a.B"}"#,
    #""httpForward": {"host": "other.test"}"#, #""httpWebSocketResponse": {}"#,
    #""httpOverrideForwardedRequest": {"httpRequest": {"path": "/b"}}"#,
    #""httpResponse": {"delay": {"timeUnit": "DAYS", "value": 9223372036854775807}}"#,
    #""httpResponse": {"headers": {"A": ["a\r\nB: c"]}}"#,
    #""specUrlOrPayload": "petstore.yaml", "operationId": "pay""#,
    #""httpResponses": []"#, #""httpResponses": [], "times": {"remainingTimes": 2}"#,
    #""httpResponse": {}, "times": {"remainingTimes": 0, "unlimited": false}"#,
    #""httpResponse": {}, "times": {"remainingTimes": -1}"#,
    #""httpResponse": {}, "times": {"remainingTimes": "often"}"#,
  ])
  func answersThatNobodyCanGiveLeaveTheStubOut(given: String) throws {
    let run = try run(
      #"[{"httpRequest": {"path": "/a"}, \#(given)}, {"httpRequest": {"path": "/kept"}}]"#)
    #expect(run.stubs.map(\.key) == ["any-kept"])
    #expect(run.ids(.dropped) == ["stub-left-out"])
    #expect(run.unknown == [])
  }

  @Test func limitedExpectationsLeaveTheNextRequestToTheNextOne() async throws {
    let run = try run(
      #"""
      [{"httpRequest": {"path": "/a"}, "httpResponse": {"body": "often"}, "priority": 0},
       {"id": "first", "priority": 10, "httpRequest": {"path": "/a"}, "httpResponse": {"body": "first"},
        "times": {"remainingTimes": 2, "unlimited": false},
        "timeToLive": {"unlimited": true}},
       {"httpRequest": {"path": "/b"}, "responseMode": "SEQUENTIAL", "times": {"unlimited": true},
        "httpResponses": [{"body": "1"}, {"body": "2"}]}]
      """#)
    #expect(run.stubs.map(\.priority) == [2, 1, 2])
    #expect(run.stubs.map(\.key) == ["any-a", "first", "any-b"])
    #expect(run.ids(.dropped) == [])
    try await run.play(
      ["first", "first", "often", "often"].map {
        RecordedCase(url: "http://h.test/a", content: Data($0.utf8))
      }
        + ["1", "2", "1"].map { RecordedCase(url: "http://h.test/b", content: Data($0.utf8)) })
  }

  @Test func otherPartsAreReported() throws {
    let run = try run(
      #"""
      [{"httpRequest": {"path": "/a"}, "httpResponses": [{"body": "1"}, {"body": "2"}],
        "responseMode": "RANDOM", "afterActions": [{"httpRequest": {"path": "/x"}}],
        "scenarioName": "order", "scenarioState": "Started", "newScenarioState": "paid"},
       {"httpRequest": {"path": "/p", "headers": {"Host": ["api.test:8080"]}},
        "httpForward": {"host": "api.test", "port": 8080, "scheme": "HTTP"}}]
      """#)
    #expect(run.ids(.dropped) == ["random", "webhook"])
    #expect(run.ids(.changed) == ["operator", "proxy"])
    #expect(run.stubs[0].flow == FlowStep(name: "order", requires: "started", becomes: "paid"))
    #expect(run.documents.contains("passthrough"))
    #expect(run.unknown == [])
  }

  @Test func filesAreReadBesideTheInputOnly() throws {
    try withTemporaryFolder { folder in
      try Data(#"{"a": 1}"#.utf8).write(to: folder.appendingPathComponent("body.json"))
      func text(_ path: String) -> String {
        #"{"httpRequest": {}, "httpResponse": {"body": {"type": "FILE", "filePath": "\#(path)"}}}"#
      }
      #expect(
        try run(text("body.json"), folder: folder).stubs[0].responses[0].body == .json(["a": 1]))
      for path in ["../x", "/etc/passwd", "missing.json"] {
        #expect(throws: FormatError.self) { try run(text(path), folder: folder) }
      }
    }
  }

  @Test func whatIsSaidOfTheFileIsAboutNoStub() throws {
    let run = try run(
      #"{"httpRequest": {"headers": {"X": ["Ab"]}}, "httpResponse": {"statusCode": 200}}"#)
    #expect(run.ids(.changed) == ["operator"])
    #expect(run.result.report.lines.map(\.key) == [nil])
  }

  @Test func nothingOfAWrongTypeStopsTheImport() throws {
    let values = ["null", "5", #""x""#, "[]", "{}", "[[]]", "[{}]", #"{"a": {"b": []}}"#, "true"]
    let keys = [
      "httpRequest", "httpResponse", "httpResponses", "times", "timeToLive", "priority",
      "httpSseResponse", "httpError", "httpForward", "scenarioName", "afterActions", "percentage",
    ]
    let inner = ["body", "headers", "cookies", "delay", "path", "method", "statusCode"]
    for value in values {
      for key in keys {
        let run = try run(#"[{"httpRequest": {}, "x": 1}, {"\#(key)": \#(value), "id": "a"}]"#)
        #expect(run.ids(.dropped).contains("stub-left-out"), "\(key) \(value)")
      }
      for key in inner {
        let run = try run(
          #"{"httpRequest": {"\#(key)": \#(value)}, "httpResponse": {"\#(key)": \#(value)}}"#)
        #expect(run.documents == (try self.run(run.inputs[0]).documents))
      }
    }
    #expect(throws: FormatError.self) { try run("[{\"httpRequest\": ") }
  }

  private func run(_ input: ImportInput) throws(FormatError) -> ImportRun {
    try ImportRun([input.file: input.bytes])
  }

  /// What decides about the answer and is not known would make an answer 200 of it.
  @Test(arguments: [
    #""httpClassCallback": {"callbackClass": "org.shop.Callback"}"#,
    #""chaos": {"errorStatus": 503, "errorProbability": 1.0}"#,
    #""httpResponse": {"statusCode": 201}, "chaos": {"errorStatus": 503}"#,
    #""httpFutureResponse": "x""#,
  ])
  func anActionThatIsNotKnownLeavesItsStubOut(action: String) throws {
    let text = #"[{"httpRequest": {"path": "/some"}, \#(action)}]"#
    let run = try run(text)
    #expect(run.stubs == [])
    #expect(run.ids(.dropped) == ["stub-left-out"])
    #expect(
      try self.run(
        #"[{"httpRequest": {"path": "/a"}, "httpFuture": null, "chaos": {}, "httpResponse": {}}]"#
      ).stubs.count == 1)
  }
}
