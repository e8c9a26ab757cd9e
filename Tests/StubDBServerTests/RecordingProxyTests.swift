#if Server
import Foundation
import NIOCore
import NIOHTTP1
import StubDBEngine
import StubDBJSON
import StubDBPlayback
import StubDBRecording
import StubDBSupport
import Testing

@testable import StubDBServer

/// What a recording keeps, and what it survives.
@Suite struct RecordingProxyTests {
  private static func ask(_ bench: RecordingBench, _ text: String) throws -> String {
    try bench.server.exchange(text)
  }

  private static let get = "GET /v1/me?b=2&a=1 HTTP/1.1\r\nHost: localhost\r\nX-Own: 1\r\n\r\n"

  @Test func whatTheScenarioLacksIsRecordedAsItWas() throws {
    let upstream = try RawUpstream(
      .text(
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 201 Fine\r\nX-lower-Case: 1\r\n"
          + "Link: </b>\r\nlink: </c>; rel=x, y\r\nContent-Type: application/json\r\n"
          + "Transfer-Encoding: chunked\r\n\r\n4\r\n{\"a\"\r\n4\r\n: 1}\r\n0\r\nX-Checksum: 9\r\n\r\n"
      ))
    let bench = try RecordingBench(
      for: upstream.port,
      stubs: #"{"key": "own", "request": {"path": "/own"}, "responses": [{"text": "here"}]}"#)
    #expect(try Self.ask(bench, "GET /own HTTP/1.1\r\nHost: a\r\n\r\n").hasSuffix("here"))
    let answer = try Self.ask(bench, Self.get)
    #expect(answer.hasPrefix("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n"))
    #expect(answer.contains("HTTP/1.1 201 ") && answer.contains("X-lower-Case: 1\r\n"))
    #expect(answer.contains("Link: </b>\r\nlink: </c>; rel=x, y\r\n"))
    #expect(answer.hasSuffix("4\r\n: 1}\r\n0\r\nX-Checksum: 9\r\n\r\n"), "\(answer)")
    let stubs = try bench.end()
    let stub = try #require(stubs.first)
    #expect(stubs.count == 1)
    #expect(stub.text("/request/url") == "http://127.0.0.1:\(upstream.port)/v1/me")
    #expect(stub.text("/request/query") == #"{"a":"1","b":"2"}"#)
    #expect(stub.text("/request/headers") == #"{"X-Own":"1"}"#)
    #expect(
      stub.text("/responses/0")
        == #"{"headers":{"Content-Type":"application/json","Link":["</b>","</c>; rel=x, y"],"X-lower-Case":"1"},"json":{"a":1},"status":201}"#
    )
    #expect(bench.problems.count == 2 && bench.problems.allSatisfy { $0.contains("GET http://") })
    let request = try #require(upstream.requests.first)
    #expect(request.contains("Host: 127.0.0.1:\(upstream.port)\r\n"))
  }

