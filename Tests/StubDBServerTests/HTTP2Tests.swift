#if TLS
import Foundation
import StubDBServer
import StubDBTestSupport
import Testing

/// Frames that a client sends, and what it must get; curl runs the conformance table over HTTP/2.
@Suite struct HTTP2Tests {
  private static let document = """
    {"scenario": "http2", "stubs": [
      {"key": "plain", "request": {"path": "/plain"}, "responses": [{"text": "hello"}]},
      {"key": "late", "request": {"path": "/late"}, "responses": [{"text": "late", "delay": "50ms"}]},
      {"key": "none", "request": {"path": "/none"}, "responses": [{"status": 204}]},
      {"key": "large", "request": {"path": "/large"},
       "responses": [{"text": "\(String(repeating: "x", count: 100_000))"}]},
      {"key": "cookies", "request": {"path": "/cookies", "headers": {"Cookie": "a=1; b=2"}},
       "responses": [{"text": "both"}]},
      {"key": "echo", "request": {"method": "POST", "path": "/echo"},
       "responses": [{"template": true, "text": "<{{request.body}}>"}]},
      {"key": "fields", "request": {"path": "/fields"}, "responses": [{"text": "hello", "headers":
        {"Connection": "close, X", "Keep-Alive": "timeout=5", "Transfer-Encoding": "chunked",
         "Upgrade": "h2c", "Proxy-Connection": "close"}}]},
      {"key": "reset", "request": {"path": "/reset"}, "responses": [{"fault": "connectionReset"}]},
      {"key": "empty", "request": {"path": "/empty"}, "responses": [{"fault": "emptyResponse"}]},
      {"key": "garbage", "request": {"path": "/garbage"}, "responses": [{"fault": "garbage"}]},
      {"key": "truncated", "request": {"path": "/truncated"},
       "responses": [{"text": "12345678", "fault": "truncated"}]},
      {"key": "never", "request": {"path": "/never"}, "responses": [{"fault": "never"}]}
    ]}
    """

  private static func server(
    _ change: (inout ServerOptions) -> Void = { _ in }
  ) throws -> TestServer {
    var options = ServerOptions()
    options.threadCount = 1
    options.lingerTime = .milliseconds(50)
    change(&options)
    return try TestServer(document, options: options)
  }

  private typealias Client = HTTP2Client

  /// A request, and what its stream gets.
  struct Row: Sendable, CustomStringConvertible {
    var description: String
    var sent: @Sendable () -> [HTTP2Client.Frame]
    var content = ""
    /// The code of the reset; nil for a whole answer.
    var code: UInt32?
  }

  static let rows: [Row] = [
    Row(description: "a request", sent: { [Client.get(1, "/plain")] }, content: "hello"),
    Row(description: "no content", sent: { [Client.get(1, "/none")] }),
    Row(description: "HEAD", sent: { [Client.head(1, "HEAD", "/plain")] }),
    Row(
      description: "content in pieces",
      sent: {
        [
          Client.head(1, "POST", "/echo", isWhole: false), Client.data(1, "ab", isLast: false),
          Client.data(1, "c"),
        ]
      }, content: "<abc>"),
    Row(
      description: "fields behind the content",
      sent: {
        [
          Client.head(1, "POST", "/echo", isWhole: false), Client.data(1, "abc", isLast: false),
          .init(type: 1, flags: 5, stream: 1, payload: Client.encoded([("x", "1")])),
        ]
      }, content: "<abc>"),
    Row(
      description: "cookies in fields of their own",
      sent: { [Client.get(1, "/cookies", ("cookie", "a=1"), ("cookie", "b=2"))] },
      content: "both"),
    Row(
      description: "fields of the connection are not sent",
      sent: { [Client.get(1, "/fields")] }, content: "hello"),
    Row(description: "emptyResponse", sent: { [Client.get(1, "/empty")] }, code: 2),
    Row(description: "garbage", sent: { [Client.get(1, "/garbage")] }, code: 1),
    Row(
      description: "truncated", sent: { [Client.get(1, "/truncated")] }, content: "1234", code: 2),
    // What breaks HTTP/2 is an error of the stream.
    Row(
      description: "a field of the connection",
      sent: { [Client.get(1, "/plain", ("connection", "close"))] }, code: 1),
    Row(
      description: "a name in capitals", sent: { [Client.get(1, "/plain", ("X", "1"))] }, code: 1),
    Row(
      description: "no path",
      sent: {
        [
          .init(
            type: 1, flags: 5, stream: 1,
            payload: Client.encoded([(":method", "GET"), (":scheme", "http")]))
        ]
      }, code: 1),
    Row(
      description: "less content than its length",
      sent: {
        [
          Client.head(1, "POST", "/echo", [("content-length", "5")], isWhole: false),
          Client.data(1, "abc"),
        ]
      }, code: 1),
  ]

