#if Server
import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServer
import StubDBServing
import Testing

/// Requests that come again, byte by byte, over the same connection.
@Suite struct RepeatedRequestTests {
  private static let document = """
    {"scenario": "shop", "stubs": [
      {"key": "plain", "request": {"path": "/plain"}, "responses": [{"text": "hello"}]},
      {"key": "two", "request": {"path": "/two"}, "responses": [{"text": "1"}, {"text": "2"}]},
      {"key": "pay", "request": {"path": "/pay"},
       "flow": {"name": "order", "requires": "started", "becomes": "paid"},
       "responses": [{"text": "new"}]},
      {"key": "paid", "request": {"path": "/pay"}, "responses": [{"text": "old"}]},
      {"key": "count", "request": {"path": "/count"},
       "responses": [{"template": true, "text": "{{counter 'a'}}"}]},
      {"key": "keep", "request": {"path": "/keep"}, "capture": {"a": {"query": "a"}},
       "responses": [{"text": "kept"}]},
      {"key": "late", "request": {"path": "/late"}, "responses": [{"text": "late", "delay": "1ms"}]},
      {"key": "range", "request": {"path": "/range"}, "responses": [{"text": "0123456789"}]},
      {"key": "echo", "request": {"method": "POST", "path": "/echo"},
       "responses": [{"template": true, "text": "{{request.body}}"}]},
      {"key": "any", "request": {"path": "/any"}, "responses": [{"status": 204}]},
      {"key": "gone", "request": {"path": "/gone"}, "responses": [{"fault": "connectionReset"}]}]}
    """

  private static let options: ServerOptions = {
    var options = ServerOptions()
    options.threadCount = 1
    return options
  }()

  private static func server() throws -> TestServer { try TestServer(document, options: options) }

  private static func get(_ path: String, _ fields: String...) -> String {
    "GET \(path) HTTP/1.1\r\nHost: a.test\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
  }

  private static let hello = TortureTests.ok("hello")

  // MARK: Each is a request of its own

  @Test func eachOfThemIsInTheJournalTheLogAndTheMetrics() throws {
    let server = try Self.server()
    #expect(
      try server.exchange(String(repeating: Self.get("/plain", "A: b"), count: 20))
        == String(repeating: Self.hello, count: 20))
    let journal = server.player.run.journal
    #expect(journal.map(\.number) == Array(1...20))
    #expect(Set(journal.map(\.request)).count == 1)
    #expect(journal.allSatisfy { $0.request.headers["A"] == "b" && $0.stubKey == "plain" })
    #expect(journal.allSatisfy { $0.status == 200 && $0.responseIndex == 0 })
    #expect(zip(journal, journal.dropFirst()).allSatisfy { $0.arrival <= $1.arrival })
    #expect(journal.allSatisfy { server.player.run.duration(ofEntry: $0.number) != nil })
    #expect(server.player.run.stubUses[0].answerCount == 20)
    let metrics = try server.ask("GET", "/__stubdb/metrics").text
    #expect(
      metrics.contains(#"stubdb_requests_total{scenario="shop",key="plain",status="200"} 20"#))
    #expect(metrics.contains("stubdb_request_duration_seconds_count 20"))
    server.server.end()
    let lines = server.log.filter { $0.event != nil }
    #expect(lines.map(\.event) == journal)
    #expect(lines.allSatisfy { $0.method == "GET" && $0.target == "/plain" && $0.status == 200 })
    #expect(lines.allSatisfy { $0.responseByteCount == 5 && $0.session == "default" })
  }

  @Test func theJournalsLimitCountsThem() throws {
    var options = Self.options
    options.journalEntryCount = 3
    let server = try TestServer(Self.document, options: options)
    _ = try server.exchange(String(repeating: Self.get("/plain"), count: 50))
    #expect(server.player.run.journal.map(\.number) == [48, 49, 50])
    #expect(server.player.run.droppedCount == 47)
    options = Self.options
    options.journalByteCount = 350
    let other = try TestServer(Self.document, options: options)
    _ = try other.exchange(String(repeating: Self.get("/plain"), count: 50))
    // A URL of 6 bytes and a field of 10; of the answer, a field of 37 and 5 bytes of content.
    #expect(other.player.run.journalCount == 6)
  }

