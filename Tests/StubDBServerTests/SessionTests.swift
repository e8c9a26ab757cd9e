#if Server
import Foundation
import StubDBJSON
import StubDBServer
import Testing

@Suite struct SessionTests {
  static let document = """
    {"scenario": "shop", "stubs": [
      {"key": "two", "request": {"path": "/two"}, "responses": [{"text": "1"}, {"text": "2"}]},
      {"key": "moved", "request": {"path": "/moved"},
       "responses": [{"status": 302, "headers": {"Location": "/two?a=1"}}]},
      {"key": "away", "request": {"path": "/away"},
       "responses": [{"status": 302, "headers": {"Location": "//cdn.test/two"}}]},
      {"key": "late", "request": {"path": "/late"}, "responses": [{"text": "late", "delay": "50min"}]},
      {"key": "pay", "request": {"path": "/pay"}, "flow": {"name": "order", "becomes": "paid"},
       "responses": [{"status": 204}]},
      {"key": "query", "request": {"path": "/", "query": {"a": "1"}}, "responses": [{"text": "root"}]}]}
    """

  @Test func eachSessionHasARunOfItsOwn() throws {
    let server = try TestServer(Self.document)
    let (one, other) = (try server.makeSession(), try server.makeSession())
    #expect(one != other && one.count == 10)
    for expected in ["1", "2", "2"] {
      #expect(try server.ask("GET", "/~\(one)/two").text == expected)
    }
    #expect(try server.ask("GET", "/two", host: "\(other).localhost:8080").text == "1")
    #expect(try server.ask("GET", "/two", fields: ["StubDB-Session: \(other)"]).text == "2")
    #expect(try server.ask("GET", "/two").text == "1")
    #expect(try server.ask("GET", "/~\(one)?a=1").text == "root")
  }

  @Test func aRequestOfNoSessionThatIsThereSaysSo() throws {
    let server = try TestServer(Self.document)
    for result in [
      try server.ask("GET", "/~abcdefghij/two"),
      try server.ask("GET", "/two", fields: ["StubDB-Session: abcdefghij"]),
    ] {
      #expect(result.status == 404)
      #expect(result.text("type") == "urn:stubdb:problem:no-such-session")
    }
    // Such a host may be one of the scenario's, and such a path too.
    #expect(try server.ask("GET", "/two", host: "abcdefghij.localhost").text == "1")
    #expect(try server.ask("GET", "/~home/two").fields["stubdb-unmatched"] == "1")
  }

  @Test func redirectsStayInTheSession() throws {
    let server = try TestServer(Self.document)
    let id = try server.makeSession()
    #expect(try server.ask("GET", "/~\(id)/moved").fields["location"] == "/~\(id)/two?a=1")
    #expect(try server.ask("GET", "/~\(id)/away").fields["location"] == "//cdn.test/two")
    #expect(try server.ask("GET", "/moved").fields["location"] == "/two?a=1")
  }