  @Test(arguments: rows)
  func framesInGiveFramesOut(_ row: Row) throws {
    let server = try Self.server()
    let client = try Client(port: server.server.port)
    client.send(row.sent())
    let answer = client.answer(1)
    #expect(answer.content == row.content)
    #expect(answer.code == row.code)
    // The connection has taken no harm.
    client.send(Client.get(3, "/plain"))
    #expect(client.answer(3).content == "hello")
  }

  @Test func aResetEndsTheConnection() throws {
    let server = try Self.server()
    let client = try Client(port: server.server.port)
    client.send(Client.get(1, "/reset"))
    #expect(client.frames().filter { !$0.isGoAway } == [])
    #expect(client.ending == .reset)
  }

  @Test func streamsDoNotWaitForEachOther() throws {
    let server = try Self.server()
    let client = try Client(port: server.server.port)
    client.send(Client.get(1, "/never"), Client.get(3, "/late"), Client.get(5, "/plain"))
    let ends = client.frames { $0.stream == 3 && $0.endsStream }
      .filter(\.endsStream).map(\.stream)
    #expect(ends == [5, 3])
  }

  @Test func aGoAheadComesBeforeTheContent() throws {
    let server = try Self.server()
    let client = try Client(port: server.server.port)
    client.send(
      Client.head(1, "POST", "/echo", [("expect", "100-continue")], isWhole: false))
    let first = try #require(client.frames(until: \.isHead).last)
    #expect(!first.endsStream)
    client.send(Client.data(1, "abc"))
    #expect(client.answer(1).content == "<abc>")
  }

  // MARK: Limits

  @Test func contentThatIsTooLargeIsRefusedBeforeItsEnd() throws {
    let server = try Self.server { $0.largestBody = 100 }
    let client = try Client(port: server.server.port)
    client.send(
      Client.head(1, "POST", "/echo", isWhole: false),
      Client.data(1, String(repeating: "x", count: 101), isLast: false))
    let frames = client.frames(until: \.isReset)
    #expect(frames.map(\.stream) == [1, 1, 1] && frames[1].endsStream)
    // Not an error: the rest is not needed. https://www.rfc-editor.org/rfc/rfc9113#section-8.1
    #expect(frames.last?.code == 0)
    client.send(Client.get(3, "/plain"))
    #expect(client.answer(3).content == "hello")
    #expect(server.log.map(\.status) == [413, 200])
  }

  @Test func moreStreamsMayComeBeforeTheSettingsAreKnown() throws {
    let server = try Self.server()
    let client = try Client(port: server.server.port)
    client.send((0..<500).map { Client.get(UInt32(2 * $0 + 1), "/plain") })
    var missing = 500
    let frames = client.frames { frame in
      if frame.endsStream { missing -= 1 }
      return missing == 0
    }
    #expect(Set(frames.filter(\.endsStream).map(\.stream)).count == 500)
    // The confirmation counts once, whenever it comes.
    client.send(.init(type: 4, flags: 1))
    client.send(Client.get(1_001, "/plain"))
    #expect(client.answer(1_001).content == "hello")
    client.send(.init(type: 4, flags: 1))
    #expect(client.frames().last?.isGoAway == true)
  }