  @Test func whatDependsOnMoreThanTheRequestIsDecidedEachTime() throws {
    let server = try Self.server()
    let cases: [(path: String, texts: [String])] = [
      ("/two", ["1", "2", "2", "2"]), ("/pay", ["new", "old", "old", "old"]),
      ("/count", ["1", "2", "3", "4"]), ("/keep?a=1", ["kept", "kept", "kept", "kept"]),
      ("/late", ["late", "late", "late", "late"]),
    ]
    for (path, texts) in cases {
      #expect(
        try server.exchange(String(repeating: Self.get(path), count: 4))
          == texts.map { TortureTests.ok($0) }.joined(), "\(path)")
    }
    #expect(server.player.run.journalCount == 20)
  }

  @Test func otherBytesAreOtherRequests() throws {
    let server = try Self.server()
    let plain = Self.get("/range")
    let part = Self.get("/range", "Range: bytes=0-1")
    let head = plain.replacing("GET", with: "HEAD")
    let first = try server.exchange(plain + part + head + part + head + plain)
    for _ in 0..<5 {
      #expect(try server.exchange(plain + part + head + part + head + plain) == first)
    }
    let last = try server.exchange(
      plain + plain + Self.get("/range", "Connection: close") + plain + plain)
    #expect(last.components(separatedBy: "HTTP/1.1 200 OK").count == 4)
    #expect(last.hasSuffix(TortureTests.ok("0123456789", closes: true)))
  }

  @Test func theyMayComeInAnyPieces() throws {
    let server = try Self.server()
    let post = "POST /echo HTTP/1.1\r\nHost: a.test\r\nContent-Length: 5\r\n\r\nhello"
    let posted = TortureTests.ok("hello")
    let request = Self.get("/plain")
    #expect(
      try server.exchange(request + request + request) == Self.hello + Self.hello + Self.hello)
    let all = Array((request + post + request + "\r\n" + request + post).utf8)
    for place in 1..<all.count {
      let client = try server.client()
      client.send(all[..<place])
      // Its answer comes between the pieces.
      let other = try server.exchange(request)
      #expect(other == Self.hello)
      client.send(all[place...])
      client.sendEnd()
      #expect(
        String(decoding: client.read().bytes, as: UTF8.self)
          == Self.hello + posted + Self.hello + Self.hello + posted, "\(place)")
    }
  }

  @Test(arguments: [
    "/plain", "/plain?a=%20&b=;c", "/~abcdefghij/plain", "//plain", "/pl%61in", "/plain#part",
    "/a|b",
    "/\u{FC}", "/a b", "*", "plain", "http://a.test/plain",
    "/" + String(repeating: "a", count: 3_000),
    "/\u{1}",
  ])
  func aTargetIsAnsweredLikewiseOnANewAndAUsedConnection(_ target: String) throws {
    var options = Self.options
    options.longestTarget = 2_000
    let new = try TestServer(Self.document, options: options)
    let used = try TestServer(Self.document, options: options)
    let first = (0..<3).map { Self.get("/plain?number=\($0)", "A: b") }.joined()
    let expected = try new.exchange(Self.get(target, "A: b"))
    #expect(
      try used.exchange(first + Self.get(target, "A: b"))
        == String(repeating: Self.hello, count: 3) + expected)
    #expect(
      used.player.run.journal.dropFirst(3).map(\.request) == new.player.run.journal.map(\.request))
  }

  @Test func aRequestLineInPlaceOfAFieldIsRefusedAfterEmptyLines() throws {
    let server = try Self.server()
    let (first, second) = (Self.get("/plain"), "GET /two HTTP/1.1\r\n" + Self.get("/plain"))
    for line in ["\r\n", "\n"] {
      let client = try server.client()
      for _ in 0..<4 {
        client.send(line + first)
        #expect(client.read(until: "hello") == Self.hello)
      }
      client.send(second)
      client.sendEnd()
      let text = String(decoding: client.read().bytes, as: UTF8.self)
      #expect(text.hasPrefix("HTTP/1.1 400 "), "\(text)")
    }
  }

  @Test func aFaultIsOneEachTime() throws {
    let server = try Self.server()
    for _ in 0..<3 {
      let client = try server.client()
      client.send(Self.get("/gone"))
      #expect(client.read().ending == .reset)
    }
  }

  @Test func unmatchedRequestsAreReportedEachTime() throws {
    let server = try Self.server()
    let text = try server.exchange(String(repeating: Self.get("/nowhere"), count: 5))
    #expect(text.components(separatedBy: "StubDB-Unmatched: 1").count == 6)
    #expect(server.player.problems().count == 5)
  }

  // MARK: Changes

  @Test func anAddedStubAnswersAtOnce() throws {
    let server = try Self.server()
    let client = try server.client()
    func ask() -> String? {
      client.send(Self.get("/any"))
      return client.read(until: "\r\n\r\n")
    }
    for _ in 0..<4 { #expect(ask() == "HTTP/1.1 204 No Content\r\n\r\n") }
    let mapping = #"{"request": {"urlPath": "/any"}, "response": {"status": 205}}"#
    #expect(try server.ask("POST", "/__admin/mappings", mapping).status == 201)
    for _ in 0..<4 { #expect(ask()?.hasPrefix("HTTP/1.1 205 ") == true) }
    #expect(
      server.player.run.journal.map { $0.stubKey == "any" } == [
        true, true, true, true, false, false, false, false,
      ])
  }

  @Test func aClosureIsAskedFirst() throws {
    let server = try Self.server()
    let client = try server.client()
    func ask() -> String? {
      client.send(Self.get("/plain"))
      return client.read(until: "\r\n\r\n")
    }
    for _ in 0..<4 { #expect(ask()?.hasPrefix("HTTP/1.1 200 ") == true) }
    let closure = try server.server.stub("/plain") { _ in StubResponse(status: 418) }
    #expect(ask()?.hasPrefix("HTTP/1.1 418 ") == true)
    closure.remove()
    #expect(ask()?.contains("HTTP/1.1 200 ") == true)
  }

  @Test func aResetBeginsTheJournalAnew() throws {
    let server = try Self.server()
    let client = try server.client()
    for _ in 0..<4 {
      client.send(Self.get("/plain"))
      _ = client.read(until: "hello")
    }
    server.player.reset()
    #expect(server.player.run.journalCount == 0 && server.player.run.unusedStubs.count == 11)
    client.send(Self.get("/plain"))
    _ = client.read(until: "hello")
    #expect(server.player.run.journal.map(\.number) == [5])
    #expect(server.player.run.unusedStubs.count == 10)
  }

  // MARK: Clients that do not read

  @Test func aClientThatDoesNotReadIsNotAnsweredAhead() throws {
    let text = String(repeating: "x", count: 50_000)
    let stub = Stub(key: "big", responses: [StubResponse(body: .text(text))])
    let server = try TestServer(
      try LoadedScenario(Scenario(name: try #require(ScenarioName("big")), stubs: [stub])))
    let client = try server.client(receiveBuffer: 64 << 10)
    client.send(String(repeating: Self.get("/"), count: 1_000))
    _ = client.read(atLeast: 64 << 10)
    #expect(server.player.run.journalCount < 400)
    client.sendEnd()
    #expect(client.read().bytes.count > 45_000_000)
    #expect(server.player.run.journalCount == 1_000)
  }
}
#endif
