#if Server
import StubDBServer
import Testing

/// Keeps pages of the web and other machines away from the admin API.
@Suite struct GuardTests {
  static let document =
    #"{"scenario": "shop", "stubs": [{"key": "any", "responses": [{"text": "stub"}]}]}"#

  struct Case: Sendable, CustomStringConvertible {
    var description: String
    var method = "GET"
    var path = "/__stubdb/version"
    var fields: [String]
    var content = ""
    var status: Int
  }

  static let cases: [Case] = [
    .init(description: "loopback", fields: ["Host: 127.0.0.1:8080"], status: 200),
    .init(description: "loopback of IPv6", fields: ["Host: [::1]:8080"], status: 200),
    .init(description: "localhost", fields: ["Host: localhost:8080"], status: 200),
    .init(description: "below localhost", fields: ["Host: k3f9.localhost"], status: 200),
    .init(description: "an allowed name", fields: ["Host: Stubs.test"], status: 200),
    .init(
      description: "a name that was made to point here", fields: ["Host: evil.test"], status: 403),
    .init(
      description: "a name that looks like loopback", fields: ["Host: 127.0.0.1.evil.test"],
      status: 403),
    .init(description: "a sign in an address", fields: ["Host: 127.0.0.+1"], status: 403),
    .init(description: "a zero in an address", fields: ["Host: 127.0.0.01"], status: 403),
    .init(
      description: "another origin behind the own one",
      fields: ["Host: localhost:1", "Origin: http://localhost:1", "Origin: http://evil.test"],
      status: 403),
    .init(
      description: "another site behind the own one",
      fields: ["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"], status: 403),
    .init(
      description: "two types", method: "POST", path: "/__stubdb/sessions",
      fields: ["Content-Type: application/json", "Content-Type: text/plain"], content: "{}",
      status: 415),
    .init(description: "an address that is not loopback", fields: ["Host: 10.0.0.1"], status: 403),
    .init(
      description: "its own origin", fields: ["Host: localhost:1", "Origin: http://localhost:1"],
      status: 200),
    .init(description: "another origin", fields: ["Origin: http://evil.test"], status: 403),
    .init(
      description: "another port", fields: ["Host: localhost:1", "Origin: http://localhost:2"],
      status: 403),
    .init(description: "no origin to speak of", fields: ["Origin: null"], status: 403),
    .init(description: "typed by a person", fields: ["Sec-Fetch-Site: none"], status: 200),
    .init(description: "its own page", fields: ["Sec-Fetch-Site: same-origin"], status: 200),
    .init(
      description: "a page of another site", fields: ["Sec-Fetch-Site: cross-site"], status: 403),
    .init(
      description: "a page of another port", fields: ["Sec-Fetch-Site: same-site"], status: 403),
    .init(description: "a question before", method: "OPTIONS", fields: [], status: 403),
    .init(
      description: "a form", method: "POST", path: "/__stubdb/sessions",
      fields: ["Content-Type: text/plain"], content: "{}", status: 415),
    .init(
      description: "JSON with a charset", method: "POST", path: "/__stubdb/sessions",
      fields: ["Content-Type: application/json; charset=utf-8"], content: "{}", status: 201),
    .init(description: "an unknown route", path: "/__stubdb/nothing", fields: [], status: 404),
    .init(description: "the page", path: "/__stubdb", fields: [], status: 200),
    .init(description: "a method that is not there", method: "PUT", fields: [], status: 405),
    .init(
      description: "a path that only begins so", path: "/__stubdbs/version",
      fields: ["Host: evil.test"], status: 200),
  ]

  @Test(arguments: cases)
  func onlyTheOwnMachineAsks(_ row: Case) throws {
    var options = ServerOptions()
    options.admin?.hosts = ["stubs.test"]
    let server = try TestServer(Self.document, options: options)
    let result = try server.ask(row.method, row.path, row.content, fields: row.fields)
    #expect(result.status == row.status, "\(result)")
    #expect(!result.fields.keys.contains { $0.hasPrefix("access-control") })
    // Nothing of the API falls through to the scenario.
    #expect((result.text == "stub") == row.path.hasPrefix("/__stubdbs"))
  }

  @Test(arguments: [
    ("http://127.0.0.1:8080/__stubdb/version", 200, false),
    ("HTTP://localhost/__stubdb/version", 200, false),
    ("http://evil.test/__stubdb/version", 200, true),
    ("http://localhost@evil.test/__stubdb/version", 200, true),
  ])
  func anAbsoluteTargetCountsMoreThanTheHost(
    _ target: String, _ status: Int, _ isOfStub: Bool
  ) throws {
    let server = try TestServer(Self.document)
    let text = try server.exchange("GET \(target) HTTP/1.1\r\nHost: elsewhere.test\r\n\r\n")
    #expect(text.hasPrefix("HTTP/1.1 \(status) "))
    #expect(text.hasSuffix("\r\n\r\nstub") == isOfStub)
  }

