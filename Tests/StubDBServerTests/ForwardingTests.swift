#if Server
import Foundation
import HTTPTypes
import NIOHTTP1
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServing
import StubDBSupport
import StubDBTestSupport
import Testing

@testable import StubDBServer

@Suite struct ForwardingTests {
  /// What one message of HTTP is between servers on loopback.
  private static func options(
    _ change: (inout ServerOptions) -> Void = { _ in }
  ) -> ServerOptions {
    var options = ServerOptions()
    options.forwarding.allowsPassthrough = true
    options.forwarding.allowsPrivateUpstreams = true
    options.passesUnmatchedOn = true
    change(&options)
    return options
  }

  private static func upstream(_ stubs: String) throws -> TestServer {
    try TestServer(#"{"scenario": "upstream", "stubs": [\#(stubs)]}"#)
  }

  /// A server that stands for another one on this machine.
  private static func server(
    for port: Int, _ stubs: String = #"{"key": "own", "request": {"path": "/own"}}"#,
    _ options: ServerOptions = options()
  ) throws -> TestServer {
    let origin = try #require(OriginMap.Rule("http://127.0.0.1:\(port)"))
    return try TestServer(
      #"{"scenario": "shop", "stubs": [\#(stubs)]}"#, origins: [origin], options: options)
  }

  private static let passing =
    #"{"key": "pass", "request": {"path": "/p"}, "responses": [{"passthrough": true}]}"#

  @Test func nothingIsForwardedWithoutItsFlag() async throws {
    let upstream = try Self.upstream(#"{"key": "a"}"#)
    let port = upstream.server.port
    let calling =
      #"{"key": "call", "request": {"path": "/c"}, "responses": [{"callbacks": [{"request": {"url": "http://127.0.0.1:\#(port)/hook"}}]}]}"#
    var options = ServerOptions()
    options.passesUnmatchedOn = true
    options.isProxy = true
    options.forwarding.allowsPrivateUpstreams = true
    let server = try Self.server(for: port, "\(Self.passing), \(calling)", options)
    #expect(try server.ask("GET", "/p").status == 502)
    #expect(try server.ask("GET", "/nowhere").status == 502)
    #expect(try server.ask("GET", "http://other.test/").status == 502)
    #expect(try server.ask("CONNECT", "127.0.0.1:\(port)").status == 502)
    #expect(try server.ask("GET", "/c").status == 200)
    let outcomes = await server.server.allCallbacks().map(\.outcome)
    #expect(
      outcomes == [.refused(reason: "Callbacks are sent only with --allow-callbacks")])
    #expect(upstream.player.run.journal.isEmpty && upstream.server.connectionCount == 0)
  }

  @Test func aRequestArrivesAsItWasSentAndSoDoesTheAnswer() throws {
    let upstream = try Self.upstream(
      #"{"key": "a", "responses": [{"status": 207, "headers": {"X-Answer": ["1", "2"]}, "text": "there"}]}"#
    )
    let server = try Self.server(for: upstream.server.port, Self.passing)
    let answer = try server.ask(
      "PATCH", "/p?a=1&b=%2F", "[1]",
      fields: [
        "x-Own: kept", "Connection: x-gone", "X-Gone: 1", "TE: trailers",
        "Proxy-Authorization: Basic eA==", "Accept-Encoding: gzip",
      ])
    #expect(answer.status == 207 && answer.text == "there")
    #expect(answer.fields["x-answer"] == "2")
    #expect(answer.fields["via"]?.contains("stubdb") == true)
    let request = try #require(upstream.player.run.journal.first?.request)
    #expect(request.method == "PATCH" && request.text == "[1]")
    #expect(request.url.hasSuffix("/p?a=1&b=%2F"))
    let names = request.headers.map(\.name.rawName)
    #expect(
      names == [
        "Host", "Content-Type", "x-Own", "Accept-Encoding", "Content-Length", "Via", "Connection",
      ])
    #expect(request.headers["Host"] == "127.0.0.1:\(upstream.server.port)")
    let entry = try server.ask("GET", "/__stubdb/sessions/default/journal/1")
    #expect(entry.text("/remark") == "http://127.0.0.1:\(upstream.server.port) answered 207")
  }

  @Test func whatIsAboutAConnectionStaysThere() throws {
    let upstream = try LoopbackServer { _ in
      "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nConnection: close, X-Hop\r\n"
        + "X-Hop: 1\r\nKeep-Alive: timeout=5\r\nX-End: 1\r\n\r\nuntil the end"
    }
    let server = try Self.server(for: upstream.port, Self.passing)
    let answer = try server.exchange("GET /p HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n")
    let head = answer.replacing("HTTP/1.1 100 Continue\r\n\r\n", with: "")
    #expect(head.hasPrefix("HTTP/1.1 200") && head.contains("X-End: 1\r\n"))
    #expect(!head.contains("X-Hop") && !head.contains("Keep-Alive") && !head.contains("Link"))
    #expect(head.contains("Transfer-Encoding: chunked") && head.contains("until the end"))
    #expect(upstream.requests.first?.headers["expect"] == nil)
  }

  @Test func whatNoStubAnswersIsPassedOn() throws {
    let upstream = try Self.upstream(#"{"key": "a", "responses": [{"text": "from there"}]}"#)
    let server = try Self.server(for: upstream.server.port)
    #expect(try server.ask("GET", "/own").text == "")
    #expect(try server.ask("GET", "/other").text == "from there")
    #expect(upstream.player.run.journal.map(\.request.url).map { $0.hasSuffix("/other") } == [true])
    #expect(server.player.problems().isEmpty)
  }

  @Test func privateAddressesNeedTheirFlag() throws {
    let upstream = try Self.upstream(#"{"key": "a"}"#)
    let options = Self.options { $0.forwarding.allowsPrivateUpstreams = false }
    let server = try Self.server(for: upstream.server.port, Self.passing, options)
    let answer = try server.ask("GET", "/p")
    #expect(answer.status == 502 && answer.fields["stubdb-upstream-error"] == "privateAddress")
    #expect(answer.fields["content-type"] == "application/problem+json")
    #expect(answer.text("/detail").contains("--allow-private-upstream"))
    #expect(upstream.player.run.journal.isEmpty)
  }

  @Test(arguments: [
    (#"{"fault": "never"}"#, 504, "timedOut"),
    (#"{"fault": "garbage"}"#, 502, "cannotParseResponse"),
    (#"{"fault": "emptyResponse"}"#, 502, "networkConnectionLost"),
    (#"{"fault": "connectionReset"}"#, 502, "networkConnectionLost"),
  ])
  func failuresOfTheOtherServerAreNamed(response: String, status: Int, name: String) throws {
    let upstream = try Self.upstream(#"{"key": "a", "responses": [\#(response)]}"#)
    let options = Self.options { $0.forwarding.answerTimeout = .milliseconds(300) }
    let server = try Self.server(for: upstream.server.port, Self.passing, options)
    let answer = try server.ask("GET", "/p")
    #expect(answer.status == status && answer.fields["stubdb-upstream-error"] == name, "\(answer)")
    let entry = try server.ask("GET", "/__stubdb/sessions/default/journal/1")
    #expect(entry.text("/remark").hasSuffix("failed: \(name)"))
  }

  @Test func aServerThatIsNotThereIsNamed() throws {
    let port = try Self.upstream(#"{"key": "a"}"#).server.port
    let answer = try Self.server(for: port, Self.passing).ask("GET", "/p")
    #expect(
      answer.status == 502 && answer.fields["stubdb-upstream-error"] == "cannotConnectToHost")
  }

  @Test func anAnswerThatBreaksOffBreaksOff() throws {
    let upstream = try Self.upstream(
      #"{"key": "a", "responses": [{"text": "0123456789", "fault": "truncated"}]}"#)
    let server = try Self.server(for: upstream.server.port, Self.passing)
    let answer = try server.exchange("GET /p HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(answer.contains("Content-Length: 10\r\n") && answer.hasSuffix("\r\n\r\n01234"))
  }

  @Test func aRequestOfManyHopsIsStopped() throws {
    let upstream = try Self.upstream(#"{"key": "a"}"#)
    let server = try Self.server(for: upstream.server.port, Self.passing)
    let hops = (0..<5).map { "Via: 1.1 stubdb (\($0)), 1.1 other" }
    #expect(try server.ask("GET", "/p", fields: Array(hops.dropFirst())).status == 200)
    let answer = try server.ask("GET", "/p", fields: hops)
    #expect(answer.status == 508 && answer.fields["stubdb-upstream-error"] == "loop")
  }

  @Test func aServerThatStandsForItselfNoticesIt() throws {
    let stub = #"{"key": "pass", "responses": [{"passthrough": true}]}"#
    let server = try TestServer(
      #"{"scenario": "shop", "stubs": [\#(stub)]}"#, options: Self.options { $0.isProxy = true })
    let own = "http://127.0.0.1:\(server.server.port)/p"
    let answer = try server.ask("GET", own)
    #expect(answer.status == 508 && answer.fields["stubdb-upstream-error"] == "loop", "\(answer)")
  }

  @Test func largeContentGoesBothWays() throws {
    let upstream = try Self.upstream(
      #"{"key": "a", "responses": [{"template": true, "text": "{{request.body}}"}]}"#)
    let server = try Self.server(for: upstream.server.port, Self.passing)
    let content = String(repeating: "0123456789abcdef", count: 50_000)
    let client = try server.client(receiveBuffer: 4_096)
    client.send("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: \(content.utf8.count)\r\n\r\n")
    client.send(content)
    client.sendEnd()
    let (bytes, _) = client.read()
    #expect(WireAnswer(bytes)?.text == content)
    #expect(upstream.player.run.journal.first?.request.text == content)
  }

  @Test func anAnswerWithoutALengthIsFramedForItsClient() throws {
    let upstream = try Self.upstream(
      #"{"key": "a", "responses": [{"headers": {"Transfer-Encoding": "chunked"}, "chunks": [{"text": "one "}, {"text": "two", "after": "1ms"}]}]}"#
    )
    let server = try Self.server(for: upstream.server.port, Self.passing)
    let new = try server.exchange("GET /p HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(new.contains("Transfer-Encoding: chunked") && new.hasSuffix("3\r\ntwo\r\n0\r\n\r\n"))
    let old = try server.exchange("GET /p HTTP/1.0\r\n\r\n")
    #expect(old.hasSuffix("\r\n\r\none two") && !old.contains("chunked"))
    let head = try server.exchange("HEAD /p HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(head.hasSuffix("\r\n\r\n") && head.hasPrefix("HTTP/1.1 200"))
  }

  #if !TLS
  @Test func httpsNeedsTLS() throws {
    let server = try TestServer(
      #"{"scenario": "shop", "stubs": [{"key": "p", "request": {"url": "https://api.test/p"}, "responses": [{"passthrough": true}]}]}"#,
      options: Self.options())
    let answer = try server.ask("GET", "/p")
    #expect(answer.status == 502)
    #expect(answer.fields["stubdb-upstream-error"] == "secureConnectionFailed")
    #expect(answer.text("/detail").contains("--traits TLS"))
  }
  #endif

  @Test func aRequestWithoutAnOriginSaysWhatToDo() throws {
    let server = try TestServer(
      #"{"scenario": "shop", "stubs": [\#(Self.passing)]}"#, options: Self.options())
    let answer = try server.ask("GET", "/p")
    #expect(answer.status == 502 && answer.text("/detail").contains("--origin"))
  }

  // MARK: The proxy

  @Test func aProxyAnswersForTheScenarioAndPassesOthersOn() throws {
    let upstream = try Self.upstream(#"{"key": "a", "responses": [{"text": "there"}]}"#)
    let server = try TestServer(
      #"{"scenario": "shop", "stubs": [{"key": "own", "request": {"url": "http://api.test/x"}, "responses": [{"text": "here"}]}]}"#,
      options: Self.options {
        $0.isProxy = true
        $0.passesUnmatchedOn = false
      })
    #expect(try server.ask("GET", "http://api.test/x", host: "api.test").text == "here")
    #expect(try server.ask("GET", "http://api.test/y", host: "api.test").status == 404)
    let other = "http://127.0.0.1:\(upstream.server.port)/z?q"
    #expect(try server.ask("GET", other).text == "there")
    #expect(upstream.player.run.journal.map(\.request.url).map { $0.hasSuffix("/z?q") } == [true])
    // What goes to other hosts is no part of the scenario.
    #expect(server.player.run.journal.count == 2)
  }

  @Test func aProxyIsCalledByHttpForWhatTheScenarioHasByHttps() throws {
    let server = try TestServer(
      #"""
      {"scenario": "shop", "stubs": [
        {"key": "s", "request": {"url": "https://api.test/x"}, "responses": [{"text": "secure"}]},
        {"key": "b1", "request": {"url": "https://both.test/x"}, "responses": [{"text": "secure"}]},
        {"key": "b2", "request": {"url": "http://both.test/x"}, "responses": [{"text": "plain"}]}]}
      """#, options: Self.options { $0.isProxy = true })
    #expect(try server.ask("GET", "http://api.test/x", host: "api.test").text == "secure")
    #expect(try server.ask("GET", "http://api.test:80/x", host: "api.test").text == "secure")
    #expect(try server.ask("GET", "http://both.test/x", host: "both.test").text == "plain")
  }

  @Test(arguments: [
    (["chunked"], true), (["Chunked"], true), ([], true), (["gzip"], false),
    (["gzip, chunked"], false), (["gzip", "chunked"], false),
  ])
  func onlyContentInChunksIsUnderstood(codings: [String], isKnown: Bool) {
    let headers = HTTPHeaders(codings.map { ("Transfer-Encoding", $0) })
    let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
    #expect(head.hasKnownCoding == isKnown)
  }

  @Test func aClientOfAProxyNamesItsSession() throws {
    let catalog = try TestCatalog(
      #"{"scenario": "a", "stubs": [{"key": "a", "request": {"url": "http://a.test/x"}}]}"#,
      #"{"scenario": "b", "stubs": [{"key": "b", "request": {"url": "http://b.test/x"}, "responses": [{"text": "b"}]}]}"#
    )
    var options = ServerOptions()
    options.isProxy = true
    let server = try TestServer(catalog: catalog, scenario: "a", options: options)
    let id = try server.makeSession(#"{"scenario": "b"}"#)
    let field = "Proxy-Authorization: Basic \(Data("\(id):".utf8).base64EncodedString())"
    let answer = try server.ask("GET", "http://b.test/x", fields: [field], host: "b.test")
    #expect(answer.text == "b")
    #expect(try server.ask("GET", "http://b.test/x", host: "b.test").status == 502)
  }

  @Test func aTunnelIsOpenedToOtherHosts() throws {
    let content = String(repeating: "x", count: 300_000)
    let upstream = try Self.upstream(
      #"{"key": "a", "responses": [{"template": true, "text": "{{request.body}}"}]}"#)
    let server = try TestServer(
      #"{"scenario": "shop", "stubs": [{"key": "own", "request": {"url": "https://api.test/x"}}]}"#,
      options: Self.options { $0.isProxy = true })
    let client = try server.client(receiveBuffer: 4_096)
    let host = "127.0.0.1:\(upstream.server.port)"
    // The first request is sent with the head that asks for the tunnel.
    client.send("CONNECT \(host) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    client.send(
      "POST /in HTTP/1.1\r\nHost: a\r\nContent-Length: \(content.utf8.count)\r\n\r\n\(content)")
    client.sendEnd()
    let (bytes, ending) = client.read()
    // The end of the client's half has come through, and that of the other server's too.
    #expect(ending == .closed)
    let text = String(decoding: bytes, as: UTF8.self)
    let established = "HTTP/1.1 200 Connection Established\r\n\r\n"
    #expect(text.hasPrefix(established))
    #expect(WireAnswer(Data(text.dropFirst(established.count).utf8))?.text == content)
    let request = upstream.player.run.journal.first?.request
    #expect(request?.url == "/in" && request?.headers["Via"] == nil)
    #expect(try server.ask("CONNECT", "api.test:443").text("/detail").contains("https"))
    #expect(server.log.first?.status == 200 && server.log.first?.method == "CONNECT")
  }

  @Test func aTunnelToNowhereSaysSo() throws {
    let port = try Self.upstream(#"{"key": "a"}"#).server.port
    let server = try TestServer(
      #"{"scenario": "shop", "stubs": []}"#, options: Self.options { $0.isProxy = true })
    let answer = try server.ask("CONNECT", "127.0.0.1:\(port)")
    #expect(
      answer.status == 502 && answer.fields["stubdb-upstream-error"] == "cannotConnectToHost")
  }

  // MARK: Addresses

  @Test func redirectsToTheScenariosHostLeadToTheServer() throws {
    let document = #"""
      {"scenario": "shop", "stubs": [
        {"key": "own", "request": {"url": "https://api.test/own"},
         "responses": [{"status": 302, "headers": {"Location": "https://api.test/next?a=1#b"}}]},
        {"key": "other", "request": {"url": "https://api.test/other"},
         "responses": [{"status": 302, "headers": {"Location": "https://other.test/next"}}]},
        {"key": "base", "request": {"url": "https://api.test/base"},
         "responses": [{"text": "{{baseURL}}/x", "template": true}]}]}
      """#
    let catalog = try TestCatalog(document)
    let server = try TestServer(catalog: catalog, scenario: "shop")
    let (host, id) = ("127.0.0.1:\(server.server.port)", try server.makeSession())
    for prefix in ["", "/~\(id)"] {
      let own = try server.ask("GET", "\(prefix)/own", host: host)
      #expect(own.fields["location"] == "http://\(host)\(prefix)/next?a=1#b")
      let base = try server.ask("GET", "\(prefix)/base", host: host)
      #expect(base.text == "http://\(host)\(prefix)/x")
    }
    #expect(
      try server.ask("GET", "/other", host: host).fields["location"] == "https://other.test/next")
    // A client that calls the host itself finds it.
    let named = try server.ask("GET", "/own", host: "api.test")
    #expect(named.fields["location"] == "https://api.test/next?a=1#b")
    #expect(try server.ask("GET", "/base", host: "api.test").text == "https://api.test/x")
  }
}
#endif
