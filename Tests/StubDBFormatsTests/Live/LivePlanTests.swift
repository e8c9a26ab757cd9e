import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBDrift
import StubDBFormats
import StubDBModel
import Testing

/// Which requests to a real server stubs stand for, and why others stand for none.
struct LivePlanTests {
  private static func plan(
    _ stubs: String, _ change: (inout LiveOptions) -> Void = { _ in }
  ) throws -> LivePlan {
    let text = #"{"scenario": "a/b", "stubs": [\#(stubs)]}"#
    let scenarios = [try ScenarioDocument.decode(Data(text.utf8), file: "a.json")]
    var options = LiveOptions(server: "https://live.test:8443/api/")
    change(&options)
    return LivePlan(ExportContent(scenarios), options: options)
  }

  /// `METHOD URL` with header fields and content, or the reason.
  private static func line(
    _ request: String, rest: String = "", _ change: (inout LiveOptions) -> Void = { _ in }
  ) throws -> String {
    let plan = try plan(#"{"key": "k", "request": {\#(request)}\#(rest)}"#, change)
    guard let question = plan.questions.first else { return plan.skipped[0].reason }
    let fields = question.request.headers.map { " \($0[0]): \($0[1])" }.joined()
    return "\(question.request.method) \(question.request.url)\(fields) "
      + String(decoding: question.request.body, as: UTF8.self)
  }

  private static let base = "https://live.test:8443/api"

  @Test(arguments: [
    (#""url": "https://api.test/a?b=c d&b=e""#, "GET \(base)/a?b=c%20d&b=e "),
    (#""url": "/a""#, "GET \(base)/a "),
    (#""url": {"equalTo": "http://api.test/a?b=c"}"#, "GET \(base)/a?b=c "),
    (#""url": {"matches": ".*/a"}"#, "its URL is an expression"),
    (#""method": "POST", "url": "/a""#, "its method is POST; see --methods"),
    (#""method": ["PUT", "HEAD"], "url": "/a""#, "HEAD \(base)/a "),
    (#""url": "/a/{id}""#, "GET \(base)/a/x%20y "),
    (
      #""url": "/a/{id}", "pathParameters": {"id": "7"}"#, "no request could be made of its pattern"
    ),
    (#""url": "/a/{n}", "pathParameters": {"n": "7"}"#, "GET \(base)/a/7 "),
    (#""url": "/a/{n}""#, "its path has {n}; give a value with --param n=VALUE"),
    (#""url": "/a/**""#, "its path has **, which matches any path"),
    (#""path": {"matches": "/a.*"}"#, "its path is an expression"),
    (#""method": "GET""#, "it answers any path"),
    (#""url": "/a", "query": {"id": {"matches": ".*"}}"#, "GET \(base)/a?id=x%20y "),
    (#""url": "/a", "query": {"q": {"absent": true}}"#, "GET \(base)/a "),
    (
      #""url": "/a", "query": {"q": {"matches": ".*"}}"#,
      "its query parameter q has no single value; give one with --param q=VALUE"
    ),
    (#""url": "/a", "headers": {"Accept": "text/a"}"#, "GET \(base)/a Accept: text/a "),
    (
      #""url": "/a", "headers": {"Accept": {"contains": "a"}}"#,
      "its header field Accept has no single value; give one with --header"
    ),
    (
      #""url": "/a", "headers": {"Authorization": "Bearer secret"}"#,
      "it asks for the header field Authorization, which is never sent from a catalog; give it with --header"
    ),
    (
      #""url": "/a", "headers": {"X-Api-Key": "abc"}"#,
      "it asks for the header field X-Api-Key, which is never sent from a catalog; give it with --header"
    ),
    (#""url": "/a", "headers": {"Authorization": {"absent": true}}"#, "GET \(base)/a "),
    (
      #""url": "/a", "basicAuth": {"username": "a", "password": "b"}"#,
      "it asks for the header field Authorization, which is never sent from a catalog; give it with --header"
    ),
    (
      #""url": "/a", "cookies": {"sid": "a"}"#,
      "it asks for the header field Cookie, which is never sent from a catalog; give it with --header"
    ),
    (
      #""method": "GET", "url": "/a", "body": {"equalTo": "x"}"#,
      "a GET request with content cannot be sent"
    ),
    (
      #""url": "/g", "body": {"graphql": {"query": "{ a }"}}"#,
      #"POST \#(base)/g Content-Type: application/json {"query":"{ a }"}"#
    ),
    (
      #""url": "/g", "body": {"graphql": {"query": "mutation { a }"}}"#,
      "its method is POST; see --methods"
    ),
    (
      #""url": "/g", "body": {"graphql": {"operationName": "A"}}"#,
      "its method is POST; see --methods"
    ),
  ])
  func oneRequestOrAReason(request: String, line: String) throws {
    #expect(try Self.line(request) { $0.parameters = ["id": "x y"] } == line)
  }

  @Test(arguments: [
    (#"{"equalToJson": {"a": 1}}"#, #"Content-Type: application/json {"a":1}"#),
    (
      #"{"equalToJson": {"a": ["${json-unit.any-string}"]}}"#,
      #"Content-Type: application/json {"a":["x"]}"#
    ),
    (
      #"{"equalToJson": {"b": "${json-unit.ignore}"}}"#,
      "its content is open at /b; give a value with --param /b=VALUE"
    ),
    (#"{"form": {"a": "b c"}}"#, "Content-Type: application/x-www-form-urlencoded a=b%20c"),
    (#"{"form": {"a": {"matches": "b"}}}"#, "its content has no single value"),
    (#"{"matchesJsonPath": "$.a"}"#, "its content has no single value"),
    (#"{"equalTo": "x"}"#, "Content-Type: text/plain; charset=utf-8 x"),
  ])
  func contentIsSentWhereMethodsAllowIt(body: String, end: String) throws {
    let line = try Self.line(#""method": "POST", "url": "/a", "body": \#(body)"#) {
      $0.allowsMethod = { _, _ in true }
      $0.parameters = ["/a/0": "\"x\""]
    }
    #expect(line == end || line == "POST \(Self.base)/a \(end)")
  }

  @Test(arguments: [
    (
      #""responses": [{"status": 500}]"#,
      "it answers with the status 500, which cannot be asked for"
    ),
    (#""responses": [{"error": "timedOut"}]"#, "it answers with an error"),
    (#""responses": [{"fault": "garbage"}]"#, "it answers with garbage"),
    (#""responses": [{"passthrough": true}]"#, "it leaves the request to the network"),
    (
      #""flow": {"name": "f", "requires": "paid"}"#,
      #"it answers only in the state "paid" of the flow "f""#
    ),
    (#""flow": {"name": "f", "requires": "started"}"#, "GET \(base)/a "),
    (#""responses": [{"status": 404}]"#, "GET \(base)/a "),
    (
      #""responses": [{"template": true, "text": "{{captured.x}}"}]"#,
      "its template uses what a run has captured before"
    ),
    (#""responses": [{"template": true, "text": "{{request.path}}"}]"#, "GET \(base)/a "),
  ])
  func whatCannotBeAskedForIsSkipped(rest: String, line: String) throws {
    #expect(try Self.line(#""url": "/a""#, rest: ", \(rest)") == line)
  }

  @Test func headerFieldsOfTheUserReplaceThoseOfTheStub() throws {
    let line = try Self.line(
      #""url": "/a", "headers": {"Authorization": {"matches": "Bearer .+"}, "Accept": "a/b"}"#
    ) {
      $0.headers = [.authorization: "Bearer t", .accept: "c/d"]
    }
    #expect(line == "GET \(Self.base)/a Authorization: Bearer t Accept: c/d ")
  }

  @Test func onlyTheFirstAnswerIsAskedFor() throws {
    let plan = try Self.plan(
      #"{"key": "k", "request": {"url": "/a"}, "responses": [{"status": 202}, {"status": 200}]}"#)
    #expect(plan.questions.map(\.stored.status) == [202])
    #expect(plan.skipped.map(\.reason) == ["its second answer comes only after the first"])
  }
}