  @Test func theSettingsMayComeInPieces() throws {
    let server = try Self.server()
    let raw = try RawClient(port: server.server.port)
    let settings = Data([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100])
    for byte in Data(Client.preface.utf8) + settings { raw.send([byte]) }
    for byte in Data([0, 0, 0, 4, 1, 0, 0, 0, 0]) { raw.send([byte]) }
    for byte in Data([0, 0, 8, 6, 0, 0, 0, 0, 0]) + Data("8 bytes.".utf8) { raw.send([byte]) }
    #expect(raw.read(until: "8 bytes.") != nil)
  }

  @Test func tooManyFieldsAreRefused() throws {
    let server = try Self.server()
    let client = try Client(port: server.server.port)
    client.send(Client.head(1, "GET", "/plain", Array(repeating: ("x", "1"), count: 300)))
    #expect(client.answer(1).code == nil)
    #expect(server.log.map(\.status) == [431])
  }

  @Test func aHeadThatIsTooLargeEndsTheConnection() throws {
    let server = try Self.server()
    let client = try Client(port: server.server.port)
    let piece = Data(repeating: 0x40, count: 16_000)
    client.send(
      [.init(type: 1, flags: 1, stream: 1, payload: Client.encoded([(":method", "GET")]))]
        + Array(repeating: .init(type: 9, stream: 1, payload: piece), count: 100))
    let isRefused = client.frames().contains { $0.isGoAway && $0.code != 0 }
    #expect(isRefused || client.ending == .reset)
    #expect(try TestServerProbe.answers(server))
  }

  @Test func contentThatDoesNotComeIsGivenUp() throws {
    let server = try Self.server { $0.idleTimeout = .milliseconds(100) }
    let client = try Client(port: server.server.port)
    client.send(Client.head(1, "POST", "/echo", isWhole: false))
    _ = client.frames(until: \.isReset)
    #expect(server.log.map(\.status) == [408])
  }

  @Test func contentWaitsForAClientThatHasNoRoom() throws {
    let server = try Self.server()
    let client = try Client(port: server.server.port, settings: [(4, 2)])
    client.send(Client.get(1, "/plain"))
    var frames = client.frames { $0.isData }
    #expect(frames.last?.payload == Data("he".utf8))
    client.send(.init(type: 8, stream: 1, payload: Client.number(100)))
    frames = client.frames { $0.endsStream }
    #expect(frames.reduce(Data()) { $0 + $1.payload } == Data("llo".utf8))
  }

  @Test func aClientThatNeverHasRoomIsGivenUp() throws {
    let server = try Self.server { $0.idleTimeout = .milliseconds(100) }
    let client = try Client(port: server.server.port, settings: [(4, 0)])
    client.send(Client.get(1, "/large"))
    #expect(client.frames().contains { $0.isData && !$0.payload.isEmpty } == false)
    #expect(client.ending != RawClient.Ending.none)
  }

  // MARK: Attacks

  static let attacks: [(name: String, code: UInt32, frames: [HTTP2Client.Frame])] = [
    (
      "requests that are given up at once", 11,
      (0..<2_000).flatMap { number in
        let stream = UInt32(2 * number + 1)
        return [
          HTTP2Client.get(stream, "/never"),
          .init(type: 3, stream: stream, payload: HTTP2Client.number(8)),
        ]
      }
    ),
    ("settings without end", 11, Array(repeating: .init(type: 4), count: 1_000)),
    ("content of a stream that is not there", 1, [HTTP2Client.data(1, "x")]),
    ("a frame that is too long", 6, [.init(type: 0, stream: 1, payload: Data(count: 20_000))]),
    (
      "fields that are not compressed as they should be", 9,
      [.init(type: 1, flags: 5, stream: 1, payload: Data([0xFF, 0xFF, 0xFF, 0xFF, 0x7F]))]
    ),
    ("an even stream", 1, [HTTP2Client.get(2, "/plain")]),
  ]