  @Test func aLineBreakInAFieldOfATemplateIsSaid() throws {
    let server = try TestServer(
      """
      {"scenario": "echo", "stubs": [{"key": "echo", "responses": [
        {"template": true, "headers": {"X-Echo": "{{request.query.x}}"}, "text": "ok"}]}]}
      """)
    let text = try server.exchange(
      "GET /echo?x=a%0d%0aSet-Cookie:%20y=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(text.hasPrefix("HTTP/1.1 500 ") && !text.contains("\r\nSet-Cookie"), "\(text)")
    #expect(text.contains("cannot be filled in"), "\(text)")
  }

  @Test func aTokenIsAskedForOfAllButTheHealth() throws {
    var options = ServerOptions()
    options.admin?.token = "secret"
    let server = try TestServer(Self.document, options: options)
    let path = "/__stubdb/sessions"
    #expect(try server.ask("GET", path).status == 401)
    #expect(try server.ask("GET", path).fields["www-authenticate"] == "Bearer")
    for wrong in ["secre", "secrets", "", "Secret"] {
      #expect(try server.ask("GET", path, fields: ["Authorization: Bearer \(wrong)"]).status == 401)
    }
    #expect(try server.ask("GET", path, fields: ["Authorization: Bearer secret"]).status == 200)
    #expect(try server.ask("GET", "/__stubdb/health").status == 200)
    #expect(try server.ask("GET", "/__stubdb/health", host: "evil.test").status == 403)
  }

  @Test func aPageGetsACookieForTheToken() throws {
    var options = ServerOptions()
    options.admin?.token = "secret"
    let server = try TestServer(Self.document, options: options)
    let (path, host) = ("/__stubdb/login", "Host: localhost:8081")
    for (content, status) in [
      (#"{"token": "Secret"}"#, 401), ("{}", 422), ("{", 400), (#"{"token": 1}"#, 422),
    ] {
      let refused = try server.ask("POST", path, content, fields: [host])
      #expect(refused.status == status && refused.fields["set-cookie"] == nil)
    }
    let foreign = ["Host: localhost:8081", "Origin: http://localhost:8082"]
    #expect(try server.ask("POST", path, #"{"token": "secret"}"#, fields: foreign).status == 403)
    let given = try server.ask("POST", path, #"{"token": "secret"}"#, fields: [host])
    let cookie = try #require(given.fields["set-cookie"])
    #expect(given.status == 204 && cookie.hasPrefix("stubdb-8081="))
    #expect(cookie.hasSuffix("; Path=/__stubdb; HttpOnly; SameSite=Strict"))
    #expect(!cookie.contains("secret"))
    let pair = cookie.prefix { $0 != ";" }
    func status(_ cookies: String, _ host: String = "localhost:8081") throws -> Int {
      try server.ask("GET", "/__stubdb/version", fields: ["Host: \(host)", "Cookie: \(cookies)"])
        .status
    }
    #expect(try status("a=b; \(pair)") == 200)
    #expect(try status("\(pair)x") == 401 && status("stubdb-8081=") == 401)
    #expect(try status("stubdb-8081=secret") == 401)
    // That of a server on another port, and one that another site sends along.
    #expect(try status(String(pair), "localhost:8082") == 401)
    #expect(try status(String(pair), "evil.test") == 403)
    // Without a token there is nothing to log in to.
    let open = try TestServer(Self.document).ask("POST", path, #"{"token": "any"}"#)
    #expect(open.status == 204 && open.fields["set-cookie"] == nil)
  }

  @Test func beyondLoopbackATokenIsMadeAndNothingIsWritten() {
    for host in ["127.0.0.1", "localhost", "::1"] {
      let access = AdminGuard(AdminOptions(), host: host)
      #expect(access.token == nil && !access.isReadOnly)
    }
    let (one, other) = (
      AdminGuard(AdminOptions(), host: "0.0.0.0"), AdminGuard(AdminOptions(), host: "::")
    )
    #expect(one.isReadOnly && other.isReadOnly)
    #expect((one.token?.count ?? 0) >= 16 && one.token != other.token)
  }

  @Test func aReadOnlyServerChangesNoCatalog() throws {
    var options = ServerOptions()
    options.admin?.isReadOnly = true
    let server = try TestServer(Self.document, options: options)
    for method in ["PUT", "DELETE"] {
      let result = try server.ask(method, "/__stubdb/scenarios/a", fields: ["If-Match: *"])
      #expect(result.status == 403 && result.text("type") == "urn:stubdb:problem:read-only")
    }
    #expect(try server.ask("POST", "/__stubdb/sessions").status == 201)
  }

  @Test func theAPICanHaveAPortOfItsOwnOrBeAbsent() throws {
    var options = ServerOptions()
    options.admin?.port = 0
    let server = try TestServer(Self.document, options: options)
    #expect(try server.ask("GET", "/__stubdb/version").text == "stub")
    let own = try RawClient(port: try #require(server.server.adminPort))
    own.send(
      "GET /__stubdb/health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"
    )
    own.sendEnd()
    let text = String(decoding: own.read().bytes, as: UTF8.self)
    #expect(text.contains("\"up\"") && text.contains("HTTP/1.1 404 "))
    options.admin = nil
    let none = try TestServer(Self.document, options: options)
    #expect(try none.ask("GET", "/__stubdb/version").text == "stub")
  }
}
#endif