  @Test func theEndOfASessionSaysWhatWentWrong() throws {
    let server = try TestServer(Self.document)
    let id = try server.makeSession()
    let waiting = try server.client()
    waiting.send("GET /~\(id)/late HTTP/1.1\r\nHost: a\r\n\r\n")
    let following = try server.client()
    following.send("GET /__stubdb/events?session=\(id) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _ = following.read(until: ": ping")
    _ = try server.ask("GET", "/~\(id)/nowhere")
    while try server.ask("GET", "/__stubdb/sessions/\(id)")["/requests"] != 2 {}
    let ended = try server.ask("DELETE", "/__stubdb/sessions/\(id)")
    #expect(ended.status == 200 && ended.isMissing("/problems/1"))
    #expect(ended.text("/problems/0/kind") == "unmatchedRequest")
    #expect(ended.text("/problems/0/message").contains("GET /nowhere"))
    // Whoever waits is told.
    #expect(waiting.read(until: "Service Unavailable") != nil)
    #expect(following.read(until: "\r\n0\r\n\r\n") != nil)
    #expect(try server.ask("GET", "/~\(id)/two").status == 404)
    #expect(try server.ask("DELETE", "/__stubdb/sessions/\(id)").status == 404)
    #expect(try server.ask("DELETE", "/__stubdb/sessions/default").status == 409)
  }

  @Test func aSessionSaysWhereItIs() throws {
    let server = try TestServer(Self.document)
    let made = try server.ask(
      "POST", "/__stubdb/sessions",
      #"{"name": "checkout test", "pace": "instant", "seed": 7, "unmatched": 501}"#,
      host: "[::1]:8080")
    let id = made.text("id")
    #expect(made.fields["location"] == "/__stubdb/sessions/\(id)")
    #expect(made.text("baseURL") == "http://[::1]:8080/~\(id)")
    #expect(made.text("hostURL") == "http://\(id).localhost:8080")
    #expect(made.text("name") == "checkout test" && made.text("scenario") == "shop")
    #expect(try server.ask("GET", "/~\(id)/late").text == "late")
    #expect(try server.ask("GET", "/~\(id)/nowhere").status == 501)
    let all = try server.ask("GET", "/__stubdb/sessions")
    #expect(all.text("/0/id") == "default" && all.text("/1/id") == id)
  }

  @Test(arguments: [
    (#"{"pace": "fast"}"#, 422, "/pace"), (#"{"seed": -1}"#, 422, "/seed"),
    (#"{"cors": 1}"#, 422, "/cors"),
    (#"{"unmatched": 99}"#, 422, "/unmatched"), (#"{"scenari": "a"}"#, 422, "/scenari"),
    ("{", 400, ""), (#"{"scenario": "other"}"#, 404, ""), ("[]", 422, ""),
  ])
  func settingsThatMeanNothingAreRefused(_ settings: String, _ status: Int, _ pointer: String)
    throws
  {
    let server = try TestServer(Self.document)
    let result = try server.ask("POST", "/__stubdb/sessions", settings)
    #expect(result.status == status && result.text("pointer") == pointer, "\(result)")
    #expect(result.fields["content-type"] == "application/problem+json")
  }

  @Test func overlaysAreFewAndDifferent() throws {
    let server = try TestServer(Self.document)
    func made(_ overlays: [String]) throws -> AdminResult {
      let list = overlays.map { "\"\($0)\"" }.joined(separator: ",")
      return try server.ask("POST", "/__stubdb/sessions", "{\"overlays\": [\(list)]}")
    }
    let twice = try made(["a/b", "a/c", "a/b"])
    #expect(twice.status == 422 && twice.text("pointer") == "/overlays/2", "\(twice)")
    let many = try made((0...100).map { "a/\($0)" })
    #expect(many.status == 422 && many.text("pointer") == "/overlays", "\(many)")
  }

  @Test(arguments: [(200, 201), (201, 422)])
  func aNameIsShort(length: Int, status: Int) throws {
    let server = try TestServer(#"{"scenario": "shop", "stubs": []}"#)
    let name = String(repeating: "n", count: length)
    let answer = try server.ask("POST", "/__stubdb/sessions", "{\"name\": \"\(name)\"}")
    #expect(answer.status == status, "\(answer)")
  }

  @Test func aSessionIsResetInParts() throws {
    let server = try TestServer(Self.document)
    let path = "/__stubdb/sessions/default"
    _ = try server.ask("GET", "/two")
    _ = try server.ask("GET", "/pay")
    #expect(try server.ask("POST", "\(path)/reset", #"{"counters": true}"#).status == 204)
    #expect(try server.ask("GET", "/two").text == "1")
    #expect(try server.ask("GET", "\(path)/flows").text("order") == "paid")
    #expect(try server.ask("GET", path)["/requests"] == 3)
    #expect(try server.ask("POST", "\(path)/reset").status == 204)
    #expect(try server.ask("GET", "\(path)/flows").text("order") == "started")
    #expect(try server.ask("GET", "\(path)/journal").isMissing("/events/0"))
  }

  @Test func theStateOfAFlowIsSet() throws {
    let server = try TestServer(Self.document)
    let path = "/__stubdb/sessions/default/flows"
    #expect(try server.ask("PUT", "\(path)/order", #"{"state": "sent"}"#).status == 200)
    #expect(try server.ask("GET", path).text("order") == "sent")
    let result = try server.ask("PUT", "\(path)/parcel", #"{"state": "sent"}"#)
    #expect(result.status == 404 && result.text("detail").contains("the flows are \"order\""))
  }

  @Test func aSessionPlaysAnotherScenario() throws {
    let catalog = try TestCatalog(
      Self.document,
      #"{"scenario": "checkout/down", "stubs": [{"key": "a", "responses": [{"status": 503}]}]}"#)
    let server = try TestServer(catalog: catalog, scenario: "shop")
    let id = try server.makeSession(#"{"scenario": "checkout/down"}"#)
    #expect(try server.ask("GET", "/~\(id)/two").status == 503)
    #expect(try server.ask("GET", "/two").text == "1")
    let changed = try server.ask(
      "PATCH", "/__stubdb/sessions/\(id)", #"{"scenario": "shop", "unmatched": 500}"#)
    #expect(changed.status == 200 && changed.text("scenario") == "shop")
    #expect(try server.ask("GET", "/~\(id)/two").text == "1")
    #expect(try server.ask("GET", "/~\(id)/nowhere").status == 500)
    // The status alone is changed in the same run.
    let kept = try server.ask("PATCH", "/__stubdb/sessions/\(id)", #"{"unmatched": 501}"#)
    #expect(kept["/unmatched"] == 501 && kept["/requests"] == 2)
    #expect(try server.ask("GET", "/~\(id)/two").text == "2")
    #expect(try server.ask("GET", "/~\(id)/nowhere").status == 501)
    let layered = try server.makeSession(#"{"overlays": ["checkout/down"]}"#)
    #expect(try server.ask("GET", "/~\(layered)/two").status == 503)
    let missing = try server.ask("POST", "/__stubdb/sessions", #"{"scenario": "checkout/dwn"}"#)
    #expect(missing.status == 404 && missing.text("nearest") == "checkout/down")
  }

  @Test func aServerNeedsNoScenarioOfItsOwn() throws {
    let catalog = try TestCatalog(Self.document)
    let server = try TestServer(
      catalog: catalog, scenario: nil, ports: [.init(port: 0, scenario: "shop")])
    #expect(try server.ask("GET", "/two").text("detail").contains("POST /__stubdb/sessions"))
    #expect(try server.ask("POST", "/__stubdb/sessions").text("pointer") == "")
    let id = try server.makeSession(#"{"scenario": "shop"}"#)
    #expect(try server.ask("GET", "/~\(id)/two").text == "1")
    let client = try RawClient(port: try #require(server.server.ports.last))
    client.send("GET /two HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.read(until: "\r\n\r\n1") != nil)
    // The session of the port ends with the server, as nothing could take its place.
    for session in server.server.sessions.all {
      let isOfPort = session.id != id
      #expect(
        try server.ask("DELETE", "/__stubdb/sessions/\(session.id)").status
          == (isOfPort ? 409 : 200))
    }
    client.send("GET /two HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.read(until: "\r\n\r\n2") != nil)
  }
}
#endif