  @Test(arguments: attacks.indices)
  func anAttackEndsItsConnectionOnly(_ index: Int) throws {
    let attack = Self.attacks[index]
    let server = try Self.server()
    let client = try Client(port: server.server.port)
    client.send(attack.frames)
    let reason = client.frames().first(where: \.isGoAway)?.code
    // A reset may overtake the reason.
    #expect(reason == attack.code || reason == nil && client.ending == .reset, "\(attack.name)")
    #expect(client.ending != RawClient.Ending.none, "\(attack.name)")
    #expect(try TestServerProbe.answers(server), "\(attack.name)")
  }

  @Test func aPrefaceThatGoesWrongEndsTheConnection() throws {
    let server = try Self.server()
    let client = try server.client()
    client.send("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n" + String(repeating: "\0", count: 9))
    #expect(client.read().ending != RawClient.Ending.none)
  }

  @Test(arguments: ["P", "PRI", "PRI * HT"])
  func halfAPrefaceIsNotWaitedForLong(_ bytes: String) throws {
    let server = try Self.server { $0.idleTimeout = .milliseconds(50) }
    let client = try server.client()
    client.send(bytes)
    #expect(client.read().ending == .closed)
  }

  @Test func aMethodThatBeginsAsThePrefaceIsHTTP1() throws {
    let server = try Self.server()
    let text = try server.exchange(
      "PUT /plain HTTP/1.1\r\nHost: a.test\r\nContent-Length: 0\r\n\r\n")
    #expect(text.hasSuffix("hello"))
  }

  // MARK: The end

  @Test func whatAClientSendsBeforeItKnowsOfTheEndIsAnswered() throws {
    let server = try Self.server { $0.idleTimeout = .milliseconds(50) }
    let client = try Client(port: server.server.port)
    client.send(Client.get(1, "/plain"))
    #expect(client.answer(1).content == "hello")
    let first = client.frames(until: \.isGoAway)
    #expect(first.last?.code == 0)
    // No stream is excluded yet.
    #expect(first.last.map { Client.Frame.number($0.payload.prefix(4)) } == 0x7FFF_FFFF)
    client.send(Client.get(3, "/plain"))
    #expect(client.answer(3).content == "hello")
    let last = client.frames()
    #expect(last.map { Client.Frame.number($0.payload.prefix(4)) } == [3])
    #expect(client.ending == .closed)
  }

  @Test func anIdleConnectionIsToldThatItEnds() throws {
    let server = try Self.server {
      $0.idleTimeout = .milliseconds(50)
      $0.lingerTime = .milliseconds(50)
    }
    let client = try Client(port: server.server.port)
    client.send(Client.get(1, "/plain"))
    #expect(client.answer(1).content == "hello")
    let rest = client.frames()
    #expect(rest.map(\.isGoAway) == [true, true] && rest.map(\.code) == [0, 0])
    #expect(client.ending == .closed)
  }

  @Test func answersInProgressAreFinishedWhenTheServerEnds() throws {
    let server = try Self.server()
    let client = try Client(port: server.server.port)
    client.send(Client.get(1, "/never"), Client.get(3, "/late"), Client.get(5, "/plain"))
    #expect(client.answer(5).content == "hello")
    let ended = server.server
    Thread { ended.end() }.start()
    let frames = client.frames()
    #expect(frames.first { $0.isGoAway }?.code == 0)
    let late = frames.filter { $0.stream == 3 && $0.isData }.reduce(Data()) { $0 + $1.payload }
    #expect(late == Data("late".utf8))
    #expect(client.ending == .closed)
  }
}

/// Whether a server still answers another client.
enum TestServerProbe {
  static func answers(_ server: TestServer) throws -> Bool {
    try server.exchange("GET /plain HTTP/1.1\r\nHost: a.test\r\n\r\n").hasSuffix("hello")
  }
}
#endif