  @Test func codedContentIsRecordedAsText() throws {
    let coded = try #require(
      Data(base64Encoded: "H4sIAAAAAAACA6tWykvMTVWyUlByTElUqgUAaKIK5A8AAAA="))
    let upstream = try RawUpstream(
      .text(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
          + "Content-Length: \(coded.count)\r\n\r\n"), .bytes(coded))
    let bench = try RecordingBench(for: upstream.port)
    let client = try bench.server.client()
    client.send("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br, gzip;q=0.5, zstd\r\n\r\n")
    client.sendEnd()
    let (bytes, _) = client.read()
    // The client gets the bytes of the server.
    #expect(bytes.suffix(coded.count) == coded)
    #expect(upstream.requests.first?.contains("Accept-Encoding: gzip;q=0.5\r\n") == true)
    let stub = try #require(try bench.end().first)
    #expect(stub.text("/responses/0/json/name") == "Ada")
    #expect(!stub.text("/responses/0/headers").contains("Encoding"))
  }

  @Test func whatCannotBeDecodedIsNotRecorded() throws {
    let upstream = try RawUpstream(
      .text("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\nabc"))
    let bench = try RecordingBench(for: upstream.port)
    #expect(try Self.ask(bench, Self.get).hasSuffix("\r\n\r\nabc"))
    #expect(try bench.end().isEmpty)
    #expect(bench.problems.first?.contains("cannot be decoded as br") == true)
  }

  @Test func theModeAllAsksAnew() throws {
    let upstream = try RawUpstream(.text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nnew"))
    let bench = try RecordingBench(
      for: upstream.port,
      stubs: #"{"key": "own", "request": {"path": "/v1/me"}, "responses": [{"text": "old"}]}"#,
      mode: .all)
    #expect(try Self.ask(bench, Self.get).hasSuffix("new"))
    #expect(try bench.end().first?.text("/responses/0/text") == "new")
  }

  @Test func cookiesOfTheRealServerReachTheClientOfThisOne() throws {
    let upstream = try RawUpstream(
      .text(
        "HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Domain=api.shop.test; Path=/; Secure; SameSite=None\r\n"
          + "Set-Cookie: b=2; HttpOnly\r\nContent-Length: 2\r\n\r\nhi"))
    let bench = try RecordingBench(for: upstream.port)
    let answer = try Self.ask(bench, Self.get)
    #expect(
      answer.contains("Set-Cookie: a=1; Path=/\r\nSet-Cookie: b=2; HttpOnly\r\n"), "\(answer)")
    let stub = try #require(try bench.end().first)
    // Only the value is taken out.
    #expect(
      stub.text("/responses/0/headers/Set-Cookie/0")
        .hasSuffix("; Domain=api.shop.test; Path=/; Secure; SameSite=None"))
    #expect(bench.problems.count == 1 && bench.problems.first?.contains("without Domain") == true)
  }

  @Test(
    arguments: [
      ("a=1", nil), ("a=Domain=x", nil), ("a=1; Path=/; HttpOnly", nil),
      ("a=1;DOMAIN=.shop.test;Path=/", "a=1;Path=/"), ("a=1; domain", "a=1"),
      ("a=1; Secure", "a=1"), ("a=1; Secure; SameSite=Lax", "a=1; SameSite=Lax"),
    ] as [(String, String?)])
  func cookiesAreAdapted(cookie: String, adapted: String?) {
    #expect(ReversedCookies.adapted(cookie, isSecure: false) == adapted)
    #expect(ReversedCookies.adapted("a=1; Secure; SameSite=None", isSecure: true) == nil)
  }

  // MARK: Hostile servers

  @Test func aServerThatFallsSilentIsGivenUp() throws {
    // It says how much there will be, and sends less.
    let upstream = try RawUpstream(
      .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234"), .echo)
    let bench = try RecordingBench(for: upstream.port) { options in
      options.forwarding.answerTimeout = .milliseconds(50)
    }
    #expect(try Self.ask(bench, Self.get).hasSuffix("\r\n\r\n01234"))
    #expect(try bench.end().isEmpty)
    #expect(bench.problems.count == 1)
  }

  @Test func aContentWithoutEndIsGivenUpByItsClientAndNotRecorded() throws {
    var limits = RecordingLimits()
    (limits.inMemory, limits.largest, limits.window) = (64 << 10, 256 << 10, 32 << 10)
    let upstream = try RawUpstream(
      .text("HTTP/1.1 200 OK\r\n\r\n"), .endless(Data("more and more\n".utf8)))
    let bench = try RecordingBench(for: upstream.port, limits: limits)
    do {
      let client = try bench.server.client()
      client.send(Self.get)
      // The bytes go on beyond what is recorded.
      #expect(client.read(atLeast: 2 << 20).bytes.count >= 2 << 20)
    }
    #expect(try bench.end().isEmpty)
    #expect(bench.problems.count == 1)
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 502),
    ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 502),
    ("HTTP/1.1 000 Zero\r\nContent-Length: 2\r\n\r\nab", 502),
    ("SSH-2.0-OpenSSH\r\n", 502), ("", 502),
    ("HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 600_000))\r\n\r\n", 502),
  ])
  func whatIsNoAnswerIsNoStub(text: String, status: Int) throws {
    let upstream = try RawUpstream(.text(text))
    let bench = try RecordingBench(for: upstream.port)
    #expect(try Self.ask(bench, Self.get).hasPrefix("HTTP/1.1 \(status) "))
    #expect(try bench.end().isEmpty)
    #expect(bench.problems.first?.contains("--record-errors") == true)
  }

  @Test func aHeadWithoutEndIsGivenUp() throws {
    let upstream = try RawUpstream(
      .text("HTTP/1.1 200 OK\r\n"), .endless(Data("X-More: 0123456789abcdef\r\n".utf8)))
    let bench = try RecordingBench(for: upstream.port)
    #expect(try Self.ask(bench, Self.get).hasPrefix("HTTP/1.1 502 "))
    #expect(try bench.end().isEmpty)
  }

  @Test func failuresBecomeStubsThatFail() throws {
    let cut = try RawUpstream(
      .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234"), .reset)
    let bench = try RecordingBench(for: cut.port, errors: true)
    #expect(try Self.ask(bench, Self.get).hasSuffix("\r\n\r\n01234"))
    let half = try #require(try bench.end().first)
    #expect(
      half.text("/responses/0")
        == #"{"afterBytes":4,"fault":"truncated","text":"01234"}"#)
    let reset = try RecordingBench(for: RawUpstream(.reset).port, errors: true)
    #expect(try Self.ask(reset, Self.get).hasPrefix("HTTP/1.1 502 "))
    let failed = try #require(try reset.end().first)
    #expect(
      failed.text("/responses/0/error") == "cannotConnectToHost"
        || failed.text("/responses/0/error") == "networkConnectionLost")
  }

  @Test func aGarbledChunkBreaksOffForTheClientToo() throws {
    let upstream = try RawUpstream(
      .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n"))
    let bench = try RecordingBench(for: upstream.port)
    let answer = try Self.ask(bench, Self.get)
    #expect(answer.hasSuffix("3\r\nabc\r\n"), "\(answer)")
    #expect(try bench.end().isEmpty)
  }

  @Test func theMemoryOfAnAnswerThatIsGivenUpIsFree() throws {
    /// A client that takes whatever comes.
    struct Client: UpstreamReceiver {
      func begin(_ head: HTTPResponseHead) {}
      func receive(_ content: ByteBuffer) {}
      func afterDelivery(_ next: @escaping @Sendable () -> Void) { next() }
      func end(_ trailers: HTTPHeaders) {}
      func fail(_ error: UpstreamError) {}
    }
    let bench = try RecordingBench(for: 1)
    let budget = ContentBudget(limit: 1 << 20)
    let request = StubRequest(method: "GET", url: "http://shop.test/")
    for _ in 0..<3 {
      let recorder = bench.recorder.begin(request, number: 1)
      let answer = RecordedAnswer(request, to: recorder, bench.recording, budget, next: Client())
      answer.begin(HTTPResponseHead(version: .http1_1, status: .ok))
      answer.receive(ByteBuffer(repeating: 0x20, count: 1 << 20))
      answer.giveUp()
      answer.receive(ByteBuffer(repeating: 0x20, count: 1 << 20))
    }
    var share = ContentBudget.Share()
    try budget.reserve(&share, for: 1 << 20)
    #expect(try bench.end().isEmpty)
  }

  /// The head of an answer, and the pieces of its content.
  @Test(arguments: [
    ("GET", 200, "4", ["ab", "cd"]), ("GET", 200, "2", ["ab"]), ("GET", 200, nil, ["ab", "cd"]),
    ("GET", 200, "0", []), ("GET", 204, nil, []), ("GET", 304, "9", []), ("HEAD", 200, "9", []),
  ])
  func theDraftHasAnExchangeBeforeItsClientHasAllOfIt(
    method: String, status: Int, length: String?, pieces: [String]
  ) throws {
    /// A client that asks of what comes whether the draft has the exchange.
    struct Client: UpstreamReceiver {
      let recorder: RunRecorder
      let seen: Locked<[(text: String, isRecorded: Bool)]>
      func note(_ text: String) {
        let isRecorded = recorder.outcome.count > 0
        seen.withLock { $0.append((text, isRecorded)) }
      }
      func begin(_ head: HTTPResponseHead) { note("head") }
      func receive(_ content: ByteBuffer) { note(String(buffer: content)) }
      func afterDelivery(_ next: @escaping @Sendable () -> Void) { next() }
      func end(_ trailers: HTTPHeaders) { note("end") }
      func fail(_ error: UpstreamError) { note("failure") }
    }
    let bench = try RecordingBench(for: 1)
    let request = StubRequest(method: method, url: "http://shop.test/")
    let client = Client(recorder: bench.recorder, seen: Locked([]))
    let answer = RecordedAnswer(
      request, to: bench.recorder.begin(request, number: 1), bench.recording,
      ContentBudget(limit: 1 << 20), next: client)
    answer.begin(
      HTTPResponseHead(
        version: .http1_1, status: .init(statusCode: status),
        headers: HTTPHeaders(length.map { [("Content-Length", $0)] } ?? [])))
    for piece in pieces { answer.receive(ByteBuffer(string: piece)) }
    answer.end([:])
    #expect(try bench.end().count == 1)
    let seen = client.seen.withLock { $0 }
    #expect(seen.map(\.text) == ["head"] + pieces + ["end"])
    // A content of unknown length ends with the connection, or a last chunk.
    let last = length == nil && !pieces.isEmpty ? "end" : pieces.last ?? "head"
    for event in seen { #expect(event.isRecorded == (event.text == last || event.text == "end")) }
  }

  @Test func tooLargeContentGoesThroughAndIsNotRecorded() throws {
    let size = 66 << 20
    let upstream = try RawUpstream(
      .text("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"), .bytes(Data(count: size)))
    let bench = try RecordingBench(for: upstream.port)
    let client = try bench.server.client()
    client.send(Self.get)
    client.sendEnd()
    #expect(client.read().bytes.count > size)
    #expect(try bench.end().isEmpty)
    #expect(bench.problems.first?.hasSuffix("its content has more than 64 MiB.") == true)
  }

  @Test func largeContentIsRecordedInAFileWithoutItsSecrets() throws {
    var limits = RecordingLimits()
    (limits.inMemory, limits.window) = (64 << 10, 32 << 10)
    let body = String(repeating: "line of a log\n", count: 40_000) + "tulip window harbor"
    let upstream = try RawUpstream(
      .text(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
          + body))
    let bench = try RecordingBench(for: upstream.port, limits: limits)
    let answer = try Self.ask(
      bench, "GET /log HTTP/1.1\r\nHost: a\r\nX-Api-Key: tulip window harbor\r\n\r\n")
    #expect(answer.hasSuffix("tulip window harbor"))
    let stub = try #require(try bench.end().first)
    #expect(stub.text("/responses/0") == #"{"headers":{"Content-Type":"text/plain"}}"#)
    let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder)
      .filter { $0.hasSuffix(".body") }
    #expect(names.count == 1)
    let written = try String(
      contentsOfFile: bench.folder + "/" + (names.first ?? ""), encoding: .utf8)
    #expect(written == body.replacing("tulip window harbor", with: "REDACTED-1"))
  }

  // MARK: What is not recorded

  @Test func aWebSocketGoesThroughAndIsReported() throws {
    let upstream = try RawUpstream(
      .text(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"),
      .echo)
    let bench = try RecordingBench(for: upstream.port)
    let client = try bench.server.client()
    client.send(
      "GET /live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
    #expect(client.read(until: "\r\n\r\n")?.hasPrefix("HTTP/1.1 101 ") == true)
    client.send("frame")
    #expect(client.read(until: "frame") == "frame")
    #expect(upstream.requests.first?.contains("Sec-WebSocket-Key: AAAA") == true)
    client.sendEnd()
    #expect(bench.recording.unrecorded(.webSocket) == ["127.0.0.1"])
    #expect(try bench.end().isEmpty)
  }

  @Test func onlyChosenHostsOfAProxyAreRecorded() throws {
    let upstream = try RawUpstream(.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"))
    let bench = try RecordingBench(proxyFor: "localhost")
    for host in ["localhost", "127.0.0.1"] {
      let url = "http://\(host):\(upstream.port)/p"
      let answer = try Self.ask(bench, "GET \(url) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      #expect(answer.hasSuffix("\r\n\r\nhi"), "\(answer)")
    }
    let client = try bench.server.client()
    client.send("CONNECT 127.0.0.1:\(upstream.port) HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.read(until: "\r\n\r\n") == "HTTP/1.1 200 Connection Established\r\n\r\n")
    client.send("GET /q HTTP/1.1\r\n\r\n")
    client.sendEnd()
    #expect(client.read().bytes.suffix(2) == Data("hi".utf8))
    #expect(try Self.ask(bench, "GET /p HTTP/1.1\r\nHost: a\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
    #expect(bench.recording.unrecorded(.notChosen) == ["127.0.0.1"])
    let stubs = try bench.end()
    #expect(stubs.map { $0.text("/request/url") } == ["http://localhost:\(upstream.port)/p"])
  }

  @Test func onlyNamedPrivateServersAreCalled() throws {
    let upstream = try RawUpstream(.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"))
    for isNamed in [false, true] {
      let bench = try RecordingBench(for: upstream.port) { options in
        options.forwarding.allowsPrivateUpstreams = false
        guard isNamed else { return }
        options.forwarding.namedUpstreams = ["127.0.0.1:\(upstream.port)"].compactMap(
          HostPattern.init)
      }
      let answer = try Self.ask(bench, Self.get)
      #expect(answer.hasPrefix(isNamed ? "HTTP/1.1 200 " : "HTTP/1.1 502 "), "\(answer)")
      #expect(try bench.end().count == (isNamed ? 1 : 0))
    }
  }

  @Test(arguments: [
    ("api.test", "api.test", 443, true), ("api.test", "api.test.evil", 443, false),
    ("*.api.test", "v1.api.test", 80, true), ("*.api.test", "api.test", 443, false),
    ("api.test:8443", "api.test", 443, false), ("api.test:8443", "API.test", 8_443, true),
    ("[::1]:80", "::1", 80, true), ("[::1]", "::1", 81, true),
  ])
  func aPatternCoversHosts(text: String, host: String, port: Int, isCovered: Bool) throws {
    let hosts = RecordedHosts(
      [try #require(HostPattern(text))], origins: [], includesAll: false)
    #expect(hosts.contains(host, port) == isCovered)
  }

  @Test(arguments: ["", "*", "https://api.test", "api.test/", "api.test:0", "a b", "*.*.test"])
  func whatIsNoHostIsNoPattern(text: String) {
    #expect(HostPattern(text) == nil)
  }
}
#endif
