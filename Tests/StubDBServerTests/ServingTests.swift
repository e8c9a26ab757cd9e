#if Server
import Dispatch
import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServer
import StubDBServing
import StubDBSupport
import Testing

@Suite struct ServingTests {
  private static func get(_ path: String, host: String = "127.0.0.1", _ field: String = "")
    -> String
  {
    "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(field)\r\n"
  }

  /// A scenario whose stubs answer at these URLs with their keys, which are the URLs.
  private static func document(_ urls: String...) -> String {
    let stubs = urls.map {
      #"{"key": "\#($0)", "request": {"url": "\#($0)"}, "responses": [{"text": "\#($0)"}]}"#
    }
    return #"{"scenario": "shop", "stubs": [\#(stubs.joined(separator: ", "))]}"#
  }

  // MARK: Origins

  @Test(arguments: [
    // The only origin of the scenario.
    (["https://api.test/a"], [], "/a", "127.0.0.1:8080", "https://api.test/a"),
    // The host that a field names, whatever the port.
    (
      ["https://api.test/a", "https://pay.test/a"], [], "/a", "PAY.test:8080", "https://pay.test/a"
    ),
    (
      ["http://api.test:81/a", "http://api.test:82/a"], [], "/a", "api.test:82",
      "http://api.test:82/a"
    ),
    // What the command line says.
    (
      ["https://api.test/a", "https://pay.test/a"], ["https://pay.test"], "/a", "localhost:1",
      "https://pay.test/a"
    ),
    (
      ["https://api.test/pay/a", "https://pay.test/pay/a"],
      ["https://api.test", "path=/pay/=https://pay.test"], "/pay/a", "localhost:1",
      "https://pay.test/pay/a"
    ),
    // Any, in the order in which stubs answer.
    (
      ["https://api.test/a", "https://pay.test/b", "https://pay.test/a"], [], "/a", "[::1]:8080",
      "https://api.test/a"
    ),
    // An absolute target counts more than the field.
    (
      ["https://api.test/a", "https://pay.test/a"], [], "https://pay.test/a", "api.test",
      "https://pay.test/a"
    ),
    (["https://api.test/a"], [], "http://127.0.0.1:8080/a", "127.0.0.1:8080", "https://api.test/a"),
  ])
  func aRequestStandsForOneToTheScenariosHost(
    _ urls: [String], _ rules: [String], _ target: String, _ host: String, _ expected: String
  ) throws {
    let stubs = urls.map {
      #"{"key": "\#($0)", "request": {"url": "\#($0)"}, "responses": [{"text": "\#($0)"}]}"#
    }
    let document = #"{"scenario": "shop", "stubs": [\#(stubs.joined(separator: ", "))]}"#
    let server = try TestServer(
      document, origins: try rules.map { try #require(OriginMap.Rule($0)) })
    let answer = try server.exchange(Self.get(target, host: host))
    #expect(answer.hasSuffix("\r\n\r\n\(expected)"), "\(answer)")
  }

  // MARK: Unmatched requests

  @Test func anUnmatchedRequestGetsTheReport() throws {
    let server = try TestServer(Self.document("https://api.test/charges"))
    let text = try server.exchange(Self.get("/charge"))
    #expect(text.hasPrefix("HTTP/1.1 404 Not Found\r\nContent-Type: text/plain; charset=utf-8\r\n"))
    #expect(text.contains("\r\nStubDB-Unmatched: 1\r\n"))
    #expect(text.contains("No stub of scenario \"shop\" answers\n  GET https://api.test/charge\n"))
    let problem = try server.exchange(
      Self.get("/charge", "Accept: application/problem+json\r\n"))
    #expect(problem.contains("\r\nContent-Type: application/problem+json\r\n"))
    #expect(problem.contains(#""nearest":[{"key":"https://api.test/charges","#))
    #expect(server.player.problems().map(\.kind) == [.unmatchedRequest, .unmatchedRequest])
  }

  @Test func theStatusForUnmatchedRequestsCanBeChosen() throws {
    var options = ServerOptions()
    options.unmatchedStatus = 501
    let server = try TestServer(Self.document("https://api.test/a"), options: options)
    #expect(try server.exchange(Self.get("/b")).hasPrefix("HTTP/1.1 501 Not Implemented\r\n"))
  }

  // MARK: Memory

  @Test func aClientThatDoesNotReadIsNotAnsweredAhead() throws {
    let stub = Stub(
      key: "big", responses: [StubResponse(body: .text(String(repeating: "x", count: 1 << 20)))])
    let server = try TestServer(
      try LoadedScenario(Scenario(name: try #require(ScenarioName("big")), stubs: [stub])))
    let client = try server.client(receiveBuffer: 64 << 10)
    client.send(String(repeating: Self.get("/"), count: 500))
    // Once a part of the first answer is here, the server has had its chance to answer all of them.
    _ = client.read(atLeast: 256 << 10)
    #expect(server.player.run.journal.count < 20)
    _ = client.read(atLeast: 30 << 20)
    #expect(server.player.run.journal.count < 60)
  }

  @Test func largeContentArrivesWhole() throws {
    let content = String((0..<3_000_000).map { Character(UnicodeScalar(UInt8(97 + $0 % 26))) })
    let stub = Stub(key: "big", responses: [StubResponse(body: .text(content))])
    let server = try TestServer(
      try LoadedScenario(Scenario(name: try #require(ScenarioName("big")), stubs: [stub])))
    let text = try server.exchange(Self.get("/") + Self.get("/"))
    #expect(text.components(separatedBy: content).count == 3)
  }

  @Test func largeContentIsTaken() throws {
    let document = """
      {"scenario": "upload", "stubs": [
        {"key": "upload", "request": {"method": "PUT", "body": {"matches": "x+"}},
         "responses": [{"status": 204}]}]}
      """
    let server = try TestServer(document)
    let content = String(repeating: "x", count: 200_000)
    let text = try server.exchange(
      "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: \(content.count)\r\n\r\n\(content)"
        + Self.get("/b"))
    #expect(text.hasPrefix("HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 404 Not Found\r\n"))
  }

  @Test func theContentOfAllRequestsTogetherIsBounded() throws {
    let document =
      #"{"scenario": "upload", "stubs": [{"key": "a", "responses": [{"status": 204}]}]}"#
    func put(_ count: Int) -> String {
      "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n"
        + String(repeating: "x", count: count)
    }
    var options = ServerOptions()
    options.largestContentAtOnce = 1 << 20
    let server = try TestServer(document, options: options)
    let done = "HTTP/1.1 204 No Content\r\n\r\n"
    // What is answered is given back.
    #expect(try server.exchange(put(900_000) + put(900_000) + put(60_000)) == done + done + done)
    let text = try server.exchange(put(1_200_000))
    #expect(text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
    #expect(try server.exchange(put(900_000)) == done)
  }

  // MARK: The end

  @Test func anAnswerInProgressIsFinishedAtTheEnd() throws {
    let document = """
      {"scenario": "late", "stubs": [
        {"key": "late", "request": {"path": "/late"}, "responses": [{"text": "late", "delay": "300ms"}]},
        {"key": "never", "request": {"path": "/never"}, "responses": [{"fault": "never"}]},
        {"key": "plain", "responses": [{"text": "plain"}]}]}
      """
    let server = try TestServer(document)
    let (busy, silent, idle) = (
      try server.client(), try server.client(), try server.client()
    )
    idle.send(Self.get("/plain"))
    _ = idle.read(until: "plain")
    silent.send(Self.get("/never"))
    busy.send(Self.get("/late"))
    // A request has begun once the journal has it.
    while server.player.run.journal.count < 3 { sched_yield() }
    server.server.end()
    let (bytes, ending) = busy.read()
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == TortureTests.ok("late", closes: true))
    #expect(ending == .closed)
    #expect(silent.read().bytes.isEmpty)
    #expect(idle.read().bytes.isEmpty)
    #expect(server.server.connectionCount == 0)
    #expect(throws: RawClient.SocketError.self) { try server.client() }
  }

  @Test func aPortThatIsTakenIsSaid() throws {
    let server = try TestServer(Self.document("https://api.test/a"))
    let scenario = server.player.run.scenario
    #expect {
      _ = try StubServer(scenario, at: StubServer.Address(port: server.server.port))
    } throws: { error in
      "\(error)".hasPrefix("cannot listen on 127.0.0.1:\(server.server.port): another program does")
    }
    #expect {
      _ = try StubServer(scenario, at: StubServer.Address(host: "[::1]"))
    } throws: { error in
      "\(error)".hasPrefix("cannot listen on [::1]:0: this machine finds no address")
    }
  }

  // MARK: The log

  @Test func eachAnswerIsALineOfTheLog() throws {
    let server = try TestServer(TortureTests.document)
    for path in ["/plain", "/offline", "/nowhere", "/truncated"] {
      _ = try server.exchange(TortureTests.get(path))
    }
    _ = try server.exchange("GET /plain HTTP/1.1\r\n\r\n")
    server.server.end()
    let lines = server.log.map { entry in
      "\(entry.method) \(entry.target) \(entry.status ?? 0) \(entry.event?.stubKey ?? "-") "
        + "\(entry.responseByteCount > 0) \(entry.remark ?? "")"
    }
    #expect(
      lines == [
        "GET /plain 200 plain true ",
        "GET /offline 0 offline false connection reset, because a client cannot be shown "
          + "notConnectedToInternet over a network",
        "GET /nowhere 404 - true no stub answers",
        "GET /truncated 200 truncated true truncated",
        "GET /plain 400 - true Bad request",
      ])
    #expect(
      server.player.run.journal.map(\.description)[1]
        == "2. GET /offline: stub \"offline\" of torture, response 1 (connection reset, because a client "
        + "cannot be shown notConnectedToInternet over a network)")
  }
}
#endif
