#if Server
import StubDBEngine
import StubDBJSON
import StubDBPlayback
import StubDBServer
import Testing

/// Pages of other origins may use stubs, and nothing else.
@Suite struct CrossOriginTests {
  private static let document = """
    {"scenario": "shop", "stubs": [
      {"key": "me", "request": {"method": "GET", "url": "/me"},
       "responses": [{"headers": {"X-Total": "3", "Vary": "Accept"}, "json": {"name": "Ada"}}]},
      {"key": "pay", "request": {"url": "/pay"}, "then": "fail",
       "responses": [{"status": 402, "text": "no"}]},
      {"key": "own", "request": {"url": "/own"},
       "responses": [{"headers": {"Access-Control-Allow-Origin": "https://shop.test"}, "text": "own"}]},
      {"key": "asked", "request": {"method": "OPTIONS", "url": "/asked"},
       "responses": [{"status": 200, "text": "mine"}]}]}
    """
  private static let page = "Origin: http://localhost:5173"

  private static func permissions(_ result: AdminResult) -> [String: String] {
    result.fields.filter { $0.key.hasPrefix("access-control-") }
  }

  @Test func aPageReadsAnswersAndTheReportOnAMiss() throws {
    let server = try TestServer(Self.document)
    let me = try server.ask("GET", "/me", fields: [Self.page])
    #expect(
      Self.permissions(me) == [
        "access-control-allow-origin": "http://localhost:5173",
        "access-control-allow-credentials": "true", "access-control-expose-headers": "X-Total",
      ])
    // The stub's own field stays, in a line of its own.
    let text = try server.exchange("GET /me HTTP/1.1\r\nHost: a\r\n\(Self.page)\r\n\r\n")
    #expect(text.contains("Vary: Accept\r\n") && text.contains("Vary: Origin\r\n"))
    let miss = try server.ask("GET", "/nowhere", fields: ["Origin: null"])
    #expect(miss.status == 404 && miss.fields["access-control-allow-origin"] == "null")
    #expect(miss.fields["access-control-expose-headers"] == "StubDB-Unmatched")
    let large = try server.ask(
      "GET", "/me", fields: [Self.page, "Content-Length: 100000000"])
    #expect(large.status == 413 && !Self.permissions(large).isEmpty)
  }

  @Test func otherClientsGetTheSameBytesAsWithoutIt() throws {
    var options = ServerOptions()
    options.allowsOtherOrigins = false
    let (server, closed) = (
      try TestServer(Self.document), try TestServer(Self.document, options: options)
    )
    for target in ["/me", "/own", "/nowhere", "/asked"] {
      let plain = "OPTIONS \(target) HTTP/1.1\r\nHost: shop.test\r\n\r\n"
        .replacing("OPTIONS", with: target == "/asked" ? "OPTIONS" : "GET")
      let answer = try server.exchange(plain)
      #expect(try answer == closed.exchange(plain) && !answer.contains("Access-Control-Allow-C"))
      // The report on a miss names the fields of the request.
      if target == "/nowhere" { continue }
      let foreign = plain.replacing("Host: shop.test", with: "Host: shop.test\r\n\(Self.page)")
      #expect(try closed.exchange(foreign) == answer)
    }
  }

  @Test func aPreflightIsAnsweredAndLeavesNoTrace() throws {
    let server = try TestServer(Self.document)
    let question = [
      Self.page, "Access-Control-Request-Method: POST",
      "Access-Control-Request-Headers: content-type,x-a",
    ]
    for path in ["/pay", "/nowhere", "/~aaaaaaaaaa/me"] {
      let result = try server.ask("OPTIONS", path, fields: question)
      #expect(result.status == 204 && result.text.isEmpty)
      #expect(
        Self.permissions(result) == [
          "access-control-allow-origin": "http://localhost:5173",
          "access-control-allow-credentials": "true", "access-control-allow-methods": "POST",
          "access-control-allow-headers": "content-type,x-a",
        ])
    }
    #expect(server.player.run.journal.isEmpty && server.player.problems().isEmpty)
    #expect(server.log.map(\.remark) == ["preflight", "preflight", "preflight"])
    // The sequence of a stub for any method begins with what the page asks.
    #expect(try server.ask("POST", "/pay", fields: [Self.page]).status == 402)
    // Without the question it is an ordinary request.
    #expect(try server.ask("OPTIONS", "/nowhere", fields: [Self.page]).status == 404)
    #expect(server.player.run.journal.count == 2)
  }

  @Test func aStubDecidesItself() throws {
    let server = try TestServer(Self.document)
    let own = try server.ask("GET", "/own", fields: [Self.page])
    #expect(Self.permissions(own) == ["access-control-allow-origin": "https://shop.test"])
    #expect(own.fields["vary"] == nil)
    let asked = try server.ask(
      "OPTIONS", "/asked", fields: [Self.page, "Access-Control-Request-Method: GET"])
    #expect(asked.status == 200 && asked.text == "mine")
    #expect(asked.fields["access-control-allow-origin"] == "http://localhost:5173")
  }

  @Test func aRedirectToTheScenariosHostStaysWithTheServer() throws {
    let server = try TestServer(
      #"{"scenario": "shop", "stubs": [{"key": "a", "request": {"url": "https://api.test/a"}, "responses": [{"status": 302, "headers": {"Location": "https://api.test/b"}}]}]}"#
    )
    let host = "127.0.0.1:\(server.server.port)"
    let answer = try server.ask("GET", "/a", fields: [Self.page], host: host)
    // To another origin the browser would go on with the origin null.
    #expect(answer.fields["location"] == "http://\(host)/b")
    #expect(
      Self.permissions(answer) == [
        "access-control-allow-origin": "http://localhost:5173",
        "access-control-allow-credentials": "true", "access-control-expose-headers": "Location",
      ])
  }

  @Test func answersOfOtherServersAreLeftToThem() throws {
    var options = ServerOptions()
    options.allowsOtherOrigins = false
    let upstream = try TestServer(Self.document, options: options)
    let port = upstream.server.port
    let document =
      #"{"scenario": "shop", "stubs": [{"key": "pass", "request": {"url": "http://127.0.0.1:\#(port)/me"}, "#
      + #""responses": [{"passthrough": true}]}]}"#
    (options.allowsOtherOrigins, options.isProxy) = (true, true)
    let closed = try TestServer(document, options: options)
    options.forwarding.allowsPassthrough = true
    options.forwarding.allowsPrivateUpstreams = true
    let server = try TestServer(document, options: options)
    let question = [Self.page, "Access-Control-Request-Method: POST"]

    let passed = try server.ask("GET", "/me", fields: [Self.page])
    #expect(passed.text.contains("Ada") && Self.permissions(passed).isEmpty)
    #expect(try server.ask("OPTIONS", "/me", fields: question).status == 204)
    // The host of no stub: a proxy has no part in what a page asks it.
    let other = "http://localhost:\(port)/me"
    let foreign = try server.ask("GET", other, fields: [Self.page])
    #expect(foreign.text.contains("Ada") && Self.permissions(foreign).isEmpty)
    let asked = try server.ask("OPTIONS", other, fields: question)
    #expect(asked.status == 404 && Self.permissions(asked).isEmpty)
    let refused = try closed.ask("OPTIONS", other, fields: question)
    #expect(refused.status == 502 && Self.permissions(refused).isEmpty)
    // What the server says itself, a page may read.
    let own = try closed.ask("GET", "/me", fields: [Self.page])
    #expect(own.status == 502 && !Self.permissions(own).isEmpty)
  }

  @Test func theAdminAPIStaysClosed() throws {
    let server = try TestServer(catalog: try TestCatalog(Self.document), scenario: "shop")
    let question = [Self.page, "Access-Control-Request-Method: GET"]
    for path in ["/__stubdb/sessions", "/__admin/mappings", "/__stubdb/nothing", "/__stubdb"] {
      for (method, fields) in [("GET", [Self.page]), ("OPTIONS", question)] {
        let result = try server.ask(method, path, fields: fields)
        #expect(result.status == 403 && Self.permissions(result).isEmpty, "\(method) \(path)")
      }
    }
    let large = try server.ask(
      "POST", "/__stubdb/nothing", fields: [Self.page, "Content-Length: 100000000"])
    #expect(large.status == 413 && Self.permissions(large).isEmpty)
    #expect(try server.ask("OPTIONS", "/__stubdb/sessions").status == 403)
  }

  @Test func aServerOrASessionCanKeepPagesOut() throws {
    var options = ServerOptions()
    options.allowsOtherOrigins = false
    let server = try TestServer(
      catalog: try TestCatalog(Self.document), scenario: "shop", options: options)
    #expect(Self.permissions(try server.ask("GET", "/me", fields: [Self.page])).isEmpty)
    let id = try server.makeSession(#"{"cors": true}"#)
    #expect(!Self.permissions(try server.ask("GET", "/~\(id)/me", fields: [Self.page])).isEmpty)
    let changed = try server.ask("PATCH", "/__stubdb/sessions/\(id)", #"{"cors": false}"#)
    #expect(changed["cors"] == false)
    #expect(Self.permissions(try server.ask("GET", "/~\(id)/me", fields: [Self.page])).isEmpty)
    #expect(try server.ask("GET", "/__stubdb/sessions/default")["cors"] == false)
  }
}
#endif
