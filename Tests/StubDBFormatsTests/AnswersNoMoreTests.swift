import Foundation
import HTTPTypes
import StubDBEngine
import StubDBFormats
import StubDBHTTPTypes
import StubDBModel
import Testing

/// Requests that the original answers get an answer, and those that it refuses get none.
@Suite struct AnswersNoMoreTests {
  private struct Request: Sendable {
    var url = "https://h.test/a"
    var headers: HTTPFields = [:]
    var body: String?
  }

  private struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String { name }
    var name: String
    var text: String
    var answered: [Request]
    var refused: [Request]
  }

  private static func hoverfly(_ request: String) -> String {
    #"""
    {"data": {"pairs": [{"request": {\#(request)}, "response": {"status": 200, "body": "hit"}}]},
     "meta": {"schemaVersion": "v5.2"}}
    """#
  }

  private static func mockServer(_ request: String) -> String {
    #"{"httpRequest": {\#(request)}, "httpResponse": {"statusCode": 200}}"#
  }

  private static func mockoon(_ rule: String) -> String {
    #"""
    {"routes": [{"type": "http", "method": "get", "endpoint": "a", "responses": [
      {"statusCode": 404, "default": true}, {"statusCode": 200, "rules": [\#(rule)]}]}],
     "lastMigration": 33}
    """#
  }

  private static func wireMock(_ request: String) -> String {
    #"{"request": {\#(request)}, "response": {"status": 200}}"#
  }

  private static let field = HTTPField.Name("X") ?? .accept
  private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

  private static let cases = [
    Case(
      name: "hoverfly: a dot is no line end",
      text: hoverfly(#""body": [{"matcher": "regex", "value": "\"user\":.*\"admin\""}]"#),
      answered: [Request(body: #"{"user": "an admin"} {"user": "admin"}"#)],
      refused: [Request(body: "{\"user\": \"joe\",\n \"role\": \"admin\"}")]),
    Case(
      name: "hoverfly: $ is the very end",
      text: hoverfly(#""body": [{"matcher": "regex", "value": "abc$|^x.z"}]"#),
      answered: [Request(body: "abc"), Request(body: "1\nabc"), Request(body: "xyz\n")],
      refused: [Request(body: "abc\n"), Request(body: "x\nz")]),
    Case(
      name: "hoverfly: ports",
      text: hoverfly(#""destination": [{"matcher": "exact", "value": "h.test"}]"#),
      answered: [
        Request(), Request(url: "http://h.test/a?b=1"), Request(url: "https://h.test:443/a"),
      ],
      refused: [Request(url: "https://h.test:8443/a")]),
    Case(
      name: "hoverfly: an expression with a port",
      text: hoverfly(#""destination": [{"matcher": "regex", "value": "h\\.test:8080"}]"#),
      answered: [Request(url: "http://h.test:8080/a")],
      refused: [Request(), Request(url: "http://h.testing:8080/a")]),
    Case(
      name: "hoverfly: a field that must be there and not be this",
      text: hoverfly(#""headers": {"X": [{"matcher": "negate", "value": "1"}]}"#),
      answered: [Request(headers: [field: "2"])],
      refused: [Request(), Request(headers: [field: "1"])]),
    Case(
      name: "hoverfly: a parameter that must be there and not be this",
      text: hoverfly(#""query": {"x": [{"matcher": "negate", "value": "1"}]}"#),
      answered: [Request(url: "https://h.test/a?x=2")],
      refused: [Request(), Request(url: "https://h.test/a?x=1")]),
    Case(
      name: "hoverfly: a parameter with this value alone",
      text: hoverfly(
        #""query": {"x": [{"matcher": "exact", "value": "1"}], "y": [{"matcher": "regex", "value": "^1$"}]}"#
      ),
      answered: [Request(url: "https://h.test/a?x=1&y=1&z=2")],
      refused: [
        Request(url: "https://h.test/a?x=1&x=2&y=1"), Request(url: "https://h.test/a?x=1&y=1&y=2"),
      ]),
    Case(
      name: "hoverfly: a field of a form",
      text: hoverfly(
        #""body": [{"matcher": "form", "value": {"f": [{"matcher": "negate", "value": "1"}]}}]"#),
      answered: [Request(headers: form, body: "f=2")],
      refused: [
        Request(headers: form, body: "g=2"), Request(headers: form, body: "f=1&f=2"),
      ]),
    Case(
      name: "wiremock: a cookie that must be there and not be this",
      text: wireMock(#""cookies": {"c": {"not": {"equalTo": "1"}}}"#),
      answered: [Request(headers: [.cookie: "c=2"])],
      refused: [Request(), Request(headers: [.cookie: "c=1"])]),
    Case(
      name: "wiremock: the whole URL", text: wireMock(#""url": "/a?x=1""#),
      answered: [Request(url: "https://h.test/a?x=1")],
      refused: [Request(url: "https://h.test/a?x=1&x=2"), Request(url: "https://h.test/a?x=1&y=2")]),
    Case(
      name: "wiremock: two stars are no missing segment",
      text: wireMock(#""urlPathTemplate": "/a/**""#),
      answered: [Request(url: "https://h.test/a/"), Request(url: "https://h.test/a/b/c?d")],
      refused: [Request()]),
    Case(
      name: "wiremock: two stars beside a name", text: wireMock(#""urlPathTemplate": "/{b}/**/c""#),
      answered: [
        Request(url: "https://h.test/a/b/c"), Request(url: "https://h.test/a//c?d=1"),
      ],
      refused: [Request(url: "https://h.test/a/c")]),
    Case(
      name: "wiremock: what only Java's expressions have",
      text: wireMock(
        #""urlPathPattern": "/\\p{javaLowerCase}/\\Qx.y\\E/(?<n>[0-9])\\k<n>[0-9]*+""#),
      answered: [
        Request(url: "https://h.test/a/x.y/117"), Request(url: "https://h.test/a/x.y/22"),
      ],
      refused: [
        Request(url: "https://h.test/A/x.y/11"), Request(url: "https://h.test/a/xzy/11"),
        Request(url: "https://h.test/a/x.y/12"),
      ]),
    Case(
      name: "mockserver: a name without a pattern", text: mockServer(#""path": "/{b}""#),
      answered: [Request(url: "https://h.test/%7Bb%7D")], refused: [Request()]),
    Case(
      name: "mockserver: a dot is no line end",
      text: mockServer(#""body": {"type": "REGEX", "regex": ".*admin.*"}"#),
      answered: [Request(body: "an admin")],
      refused: [Request(body: "{\n\"role\": \"admin\"\n}")]),
    Case(
      name: "mockserver: not this path", text: mockServer(#""path": "!/a""#),
      answered: [Request(url: "https://h.test/b")],
      refused: [Request(), Request(url: "https://h.test/A")]),
    Case(
      name: "mockserver: not a path that is an expression, too",
      text: mockServer(#""path": "!/a.json""#),
      answered: [Request()],
      refused: [Request(url: "https://h.test/a.json"), Request(url: "https://h.test/axjson")]),
    Case(
      name: "mockserver: not this field", text: mockServer(#""headers": {"X": ["!abc"]}"#),
      answered: [Request(headers: [field: "d"])],
      refused: [Request(), Request(headers: [field: "ABC"])]),
    Case(
      name: "mockserver: not this parameter",
      text: mockServer(#""queryStringParameters": {"x": ["!1"]}"#),
      answered: [Request(url: "https://h.test/a?x=2")],
      refused: [Request(), Request(url: "https://h.test/a?x=1")]),
    Case(
      name: "mockserver: no such parameter",
      text: mockServer(#""queryStringParameters": {"!x": [".*"]}"#),
      answered: [Request(), Request(url: "https://h.test/a?y=1")],
      refused: [
        Request(url: "https://h.test/a?x=1&x=2"), Request(url: "https://h.test/a?x=5"),
      ]),
    Case(
      name: "mockserver: no such cookie", text: mockServer(#""cookies": {"!c": ""}"#),
      answered: [Request()], refused: [Request(headers: [.cookie: "c=2"])]),
    Case(
      name: "mockserver: not this host", text: mockServer(#""headers": {"Host": ["!h.test"]}"#),
      answered: [Request(url: "https://other.test/a")],
      refused: [Request(), Request(url: "https://H.test/a")]),
    Case(
      name: "mockserver: one value is not this one, another is",
      text: mockServer(#""headers": {"X": ["!a", "b"]}"#),
      answered: [
        Request(
          headers: HTTPFields([
            HTTPField(name: field, value: "b"), HTTPField(name: field, value: "c"),
          ]))
      ],
      refused: [Request(headers: [field: "b"])]),
    Case(
      name: "mockoon: a dot is no line end",
      text: mockoon(
        #"{"target": "header", "modifier": "X", "operator": "regex", "value": "a.b$"}"#),
      answered: [Request(headers: [field: "1a-b"])], refused: [Request(headers: [field: "a-bc"])]),
    Case(
      name: "mockoon: the beginning of the path",
      text: mockoon(#"{"target": "path", "modifier": "", "operator": "regex", "value": "^/a"}"#),
      answered: [Request()], refused: []),
    Case(
      name: "nock: fields of the request",
      text: #"""
        [{"scope": "https://h.test:443", "method": "GET", "path": "/a", "status": 200, "response": "hit",
          "reqheaders": {"x": "1", "user-agent": "node"}}]
        """#,
      answered: [Request(headers: [field: "1"])],
      refused: [Request(), Request(headers: [field: "2"])]),
  ]

  @Test(arguments: cases)
  private func whatTheOriginalRefusesIsRefused(_ example: Case) async throws {
    let run = try ImportRun("a.json", example.text)
    let scenario = try #require(run.result.scenarios.first)
    for (requests, isAnswered) in [(example.answered, true), (example.refused, false)] {
      for request in requests {
        #expect(
          try await Self.answers(scenario, request) == isAnswered, "\(request) \(run.documents)")
      }
    }
  }

  private static func answers(_ scenario: Scenario, _ request: Request) async throws -> Bool {
    let session = ScenarioSession(try LoadedScenario(scenario))
    defer { session.end() }
    let url = try #require(URLComponents(string: request.url))
    var sent = HTTPRequest(
      method: .get, scheme: url.scheme,
      authority: url.port.map { "\(url.host ?? ""):\($0)" } ?? url.host,
      path: url.percentEncodedPath + (url.percentEncodedQuery.map { "?" + $0 } ?? ""))
    sent.headerFields = request.headers
    let answer = try? await session.upload(for: sent, from: Data((request.body ?? "").utf8))
    return answer?.1.status.code == 200
  }

  /// Parentheses of an expression must not close those that the import adds.
  @Test(arguments: [
    #"{"request": {"urlPattern": "/a)|(?:.*"}, "response": {"status": 200}}"#,
    hoverfly(#""path": [{"matcher": "regex", "value": "q)|(.*"}]"#),
    hoverfly(#""body": [{"matcher": "regex", "value": "q)|(.*"}]"#),
    mockServer(#""path": {"schema": {"type": "string", "pattern": "q)|(?:.*"}}"#),
    mockoon(#"{"target": "body", "modifier": "", "operator": "regex", "value": "q)|(.*"}"#),
    mockoon(#"{"target": "path", "modifier": "", "operator": "regex", "value": "q)|(.*"}"#),
    #"""
    {"consumer": {"name": "a"}, "provider": {"name": "b"}, "interactions": [{"description": "x",
     "request": {"method": "GET", "path": "/a", "body": {"k": "q"},
       "matchingRules": {"body": {"$.k": {"matchers": [{"match": "regex", "regex": "q)|(?:.*"}]}}}},
     "response": {"status": 200}}], "metadata": {"pactSpecification": {"version": "3.0.0"}}}
    """#,
    #"{"request": {"urlPath": "/a", "queryParameters": {"x": {"and": []}}}, "response": {}}"#,
    #"{"request": {"urlPath": "/a", "queryParameters": {"x": {"includes": []}}}, "response": {}}"#,
  ])
  func whatIsNoConditionLeavesTheStubOut(text: String) throws {
    let run = try ImportRun("a.json", text)
    let statuses = run.result.scenarios.flatMap(\.stubs).flatMap(\.responses).map(\.status)
    #expect(!statuses.contains(200), "\(run.documents)")
    #expect(run.ids(.dropped).contains("stub-left-out"))
  }

  @Test func answersWithTooManyHeaderFieldsAreLeftOut() throws {
    let count = 70_000
    let lines = String(repeating: "X: 1\r\n", count: count)
    var options = ImportOptions()
    options.url = "https://h.test/a"
    let message = try ImportRun("a.http", "HTTP/1.1 200 OK\r\n\(lines)\r\nhi", options: options)
    #expect(message.ids(.dropped) == ["too-large"] && message.stubs == [])
    let fields = Array(repeating: #"{"name": "X", "value": "1"}"#, count: count)
    let har = HARText.archive([HARText.entry(headers: "[\(fields.joined(separator: ","))]")])
    let archive = try ImportRun("a.har", har)
    #expect(archive.ids(.dropped) == ["too-large"] && archive.stubs == [])
  }

  /// Each names the one before twice.
  @Test func variablesThatNameEachOtherDoNotGrowWithoutEnd() throws {
    var variables = [#"{"key": "v0", "value": "xxxxxxxxxx"}"#]
    for index in 1...60 {
      variables.append(#"{"key": "v\#(index)", "value": "{{v\#(index - 1)}}{{v\#(index - 1)}}"}"#)
    }
    let run = try ImportRun(
      "a.json",
      #"""
      {"info": {"name": "C", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
       "variable": [\#(variables.joined(separator: ","))],
       "item": [{"name": "r", "request": {"method": "GET", "url": "https://h.test/{{v60}}/{{v3}}", "header": []},
         "response": [{"name": "ok", "code": 200, "body": "{{v60}}"}]}]}
      """#)
    #expect(run.stubs.count == 1)
    #expect(run.documents.contains(String(repeating: "x", count: 80)))
    #expect(run.documents.utf8.count < 10_000)
  }
}
