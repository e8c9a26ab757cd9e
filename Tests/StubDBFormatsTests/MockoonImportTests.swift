import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

/// What each key of Mockoon becomes, and what has no counterpart.
@Suite struct MockoonImportTests {
  private func response(_ more: String = "", rules: String = "[]", isDefault: Bool = false)
    -> String
  {
    // A member may not be given twice.
    let status = more.contains("statusCode") ? "" : #""statusCode": 200, "#
    return #"""
      {"uuid": "r", "body": "", "latency": 0, \#(status)"label": "", "headers": [],
       "bodyType": "INLINE", "filePath": "", "databucketID": "", "sendFileAsBody": false,
       "rulesOperator": "OR", "disableTemplating": false, "fallbackTo404": false,
       "crudKey": "id", "callbacks": [], "default": \#(isDefault), "rules": \#(rules)\#(more)}
      """#
  }

  private func route(
    _ endpoint: String, _ responses: [String], method: String = "get", mode: String = "null",
    more: String = ""
  ) -> String {
    #"""
    {"uuid": "\#(endpoint)-\#(method)", "type": "http", "documentation": "", "method": "\#(method)",
     "endpoint": "\#(endpoint)", "responses": [\#(responses.joined(separator: ","))], "enabled": true,
     "responseMode": \#(mode), "streamingMode": null, "streamingInterval": 0\#(more)}
    """#
  }

  private func environment(_ routes: [String], _ more: String = "") -> String {
    #"""
    {"uuid": "e", "lastMigration": 33, "name": "Shop", "endpointPrefix": "", "port": 3000,
     "hostname": "", "folders": [], "routes": [\#(routes.joined(separator: ","))], "proxyHost": "",
     "proxyRemovePrefix": false, "tlsOptions": {"enabled": false}, "cors": true,
     "proxyReqHeaders": [], "proxyResHeaders": [], "callbacks": []\#(more)}
    """#
  }

  private func run(
    _ routes: [String], _ more: String = "", options: ImportOptions = ImportOptions(),
    folder: URL? = nil
  ) throws(FormatError) -> ImportRun {
    try ImportRun("shop.json", environment(routes, more), options: options, folder: folder)
  }

  private func document(_ text: String) throws -> RequestPattern {
    try Stub(jsonObject: ["key": "a", "request": JSONValue(parsing: text)]).request
  }

  @Test(arguments: [
    ("users", ["/users"], nil), ("/users/:id", ["/users/{id}"], nil), ("", ["/"], nil),
    ("a/:id?", ["/a/{id}", "/a"], nil),
    ("a/:id(\\\\d+)", ["/a/{id}"], #"{"id": {"matches": "\\d+"}}"#),
  ])
  func endpointsBecomePaths(endpoint: String, paths: [String], parameters: String?) throws {
    let run = try run([route(endpoint, [response(isDefault: true)])])
    #expect(run.unknown == [])
    #expect(run.stubs.map(\.request.path) == paths.map { .template($0) })
    let more = try document(#"{"path": "/a/{id}", "pathParameters": \#(parameters ?? "{}")}"#)
    #expect(run.stubs[0].request.pathParameters == more.pathParameters)
  }

  @Test(arguments: [
    ("a/*", "/a/.*"), ("v:n/x", "/v[^/]+?/x"), ("(a|b)/c", "/(a|b)/c"),
    ("f/:name.:ext(png|gif)", "/f/[^/]+?\\.(?:png|gif)"), (":a/:a", "/[^/]+?/[^/]+?"),
  ])
  func otherEndpointsBecomeExpressions(endpoint: String, expression: String) throws {
    let run = try run([route(endpoint, [response(isDefault: true)])])
    #expect(run.stubs.map(\.request.path) == [.value(.matches(expression))])
  }

  @Test(arguments: [
    (
      #"{"target": "query", "modifier": "q", "value": "1", "operator": "equals"}"#,
      #"{"query": {"q": "1"}}"#
    ),
    (
      #"{"target": "query", "modifier": "q", "value": "1", "invert": true}"#,
      #"{"query": {"q": {"not": {"includes": [{"equalTo": "1"}]}}}}"#
    ),
    (
      #"{"target": "query", "modifier": "q", "value": "1", "operator": "array_includes"}"#,
      #"{"query": {"q": {"and": [{"includes": ["1"]}, {"not": {"hasExactly": ["1"]}}]}}}"#
    ),
    (
      #"{"target": "header", "modifier": "X", "value": "a.c", "operator": "regex"}"#,
      #"{"headers": {"X": {"matches": ".*(?-s:a.c).*"}}}"#
    ),
    (
      #"{"target": "header", "modifier": "X", "value": "^a$", "operator": "regex_i"}"#,
      #"{"headers": {"X": {"matches": "(?i)a"}}}"#
    ),
    (
      #"{"target": "cookie", "modifier": "s", "value": "", "operator": "null"}"#,
      #"{"cookies": {"s": {"or": [{"absent": true}, {"equalTo": ""}]}}}"#
    ),
    (
      #"{"target": "params", "modifier": "id", "value": "7", "operator": "equals"}"#,
      #"{"pathParameters": {"id": "7"}}"#
    ),
    (
      #"{"target": "body", "modifier": "", "value": "x", "operator": "equals"}"#,
      #"{"body": {"equalTo": "x"}}"#
    ),
    (
      #"{"target": "body", "modifier": "a.b.0", "value": "x", "operator": "equals"}"#,
      #"{"body": {"matchesJsonPath": {"expression": "$.a.b[0]", "equalTo": "x"}}}"#
    ),
    (
      #"{"target": "body", "modifier": "$.a", "value": "x", "operator": "regex", "invert": true}"#,
      #"{"body": {"not": {"matchesJsonPath": {"expression": "$.a", "matches": ".*(?:x).*"}}}}"#
    ),
    (
      #"{"target": "body", "modifier": "a-b", "value": "x", "operator": "array_includes"}"#,
      #"{"body": {"matchesJsonPath": {"expression": "$['a-b'][:]", "equalTo": "x"}}}"#
    ),
    (
      #"{"target": "body", "modifier": "a", "value": "", "operator": "empty_array"}"#,
      #"{"body": {"matchesJsonPath": {"expression": "$.a", "and": [{"not": {"absent": true}}, {"equalToJson": []}]}}}"#
    ),
    (
      #"{"target": "body", "modifier": "", "value": "schema", "operator": "valid_json_schema"}"#,
      #"{"body": {"matchesJsonSchema": {"type": "object"}}}"#
    ),
    (
      #"{"target": "path", "modifier": "", "value": "/a/7", "operator": "equals"}"#,
      #"{"url": {"matches": "(?:[a-z]+://[^/?]*+)?+(?:/a/7)"}}"#
    ),
    (
      #"{"target": "path", "modifier": "", "value": "/A/[0-9]$", "operator": "regex_i"}"#,
      #"{"url": {"matches": "(?:[a-z]+://[^/?]*+)?+(?:(?i).*(?:/A/[0-9]))"}}"#
    ),
    (
      #"{"target": "body", "modifier": "a\\.b.1c", "value": "x", "operator": "equals"}"#,
      #"{"body": {"matchesJsonPath": {"expression": "$['a.b']['1c']", "equalTo": "x"}}}"#
    ),
    (
      #"{"target": "body", "modifier": "$.a[*]", "value": "x", "operator": "array_includes"}"#,
      #"{"body": {"matchesJsonPath": {"expression": "$.a[*]", "equalTo": "x"}}}"#
    ),
  ])
  func rulesBecomeConditions(rule: String, wanted: String) throws {
    let run = try run(
      [route("a/:id", [response(isDefault: true), response(rules: "[\(rule)]")])],
      #", "data": [{"uuid": "d", "id": "d1", "name": "schema", "value": "{\"type\": \"object\"}"}]"#
    )
    #expect(run.unknown == [])
    #expect(run.ids(.dropped) == [])
    var members = try #require(try JSONValue(parsing: wanted).objectMembers)
    let readsContent = wanted.contains("matchesJson")
    #expect(run.ids(.changed) == (readsContent ? ["operator"] : []))
    if readsContent {
      members["headers"] = [
        "Content-Type": ["matches": ".*(?:application/json|(?i:application/.*\\+json)).*"]
      ]
    }
    members["method"] = "GET"
    members["path"] = "/a/{id}"
    let stub = try Stub(jsonObject: ["key": "a", "request": .object(members)])
    #expect(run.stubs.map(\.request).first == stub.request, "\(run.documents)")
  }

  @Test(arguments: [
    #"{"target": "global_var", "modifier": "a", "value": "1"}"#,
    #"{"target": "data_bucket", "modifier": "a", "value": "1"}"#,
    #"{"target": "params", "modifier": "other", "value": "1"}"#,
    #"{"target": "query", "modifier": "q", "value": "{{x}}"}"#,
    #"{"target": "method", "value": "post", "operator": "equals"}"#,
    #"{"target": "body", "modifier": "", "value": "none", "operator": "valid_json_schema"}"#,
    #"{"target": "header", "modifier": "X", "operator": "starts_with", "value": "1"}"#,
    #"{"target": "body", "modifier": "$.a", "operator": "empty_array", "value": ""}"#,
    #"{"target": "path", "value": "/a/:id", "operator": "equals"}"#,
    #"{"target": "path", "value": "/a/", "operator": "regex", "invert": true}"#,
    #"{"target": 5}"#, "5", #"{"target": "request_number", "value": "x"}"#,
  ])
  func rulesWithoutACounterpartLeaveTheirStubOut(rule: String) throws {
    let run = try run([
      route(
        "a/:id", [response(rules: "[\(rule)]"), response(#", "statusCode": 204"#, isDefault: true)])
    ])
    #expect(run.stubs.map(\.responses[0].status) == [204])
    #expect(run.ids(.dropped) == ["stub-left-out"])
  }

  @Test func oneOrAllRulesDecide() async throws {
    let rules = #"""
      [{"target": "query", "modifier": "a", "value": "1", "operator": "equals"},
       {"target": "header", "modifier": "X", "value": "2", "operator": "equals"}]
      """#
    let run = try run([
      route("or", [response(#", "statusCode": 201"#, rules: rules), response(isDefault: true)]),
      route(
        "and",
        [
          response(isDefault: true),
          response(#", "statusCode": 202"#, rules: rules)
            .replacingOccurrences(of: #""OR""#, with: #""AND""#),
        ]),
    ])
    let x = HTTPFields(dictionaryLiteral: (try #require(HTTPField.Name("X")), "2"))
    try await run.play([
      RecordedCase(url: "http://h.test/or?a=1", status: 201),
      RecordedCase(url: "http://h.test/or", headers: x, status: 201),
      RecordedCase(url: "http://h.test/or"), RecordedCase(url: "http://h.test/and?a=1"),
      RecordedCase(url: "http://h.test/and?a=1", headers: x, status: 202),
    ])
  }

  @Test func rulesAreAboutTheValuesThatMockoonLooksAt() async throws {
    func rule(_ text: String) -> [String] {
      [response(#", "statusCode": 201"#, rules: "[{\(text)}]"), response(isDefault: true)]
    }
    let run = try run([
      route("not", rule(#""target": "query", "modifier": "q", "value": "1", "invert": true"#)),
      route(
        "list",
        rule(#""target": "query", "modifier": "q", "value": "1", "operator": "array_includes""#)),
      route("same", rule(#""target": "path", "value": "/same", "operator": "equals""#)),
      route("any/:id", rule(#""target": "path", "value": "/any/7", "operator": "equals""#)),
      route("host", rule(#""target": "path", "value": "h.test|9", "operator": "regex""#)),
    ])
    #expect(run.unknown == [])
    try await run.play(
      [
        ("not", 201), ("not?q=2", 201), ("not?q=1", 200), ("not?q=2&q=1", 200),
        ("list?q=1", 200), ("list?q=1&q=2", 201), ("same?x=1", 201), ("any/7", 201),
        ("any/7?x=1", 200), ("host", 200), ("host?x=9", 201),
      ].map { RecordedCase(url: "http://h.test/\($0.0)", status: $0.1) })
  }

  @Test func contentsAreReadByTheirTypeOnly() async throws {
    func rule(_ text: String) -> [String] {
      [
        response(#", "statusCode": 201"#, rules: #"[{"target": "body", \#(text)}]"#),
        response(isDefault: true),
      ]
    }
    let run = try run(
      [
        ("a", #""modifier": "a", "value": "1", "operator": "equals""#),
        ("not", #""modifier": "a", "value": "1", "invert": true"#),
        ("deep", #""modifier": "a.b", "value": "^x", "operator": "regex""#),
        ("list", #""modifier": "a", "value": "1", "operator": "array_includes""#),
        ("null", #""modifier": "a", "value": "", "operator": "null""#),
        ("some", #""modifier": "a", "value": "", "operator": "null", "invert": true"#),
        ("all", #""modifier": "", "value": "d", "operator": "valid_json_schema""#),
      ].map { route($0.0, rule($0.1), method: "post") },
      #", "data": [{"uuid": "d", "id": "d", "name": "d", "value": "{\"type\": \"object\"}"}]"#)
    let (json, form) = (
      "application/vnd.a+json; charset=utf-8", "application/x-www-form-urlencoded"
    )
    let cases: [(String, String?, String, Int)] = [
      ("a", json, #"{"a": 1}"#, 201), ("a", form, "a=1", 201), ("a", form, "b=1&a=2&a=1", 201),
      ("a", nil, #"{"a": 1}"#, 200), ("a", "text/plain", "a=1", 200),
      ("a", form, #"{"a": "1"}"#, 200), ("a", json, "a=1", 200), ("a", form, "a=2", 200),
      ("not", json, #"{"a": 1}"#, 200), ("not", form, "a=1", 200), ("not", form, "a=2", 201),
      ("not", nil, "z", 201), ("not", nil, "1", 200), ("not", "text/plain", #"{"a": 1}"#, 201),
      ("deep", json, #"{"a": {"b": "xy"}}"#, 201), ("deep", form, "a[b]=xy", 201),
      ("deep", form, "a.b=xy", 200), ("deep", nil, "xy", 200),
      ("list", json, #"{"a": ["1"]}"#, 201), ("list", form, "a=1", 200),
      ("list", form, "a=1&a=2", 201), ("null", form, "b=1", 201), ("null", form, "a=1", 200),
      ("null", json, "{}", 201), ("null", json, #"{"a": 1}"#, 200), ("some", json, "{}", 200),
      ("some", json, #"{"a": 1}"#, 201), ("null", json, #"{"a": null}"#, 201),
      ("null", nil, "x", 200), ("null", nil, "", 201),
      ("all", json, "{}", 201), ("all", nil, "{}", 200), ("all", form, "{}", 200),
    ]
    try await run.play(
      cases.map { path, type, body, status in
        RecordedCase(
          method: "POST", url: "http://h.test/\(path)",
          headers: type.map { [.contentType: $0] } ?? [:], body: Data(body.utf8), status: status)
      })
  }

  @Test func responsesComeInTheOrderOfTheirMode() async throws {
    let three = [201, 202, 203].map { response(#", "statusCode": \#($0)"#, isDefault: $0 == 202) }
    func number(_ number: Int) -> String {
      #"[{"target": "request_number", "modifier": "", "value": "\#(number)", "operator": "equals"}]"#
    }
    let run = try run([
      route("seq", three, mode: #""SEQUENTIAL""#), route("random", three, mode: #""RANDOM""#),
      route("usual", three, mode: #""DISABLE_RULES""#),
      route(
        "number",
        [
          response(#", "statusCode": 201"#, rules: number(1)), response(isDefault: true),
          response(#", "statusCode": 203"#, rules: number(3)),
        ]),
      route(
        "fallback", [response(#", "statusCode": 201"#, rules: number(1))], mode: #""FALLBACK""#),
      route("fallback", [response(#", "statusCode": 404"#, isDefault: true)]),
    ])
    #expect(run.ids(.dropped) == ["random"])
    #expect(run.unknown == [])
    try await run.play(
      [
        ("seq", 201), ("seq", 202), ("seq", 203), ("seq", 201), ("seq", 202), ("random", 201),
        ("usual", 202), ("number", 201), ("number", 200), ("number", 203), ("number", 200),
        ("fallback", 201), ("fallback", 404),
      ].map { RecordedCase(url: "http://h.test/\($0.0)", status: $0.1) })
  }

  @Test(arguments: [
    (#", "body": "{\"a\": 1}", "statusCode": "201""#, #"{"status": 201, "json": {"a": 1}}"#),
    (
      #", "body": "x", "latency": 20, "headers": [{"key": "Content-Type", "value": "text/plain"}, {"key": "", "value": ""}]"#,
      #"{"text": "x", "delay": "20ms", "headers": {"Content-Type": "text/plain"}}"#
    ),
    (
      #", "bodyType": "DATABUCKET", "databucketID": "d1""#,
      #"{"json": [{"id": 1}], "headers": {"Content-Type": "application/json"}}"#
    ),
    (#", "body": "{{ x }}", "disableTemplating": true"#, #"{"text": "{{ x }}"}"#),
    (
      #", "body": "{{queryParam 'q' 'none'}} {{urlParam 'id'}} {{header 'X'}} {{body 'a.0'}} {{method}} {{int 1 5}} {{uuid}}""#,
      #"{"template": true, "text": "{{default request.query.[q] 'none'}} {{request.path.[id]}} {{request.headers.[X]}} {{jsonPath request.body '$.a[0]' default=''}} {{request.method}} {{randomInt lower=1 upper=6}} {{uuid}}"}"#
    ),
    (
      #", "body": "{\"id\": {{faker 'number.int' max=9}}, \"s\": \"{{oneOf (array 'a' 'b')}}\"}""#,
      #"{"template": true, "text": "{\"id\": {{randomInt lower=0 upper=10}}, \"s\": \"{{pickRandom 'a' 'b'}}\"}"}"#
    ),
    (
      #", "body": "[{{#repeat 2}}{\"n\": {{@index}}}{{/repeat}}]""#,
      #"{"template": true, "text": "[{{#each (range 1 2)}}{\"n\": {{@index}}}{{#unless @last}},{{/unless}}{{/each}}]"}"#
    ),
    (
      #", "body": "{{now \"yyyy-MM-dd'T'HH:mm\"}}""#,
      #"{"template": true, "text": "{{now format='yyyy-MM-dd\\'T\\'HH:mm'}}"}"#
    ),
  ])
  func responsesAreTranslated(given: String, wanted: String) throws {
    let base = response(isDefault: true)
    // A later member would be given twice, so those of the base are taken out.
    let added = try #require(try JSONValue(parsing: "{\(given.dropFirst())}").objectMembers)
    var members = try #require(try JSONValue(parsing: base).objectMembers)
    members.merge(added) { _, new in new }
    let run = try run(
      [route("a/:id", [JSONValue.object(members).canonicalText])],
      #", "data": [{"uuid": "d", "id": "d1", "name": "items", "value": "[{\"id\": 1}]"}]"#)
    #expect(run.unknown == [])
    let stub = try Stub(
      jsonObject: ["key": "a", "responses": .array([JSONValue(parsing: wanted)])])
    #expect(run.stubs.map(\.responses) == [stub.responses], "\(run.documents)")
  }

  @Test func whatAllRoutesHaveInCommonIsKept() throws {
    let run = try run(
      [
        route("a", [response(isDefault: true)], method: "all"),
        route("b", [response(isDefault: true)]).replacingOccurrences(
          of: #""enabled": true"#, with: #""enabled": false"#),
        route("c", [response(isDefault: true)]).replacingOccurrences(
          of: #""type": "http""#, with: #""type": "ws""#),
      ],
      #"""
      , "latency": 100, "headers": [{"key": "X-All", "value": "1"}], "proxyMode": true
      """#.replacingOccurrences(of: "\n", with: ""))
    #expect(run.stubs[0].request.methods == [])
    #expect(run.stubs[0].responses[0].headers[try #require(HTTPField.Name("X-All"))] == "1")
    #expect(run.documents.contains(#""delay": "100ms""#))
    #expect(run.ids(.dropped) == ["websocket"])
    let proxied = try ImportRun(
      "shop.json",
      environment([route("a", [response(isDefault: true)])], #", "proxyMode": true"#)
        .replacingOccurrences(of: #""proxyHost": """#, with: #""proxyHost": "https://api.test""#)
        .replacingOccurrences(of: #""endpointPrefix": """#, with: #""endpointPrefix": "/v1/""#))
    #expect(proxied.stubs.map(\.priority) == [5, 10])
    #expect(proxied.stubs[0].request.path == .template("/v1/a"))
    #expect(proxied.ids(.changed) == ["proxy"])
    #expect(proxied.unknown == [])
  }

  @Test func theTreeOfFoldersOrdersTheRoutes() throws {
    let routes = ["a", "b", "c"].map { route($0, [response(isDefault: true)]) }
    let text = environment(
      routes,
      #", "rootChildren": [{"type": "folder", "uuid": "f"}, {"type": "route", "uuid": "a-get"}]"#
    ).replacingOccurrences(
      of: #""folders": []"#,
      with:
        #""folders": [{"uuid": "f", "name": "Orders", "children": [{"type": "route", "uuid": "c-get"}, {"type": "folder", "uuid": "f"}]}]"#
    )
    #expect(try ImportRun("s.json", text).stubs.map(\.key.rawValue) == ["get-c", "get-a", "get-b"])
    var options = ImportOptions()
    options.split = .folder
    let run = try ImportRun("s.json", text, options: options)
    #expect(run.result.scenarios.map(\.name.rawValue) == ["s/orders", "s"])
    #expect(run.unknown == [])
  }

  @Test func bucketsAnswerWhatTheyHold() async throws {
    let run = try run(
      [
        route("items", [response(#", "x": 1"#, isDefault: true)]).replacingOccurrences(
          of: #""type": "http""#, with: #""type": "crud""#
        ).replacingOccurrences(of: #""databucketID": """#, with: #""databucketID": "d1""#)
      ], #", "data": [{"id": "d1", "name": "items", "value": "[{\"id\": \"a b\", \"n\": 1}, 5]"}]"#)
    #expect(run.ids(.dropped) == ["state"])
    try await run.play([
      RecordedCase(url: "http://h.test/items", content: Data(#"[{"id": "a b", "n": 1}, 5]"#.utf8)),
      RecordedCase(url: "http://h.test/items/a%20b", content: Data(#"{"id": "a b", "n": 1}"#.utf8)),
    ])
  }

  @Test func aTemplateThatIsNotKnownLeavesTheStubOut() throws {
    let routes = [
      route(
        "a",
        [
          response(isDefault: true).replacingOccurrences(
            of: #""body": """#, with: #""body": "{{faker 'person.firstName'}}""#)
        ]),
      route("b", [response(isDefault: true)]),
    ]
    let strict = try run(routes)
    #expect(strict.stubs.map(\.key) == ["get-b"])
    #expect(strict.ids(.dropped) == ["template"])
    var options = ImportOptions()
    options.flags.insert(.lenient)
    let lenient = try run(routes, options: options)
    #expect(lenient.stubs.count == 2)
    #expect(lenient.ids(.dropped) == ["template"])
  }

  @Test func versionsAndExportsAreRead() throws {
    let environment = environment([route("a", [response(isDefault: true)])])
    let export =
      #"{"source": "mockoon:1.19.0", "data": [{"type": "environment", "item": \#(environment)}, {"type": "route", "item": {}}]}"#
    let run = try ImportRun("e.json", export)
    #expect(run.result.scenarios.map(\.name.rawValue) == ["e/shop"])
    let newer = environment.replacingOccurrences(of: "33", with: "9999999999999")
    #expect(try ImportRun("e.json", newer).stubs.count == 1)
    #expect(try ImportRun("e.json", newer).result.report.count(of: .changed) == 1)
    let bare = #"{"endpointPrefix": "", "routes": [{"endpoint": "a", "responses": [{}]}]}"#
    #expect(try ImportRun("e.json", bare).stubs.count == 1)
    #expect(throws: FormatError.self) {
      try ImportRun("e.json", #"{"lastMigration": 33, "endpointPrefix": "", "routes": [5]}"#)
    }
  }

  @Test func filesAreReadBesideTheInputOnly() throws {
    try withTemporaryFolder { folder in
      try Data("[1]".utf8).write(to: folder.appendingPathComponent("body.json"))
      func stubs(_ path: String) throws(FormatError) -> [Stub] {
        let text = response(isDefault: true).replacingOccurrences(of: "INLINE", with: "FILE")
          .replacingOccurrences(of: #""filePath": """#, with: #""filePath": "\#(path)""#)
        return try run([route("a", [text])], folder: folder).stubs
      }
      #expect(try stubs("./body.json")[0].responses[0].body == .json([1]))
      for path in ["../x", "/etc/passwd", "missing.json"] {
        #expect(throws: FormatError.self) { try stubs(path) }
      }
    }
  }

  @Test func choicesOfManyValuesAreChoicesOfChoices() throws {
    let values = (0..<150).map { "'v\($0)'" }.joined(separator: " ")
    let body = response(isDefault: true).replacingOccurrences(
      of: #""body": """#, with: "\"body\": \"{{oneOf (array \(values))}}\"")
    let run = try self.run([route("a", [body])])
    guard case .bytes(let data)? = try #require(run.stubs.first).responses[0].body?.content else {
      Issue.record("there is no content")
      return
    }
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.hasPrefix("{{pickRandom (pickRandom 'v0' 'v1'"))
    #expect(text.hasSuffix("'v149')}}") && text.contains("'v49') (pickRandom 'v50'"))
  }

  @Test func anEnvironmentWithoutRoutesIsKnown() throws {
    let run = try self.run([], #", "headers": [{"key": "X", "value": "1"}], "https": false"#)
    #expect(run.unknown == [] && run.result.scenarios == [])
  }

  @Test func nothingOfAWrongTypeStopsTheImport() throws {
    let inRoute = ["endpoint", "method", "type", "responseMode", "enabled", "responses"]
    let inResponse = [
      "body", "headers", "statusCode", "latency", "rules", "bodyType", "filePath", "databucketID",
      "default", "callbacks", "rulesOperator",
    ]
    for value in ["null", "5", #""x""#, "[]", "{}", "[[]]", "[{}]", #"{"a": {"b": []}}"#, "true"] {
      func check(_ route: String) throws {
        let text = #"{"endpointPrefix": "", "routes": [\#(route)]}"#
        let run = try ImportRun("a.json", text)
        #expect(run.documents == (try ImportRun("a.json", text)).documents)
      }
      for key in inRoute where key != "responses" {
        try check(#"{"\#(key)": \#(value), "responses": [{}]}"#)
      }
      try check(#"{"endpoint": "a", "responses": \#(value)}"#)
      for key in inResponse where !(key == "bodyType" || key == "filePath") {
        try check(#"{"endpoint": "a", "responses": [{"\#(key)": \#(value)}]}"#)
      }
      for key in ["folders", "rootChildren", "headers", "data", "latency", "name", "proxyMode"] {
        let text = #"{"endpointPrefix": "", "routes": [], "\#(key)": \#(value)}"#
        #expect(try ImportRun("a.json", text).stubs == [])
      }
    }
  }
}

extension JSONValue {
  fileprivate var objectMembers: JSONObject? {
    if case .object(let members) = self { members } else { nil }
  }
}
