import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

/// What each key of Hoverfly becomes, in all versions, and what has no counterpart.
@Suite struct HoverflyImportTests {
  private func simulation(
    _ pairs: [String], version: String = "v5.3", more: String = ""
  ) -> String {
    #"""
    {"data": {"pairs": [\#(pairs.joined(separator: ",\n"))], "globalActions": {"delays": [], "delaysLogNormal": []}\#(more)},
     "meta": {"schemaVersion": "\#(version)", "hoverflyVersion": "v1.9.2", "timeExported": "2026-01-01T00:00:00Z"}}
    """#
  }

  private func pair(_ request: String, _ response: String = #"{"status": 200, "body": ""}"#)
    -> String
  {
    #"{"request": \#(request), "response": \#(response)}"#
  }

  private func run(
    _ pairs: [String], version: String = "v5.3", more: String = "",
    options: ImportOptions = ImportOptions(), folder: URL? = nil
  ) throws(FormatError) -> ImportRun {
    try ImportRun(
      "bookings.json", simulation(pairs, version: version, more: more), options: options,
      folder: folder)
  }

  /// A matcher of version 5.
  private static func matcher(_ kind: String, _ value: String, _ more: String = "") -> String {
    #"[{"matcher": "\#(kind)", "value": \#(value)\#(more)}]"#
  }

  private func expect(
    _ request: String, version: String = "v5", _ wanted: String,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let run = try run([pair(request)], version: version)
    #expect(run.unknown == [], sourceLocation: location)
    let stub = try Stub(jsonObject: ["key": "a", "request": JSONValue(parsing: wanted)])
    #expect(
      run.stubs.map(\.request) == [stub.request], "\(run.documents)", sourceLocation: location)
  }

  @Test(arguments: [
    ("method", matcher("exact", #""get""#), #"{"method": "GET"}"#),
    ("method", matcher("regex", #""PUT|POST""#), #"{"method": ["POST", "PUT"]}"#),
    ("path", matcher("", #""/a/{b}""#), #"{"path": "/a/%7Bb%7D"}"#),
    ("path", matcher("GLOB", #""/a.b/*""#), #"{"path": {"matches": "/a\\.b/.*"}}"#),
    ("path", matcher("regex", #""^/a/\\d+$""#), #"{"path": {"matches": "/a/\\d+"}}"#),
    ("path", matcher("regex", #""/a|/b""#), #"{"path": {"matches": ".*(?:/a|/b).*"}}"#),
    ("destination", matcher("exact", #""a.test:81""#), #"{"host": "a.test", "port": 81}"#),
    (
      "destination", matcher("glob", #""*.a.test""#),
      #"{"host": {"matches": ".*\\.a\\.test"}, "url": {"matches": "(?:[a-z]+://[^/:?]+)?+(?:[/?].*)?"}}"#
    ),
    ("scheme", matcher("exact", #""https""#), #"{"scheme": "https"}"#),
    ("scheme", matcher("glob", #""*""#), "{}"),
    ("query", "{}", #"{"queryIsExact": true}"#),
    ("query", "null", "{}"),
    (
      "query", #"{"a": \#(matcher("exact", #""1;2""#)), "b": \#(matcher("negate", #""x""#))}"#,
      #"{"query": {"a": {"or": [["1;2"], ["1", "2"]]}, "b": [{"not": "x"}]}}"#
    ),
    (
      "query",
      #"{"a": \#(matcher("array", #"["1", "2"]"#, #", "config": {"ignoreUnknown": true, "ignoreOrder": true}"#))}"#,
      #"{"query": {"a": {"includes": ["1", "2"]}}}"#
    ),
    (
      "headers", #"{"Accept": \#(matcher("exact", #""a; b""#))}"#,
      #"{"headers": {"Accept": "a; b"}}"#
    ),
    ("body", matcher("exact", #""""#), #"{"body": {"absent": true}}"#),
    ("body", matcher("exact", #""x""#), #"{"body": {"equalTo": "x"}}"#),
    ("body", matcher("json", #""{\"a\": 1}""#), #"{"body": {"equalToJson": {"a": 1}}}"#),
    (
      "body", matcher("jsonPartial", #""{\"a\": 1}""#),
      #"{"body": {"equalToJson": {"a": 1}, "ignoreArrayOrder": true, "ignoreExtraElements": true}}"#
    ),
    (
      "body",
      matcher(
        "jsonpath", #""$.x[?(@.y==\"z\")]""#, #", "doMatch": {"matcher": "glob", "value": "a*"}"#),
      #"{"body": {"matchesJsonPath": {"expression": "$.x[?$.x[0] && (@.y==\"z\")]", "matches": "a.*"}}}"#
    ),
    (
      "body", matcher("xmltemplated", #""<a>{{ ignore }}</a>""#),
      #"{"body": {"equalToXml": "<a>${xmlunit.ignore}</a>", "enablePlaceholders": true}}"#
    ),
    ("body", matcher("xpath", #""/a""#), #"{"body": {"matchesXPath": "/a"}}"#),
    (
      "body",
      matcher("xpath", #""//a | //b""#, #", "doMatch": {"matcher": "exact", "value": "x"}"#),
      #"{"body": {"matchesXPath": {"expression": "(//a | //b)[1]", "equalTo": "x"}}}"#
    ),
    (
      "body",
      matcher("xpath", #""count(//a)""#, #", "doMatch": {"matcher": "exact", "value": "2"}"#),
      #"{"body": {"matchesXPath": {"expression": "count(//a)", "equalTo": "2"}}}"#
    ),
    (
      "body", matcher("form", #"{"f": [{"matcher": "exact", "value": "1"}]}"#),
      #"{"body": {"form": {"f": ["1"]}}}"#
    ),
  ])
  func matchersAreTranslated(field: String, given: String, wanted: String) throws {
    try expect(#"{"\#(field)": \#(given)}"#, wanted)
  }

  @Test func oldVersionsAreRead() throws {
    let recording = #"""
      {"requestType": "recording", "path": "/a*", "method": "GET", "destination": "a.test", "scheme": "http",
       "query": "b=2&a=1", "body": "", "headers": {"Accept": ["x"]}}
      """#
    try expect(
      recording, version: "v1",
      #"""
      {"method": "GET", "scheme": "http", "host": "a.test", "path": "/a*",
       "query": {"a": ["1"], "b": ["2"]}, "queryIsExact": true, "body": {"absent": true}}
      """#)
    try expect(
      recording.replacingOccurrences(of: "recording", with: "template")
        .replacingOccurrences(of: #""query": "b=2&a=1""#, with: #""query": null"#), version: "v1",
      #"""
      {"method": "GET", "scheme": "http", "host": "a.test", "path": {"matches": "/a.*"},
       "headers": {"Accept": "x"}, "body": {"absent": true}}
      """#)
    for version in ["v2", "v3"] {
      try expect(
        #"""
        {"path": {"exactMatch": "/a"}, "destination": {"globMatch": "*.test"}, "query": {"exactMatch": ""},
         "body": {"jsonMatch": "[1]"}, "headers": {"A": ["1", "2"]}}
        """#, version: version,
        #"""
        {"path": "/a", "host": {"matches": ".*\\.test"}, "queryIsExact": true,
         "url": {"matches": "(?:[a-z]+://[^/:?]+)?+(?:[/?].*)?"},
         "body": {"equalToJson": [1]}, "headers": {"A": ["1", "2"]}}
        """#)
    }
    try expect(
      #"""
      {"path": {"regexMatch": "^/a$"}, "headersWithMatchers": {"A": {"globMatch": "x*"}},
       "queriesWithMatchers": {"q": {"exactMatch": "1"}}, "requiresState": {}}
      """#, version: "v4",
      #"{"path": {"matches": "/a"}, "headers": {"A": {"matches": "x.*"}}, "query": {"q": ["1"]}}"#)
    #expect(throws: FormatError.self) { try run([], version: "v9") }
  }

  @Test(arguments: [
    (#"{"status": 201, "body": "x", "encodedBody": false}"#, #"{"status": 201, "text": "x"}"#),
    (
      #"{"status": 200, "body": "{\"a\":1}", "headers": {"Content-Type": ["application/json"], "Content-Length": ["7"]}}"#,
      #"{"json": {"a": 1}, "headers": {"Content-Type": "application/json"}}"#
    ),
    (
      #"{"status": 200, "encodedBody": true, "headers": {"Content-Encoding": ["gzip"]}, "body": "H4sIAAAAAAACA6tWSlSyMqwFAK+sG1YHAAAA"}"#,
      #"{"json": {"a": 1}}"#
    ),
    (#"{"status": 200, "encodedBody": true, "body": "AAE="}"#, #"{"base64": "AAE="}"#),
    (#"{"status": 200, "body": "", "fixedDelay": 3000}"#, #"{"delay": "3s"}"#),
    (
      #"{"status": 200, "logNormalDelay": {"mean": 200, "median": 100, "min": 0, "max": 0}}"#,
      #"{"delay": {"lognormal": {"median": "100ms", "sigma": 1.1774}}}"#
    ),
    (
      #"{"status": 200, "templated": true, "body": "{{ Request.QueryParam.q }} {{Request.Path.[1]}} {{ State.x }} {{randomUuid}} {{ now '1d' 'unix' }} {{ now '' '2006-01-02T15:04:05Z07:00' }} {{ Request.Body 'jsonpath' '$.a' }} {{ Literals.l }}"}"#,
      #"""
      {"template": true, "text": "{{request.query.q}} {{request.path.1}} {{captured 'state/x'}} {{uuid}} {{now offset='1 days' format='unix'}} {{now format='yyyy-MM-dd\\'T\\'HH:mm:ssXXX'}} {{jsonPath request.body '$.a'}} word"}
      """#
    ),
    (#"{"status": 200, "templated": false, "body": "{{ x }}"}"#, #"{"text": "{{ x }}"}"#),
    (
      #"{"status": 200, "templated": true, "body": "{\"n\": {{randomInteger}}}{{{randomUuid}}}"}"#,
      #"{"template": true, "text": "{\"n\": {{randomInt}}}{{uuid}}"}"#
    ),
  ])
  func responsesAreTranslated(given: String, wanted: String) throws {
    let run = try run(
      [pair(#"{"path": [{"matcher": "exact", "value": "/a"}]}"#, given)],
      more: #", "literals": [{"name": "l", "value": "word"}]"#)
    #expect(run.unknown == [])
    let stub = try Stub(
      jsonObject: ["key": "a", "responses": .array([JSONValue(parsing: wanted)])])
    #expect(run.stubs.map(\.responses) == [stub.responses], "\(run.documents)")
  }

  @Test(arguments: [
    (#"{"path": [{"matcher": "jwt", "value": "x"}]}"#, "{}", "stub-left-out"),
    (#"{"path": [{"matcher": "regex", "value": "(?U)a"}]}"#, "{}", "stub-left-out"),
    (#"{"method": [{"matcher": "negate", "value": "GET"}]}"#, "{}", "stub-left-out"),
    (#"{"body": [{"matcher": "jsonpath", "value": "$.a.length()"}]}"#, "{}", "stub-left-out"),
    ("{}", #"{"templated": true, "body": "{{ faker 'Name' }}"}"#, "template"),
    ("{}", #"{"templated": true, "body": "{{ Vars.x }}"}"#, "template"),
    ("{}", #"{"encodedBody": true, "body": "%%%"}"#, "stub-left-out"),
    ("{}", #"{"fixedDelay": -5}"#, "stub-left-out"), (#""x""#, "{}", "stub-left-out"),
    ("[]", "[]", "stub-left-out"), (#"{"path": 5, "query": 7}"#, "{}", "stub-left-out"),
    (#"{"requiresState": "a"}"#, "{}", "stub-left-out"),
    (#"{"weather": [{"matcher": "exact", "value": "fine"}]}"#, "{}", "stub-left-out"),
    (#"{"destination": [{"matcher": "exact", "value": {"a": 1}}]}"#, "{}", "stub-left-out"),
    (
      #"{"path": [{"matcher": "exact", "value": "/a", "config": {"x": 1}}]}"#, "{}", "stub-left-out"
    ),
    (#"{"method": [{"matcher": "exact", "value": "GET|POST"}]}"#, "{}", "stub-left-out"),
    (
      #"{"scheme": [{"matcher": "exact", "value": "http"}, {"matcher": "exact", "value": "https"}]}"#,
      "{}", "stub-left-out"
    ),
    (
      #"{"method": [{"matcher": "exact", "value": "GET", "doMatch": {"matcher": "exact", "value": "x"}}]}"#,
      "{}", "stub-left-out"
    ),
    (
      #"{"body": [{"matcher": "json", "value": "{}", "doMatch": {"matcher": "exact", "value": "x"}}]}"#,
      "{}", "stub-left-out"
    ),
    (
      #"{"headers": {"X": [{"matcher": "array", "value": [{"x": 1}], "config": {"ignoreUnknown": true}}]}}"#,
      "{}", "stub-left-out"
    ),
  ])
  func whatHasNoCounterpartLeavesThePairOut(request: String, response: String, id: String) throws {
    let run = try run([
      pair(request, response), pair(#"{"path": [{"matcher": "exact", "value": "/kept"}]}"#),
    ])
    #expect(run.stubs.map(\.key) == ["any-kept"])
    #expect(run.ids(.dropped) == [id])
    #expect(run.unknown == [])
  }

  @Test func theStrongestMatchAnswersAndOfEqualsTheLast() async throws {
    let run = try run([
      pair(#"{"path": [{"matcher": "glob", "value": "/a*"}]}"#, #"{"status": 201}"#),
      pair(#"{"path": [{"matcher": "exact", "value": "/ab"}]}"#, #"{"status": 202}"#),
      pair(#"{"path": [{"matcher": "exact", "value": "/ab"}]}"#, #"{"status": 203}"#),
    ])
    #expect(run.stubs.map(\.responses[0].status) == [203, 202, 201])
    #expect(run.ids(.changed) == ["priority"])
    try await run.play([
      RecordedCase(url: "http://h.test/ab", status: 203),
      RecordedCase(url: "http://h.test/ac", status: 201),
    ])
  }

  @Test func statesAreKeptAndForgotten() async throws {
    func request(_ path: String, _ state: String) -> String {
      #"{"path": [{"matcher": "exact", "value": "\#(path)"}], "requiresState": \#(state)}"#
    }
    let run = try run([
      pair(
        request("/put", "{}"),
        #"{"status": 201, "transitionsState": {"basket": "eggs", "user": "ada"}}"#),
      pair(request("/get", #"{"basket": "eggs", "user": "ada"}"#), #"{"status": 202}"#),
      pair(request("/get", #"{"user": "ada"}"#), #"{"status": 203}"#),
      pair(request("/empty", "{}"), #"{"status": 204, "removesState": ["basket"]}"#),
      pair(request("/get", "{}"), #"{"status": 205}"#),
    ])
    #expect(run.ids(.changed).filter { $0 != "priority" } == ["state", "state", "state"])
    #expect(run.unknown == [])
    try await run.play(
      [("get", 205), ("put", 201), ("get", 202), ("empty", 204), ("get", 203), ("get", 203)].map {
        RecordedCase(url: "http://h.test/\($0.0)", status: $0.1)
      })
  }

  @Test func sequencesBecomeOneStubEach() async throws {
    func step(_ path: String, _ name: String, _ state: Int, _ next: Int?, _ status: Int) -> String {
      let transition = next.map { #", "transitionsState": {"sequence:\#(name)": "\#($0)"}"# } ?? ""
      return pair(
        #"{"path": [{"matcher": "exact", "value": "\#(path)"}], "requiresState": {"sequence:\#(name)": "\#(state)"}}"#,
        #"{"status": \#(status)\#(transition)}"#)
    }
    let run = try run([
      step("/a", "1", 1, 2, 201), step("/a", "1", 2, 3, 202), step("/a", "1", 3, nil, 203),
      step("/b", "2", 1, 2, 205), step("/c", "2", 2, nil, 206),
    ])
    #expect(run.stubs.count == 3)
    try await run.play(
      [("a", 201), ("b", 205), ("a", 202), ("c", 206), ("a", 203), ("a", 203)].map {
        RecordedCase(url: "http://h.test/\($0.0)", status: $0.1)
      })
  }

  @Test func delaysOfAllAndLabelsAreKept() throws {
    let text = simulation([
      #"{"labels": ["Booking", "v2"], "request": {}, "response": {"status": 200, "postServeAction": "hook"}}"#
    ]).replacingOccurrences(
      of: #""delays": []"#,
      with:
        #""delays": [{"urlPattern": "a\\.test", "httpMethod": "GET", "delay": 1500}, {"urlPattern": "^b$", "delay": 5}]"#
    )
    let run = try ImportRun("bookings.json", text)
    #expect(run.result.scenarios[0].tags == ["booking", "hoverfly", "imported", "v2"])
    #expect(run.ids(.dropped) == ["webhook"])
    #expect(run.unknown == [])
    #expect(
      run.stubs.map(\.request.wholeURL) == [
        .matches("(?:[a-z]+://)?+[^?]*(?:a\\.test)[^?]*(?:\\?.*)?"),
        .matches("(?:[a-z]+://)?+(?:b)(?:\\?.*)?"), nil,
      ])
    #expect(run.stubs.map(\.priority) == [1, 1, 5])
  }

  @Test func bodyFilesAreReadBesideTheInputOnly() throws {
    try withTemporaryFolder { folder in
      try Data("[1]".utf8).write(to: folder.appendingPathComponent("body.json"))
      func stubs(_ path: String) throws(FormatError) -> [Stub] {
        try run([pair("{}", #"{"status": 200, "bodyFile": "\#(path)"}"#)], folder: folder).stubs
      }
      #expect(try stubs("body.json")[0].responses[0].body == .json([1]))
      #expect(try stubs("https://a.test/x").isEmpty)
      for path in ["../x", "/etc/passwd", "missing.json"] {
        #expect(throws: FormatError.self) { try stubs(path) }
      }
    }
  }

  @Test func bodyFilesOfASimulationInAFolderAreBesideIt() throws {
    try withTemporaryFolder { folder in
      let place = folder.appendingPathComponent("shop")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try Data("[1]".utf8).write(to: place.appendingPathComponent("body.json"))
      let text = simulation([pair("{}", #"{"status": 200, "bodyFile": "body.json"}"#)])
      try Data(text.utf8).write(to: place.appendingPathComponent("simulation.json"))
      #expect(try ImportRun(folder: folder).stubs[0].responses[0].body == .json([1]))
    }
  }

  @Test func nothingOfAWrongTypeStopsTheImport() throws {
    let keys = [
      "path", "method", "destination", "scheme", "body", "query", "headers", "requiresState",
      "status", "encodedBody", "templated", "transitionsState", "removesState", "fixedDelay",
      "logNormalDelay", "deprecatedQuery",
    ]
    for value in ["null", "5", #""x""#, "[]", "{}", "[[]]", "[{}]", #"{"a": {"b": []}}"#, "true"] {
      for key in keys {
        for version in ["v1", "v3", "v5"] {
          let one = #"{"\#(key)": \#(value)}"#
          let run = try run([pair(one, one)], version: version)
          #expect(
            run.documents == (try ImportRun([run.inputs[0].file: run.inputs[0].bytes])).documents)
        }
      }
    }
    #expect(throws: FormatError.self) {
      try ImportRun("a.json", String(simulation([]).dropLast(9)))
    }
  }
}
