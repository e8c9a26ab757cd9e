#if Server
import Foundation
import HTTPTypes
import NIOCore
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServing
import StubDBSupport
import StubDBTestSupport
import Testing

@testable import StubDBServer

/// What a client must not reach or cause through a server that may call others.
@Suite struct UpstreamTests {
  private static func options(
    _ change: (inout ServerOptions) -> Void = { _ in }
  ) -> ServerOptions {
    var options = ServerOptions()
    options.forwarding.allowsPassthrough = true
    options.forwarding.allowsCallbacks = true
    options.forwarding.allowsPrivateUpstreams = true
    options.passesUnmatchedOn = true
    change(&options)
    return options
  }

  private static func server(
    for origin: String, _ options: ServerOptions = options()
  ) throws -> TestServer {
    let rule = try #require(OriginMap.Rule(origin))
    return try TestServer(
      #"{"scenario": "shop", "stubs": []}"#, origins: [rule], options: options)
  }

  // MARK: The server itself

  @Test(arguments: ["127.0.0.1", "localhost", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "127.1"])
  func noTunnelLeadsToTheServerItself(host: String) throws {
    let server = try TestServer(
      #"{"scenario": "shop", "stubs": []}"#,
      options: Self.options {
        $0.isProxy = true
        $0.admin?.port = 0
      })
    let admin = try #require(server.server.adminPort)
    for port in [server.server.port, admin] {
      let client = try server.client()
      client.send("CONNECT \(host):\(port) HTTP/1.1\r\nHost: \(host):\(port)\r\n\r\n")
      client.sendEnd()
      let answer = try #require(WireAnswer(client.read().bytes))
      #expect(answer.status == 508, "\(answer)")
      #expect(answer.text.contains("is this server itself"))
    }
  }

  @Test func nothingIsPassedOnToTheAdminAPI() throws {
    let server = try TestServer(
      #"{"scenario": "shop", "stubs": []}"#,
      options: Self.options {
        $0.isProxy = true
        $0.admin?.port = 0
      })
    let admin = try #require(server.server.adminPort)
    for url in ["http://127.0.0.1:\(admin)/__stubdb/version", "http://localhost:\(admin)/"] {
      let answer = try server.exchange("GET \(url) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 508 ") && answer.contains("is this server itself"))
    }
    let shared = try TestServer(
      #"{"scenario": "shop", "stubs": []}"#, options: Self.options { $0.isProxy = true })
    let url = "http://127.0.0.1:\(shared.server.port)/__admin/mappings"
    #expect(try shared.ask("GET", url).fields["stubdb-upstream-error"] == "loop")
  }

  @Test func aCallbackDoesNotReachTheAdminAPI() async throws {
    let server = try TestServer(
      #"""
      {"scenario": "shop", "stubs": [{"key": "a", "responses": [{"callbacks": [
        {"request": {"url": "http://{{request.query.to}}", "json": {}}}], "template": true}]}]}
      """#, options: Self.options())
    let own = "127.0.0.1:\(server.server.port)"
    _ = try server.ask("GET", "/?to=\(own)/__stubdb/sessions")
    guard case .refused(let reason)? = await server.server.allCallbacks().first?.outcome else {
      Issue.record("it was sent")
      return
    }
    #expect(reason.contains("is this server itself"))
    #expect(server.player.run.journal.count == 1)
  }

  @Test func callbacksThatCauseThemselvesComeToAnEnd() async throws {
    let server = try TestServer(
      #"""
      {"scenario": "shop", "stubs": [{"key": "a", "responses": [{"callbacks": [
        {"request": {"url": "{{baseURL}}/again"}}], "template": true}]}]}
      """#, options: Self.options())
    let host = "127.0.0.1:\(server.server.port)"
    _ = try server.ask("GET", "/", host: host)
    let events = await server.server.allCallbacks()
    #expect(server.player.run.journal.count == 6)
    #expect(events.count == 6)
    guard case .refused(let reason)? = events.last?.outcome else {
      Issue.record("\(events)")
      return
    }
    #expect(reason.contains("5 calls in a row"))
  }

  // MARK: Names

  @Test func aNameIsLookedUpOnceAndCheckedAsAnAddress() throws {
    let upstream = try TestServer(#"{"scenario": "upstream", "stubs": [{"key": "a"}]}"#)
    let count = Locked(0)
    for isAllowed in [false, true] {
      count.withLock { $0 = 0 }
      let server = try Self.server(
        for: "http://shop.test:\(upstream.server.port)",
        Self.options {
          $0.forwarding.allowsPrivateUpstreams = isAllowed
          $0.forwarding.lookUp = { host, port in
            count.withLock { $0 += 1 }
            return [try SocketAddress(ipAddress: "127.0.0.1", port: port)]
          }
        })
      let answer = try server.ask("GET", "/p")
      #expect(answer.status == (isAllowed ? 200 : 502))
      #expect(answer.fields["stubdb-upstream-error"] == (isAllowed ? nil : "privateAddress"))
      #expect(count.withLock { $0 } == 1)
    }
    let hosts = upstream.player.run.journal.map { $0.request.headers["Host"] }
    #expect(hosts == ["shop.test:\(upstream.server.port)"])
  }

  @Test func theEndDoesNotWaitForNames() throws {
    let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let server = try Self.server(
      for: "http://slow.test",
      Self.options {
        $0.endTimeout = .milliseconds(10)
        $0.forwarding.lookUp = { _, _ in
          begun.signal()
          ended.wait()
          return []
        }
      })
    let client = try server.client()
    client.send("GET /p HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(begun.wait(timeout: .now() + 30) == .success)
    server.server.end()
    ended.signal()
    #expect(client.read().ending != .none)
  }

  // MARK: Other servers that do what they should not

  @Test func aProtocolThatNobodyAskedForIsNoAnswer() throws {
    let upstream = try LoopbackServer { _ in
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nnot HTTP"
    }
    let server = try Self.server(for: "http://127.0.0.1:\(upstream.port)")
    let answer = try server.ask("GET", "/p")
    #expect(answer.status == 502, "\(answer)")
    #expect(answer.fields["stubdb-upstream-error"] == "cannotParseResponse")
  }

  @Test func anAnswerToACallbackThatNeverEndsIsOne() async throws {
    let chunks = [String](repeating: #"{"text": "x", "after": "20ms"}"#, count: 10_000)
    let receiver = try TestServer(
      #"{"scenario": "receiver", "stubs": [{"key": "a", "responses": [{"status": 202, "chunks": [\#(chunks.joined(separator: ", "))]}]}]}"#
    )
    let server = try TestServer(
      #"""
      {"scenario": "shop", "stubs": [{"key": "a", "responses": [{"callbacks": [
        {"request": {"url": "http://127.0.0.1:\#(receiver.server.port)/"}}]}]}]}
      """#, options: Self.options { $0.forwarding.answerTimeout = .milliseconds(500) })
    _ = try server.ask("GET", "/")
    guard case .answered(202, let time)? = await server.server.allCallbacks().first?.outcome else {
      Issue.record("the status was there")
      return
    }
    // The answer takes 200 seconds.
    #expect(time < .seconds(100))
  }

  // MARK: Memory

  private static func large() throws -> LoadedScenario {
    let stub = Stub(key: "big", responses: [StubResponse(body: .data(Data(count: 48 << 20)))])
    return try LoadedScenario(Scenario(name: try #require(ScenarioName("big")), stubs: [stub]))
  }

  /// An answer that a client does not read stays where it is.
  @Test(arguments: [false, true])
  func aSlowClientSlowsTheOtherServer(byTunnel: Bool) throws {
    let upstream = try TestServer(try Self.large())
    let origin = "127.0.0.1:\(upstream.server.port)"
    let server =
      byTunnel
      ? try TestServer(
        #"{"scenario": "shop", "stubs": []}"#, options: Self.options { $0.isProxy = true })
      : try Self.server(for: "http://\(origin)")
    let client = try server.client(receiveBuffer: 64 << 10)
    if byTunnel { client.send("CONNECT \(origin) HTTP/1.1\r\nHost: \(origin)\r\n\r\n") }
    client.send("GET /p HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    _ = client.read(atLeast: 1 << 20)
    // Time enough for a server that would take all of it.
    for _ in 0..<200 { #expect(try server.ask("GET", "/__stubdb/version").status == 200) }
    #expect(upstream.log.isEmpty)
    let (bytes, ending) = client.read()
    #expect(bytes.count > 46 << 20 && ending == .closed)
  }
}
#endif
