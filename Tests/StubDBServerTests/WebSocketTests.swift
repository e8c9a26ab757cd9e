#if Server
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBServer
import StubDBServing
import Testing

/// WebSockets whose scripts are stubs.
@Suite struct WebSocketTests {
  static let document = """
    {"scenario": "orders", "stubs": [
      {"key": "orders", "request": {"url": "wss://api.shop.test/v1/orders"}, "responses": [
        {"headers": {"X-Server": "stub"}, "webSocket": {"protocol": "orders.v1", "frames": [
          {"send": {"json": {"type": "hello"}}},
          {"expect": {"equalToJson": {"subscribe": "o_1"}}, "within": "20s"},
          {"send": {"json": {"state": "paid"}}, "after": "1ms"},
          {"send": {"base64": "AAE="}}, {"close": 1000, "reason": "done"}]}}]},
      {"key": "list", "request": {"url": "https://api.shop.test/v1/orders"},
       "responses": [{"json": []}]},
      {"key": "echo", "request": {"path": "/echo"},
       "responses": [{"webSocket": {"otherwise": "echo"}}]},
      {"key": "late echo", "request": {"path": "/late"},
       "responses": [{"delay": "20ms", "webSocket": {"otherwise": "echo"}}]},
      {"key": "prices", "request": {"path": "/prices"}, "responses": [{"webSocket": {"frames": [
        {"send": {"text": "1"}, "after": "1us"}], "repeatFrom": 0, "otherwise": "ignore"}}]},
      {"key": "reset", "request": {"path": "/reset"}, "responses": [{"webSocket": {"frames": [
        {"send": {"text": "a"}}, {"fault": "connectionReset"}]}}]},
      {"key": "silent", "request": {"path": "/silent"}, "responses": [{"webSocket": {"frames": [
        {"fault": "never"}]}}]},
      {"key": "impatient", "request": {"path": "/impatient"}, "responses": [{"webSocket": {"frames": [
        {"expect": {"contains": "a"}, "within": "1ms"}]}}]},
      {"key": "hello", "request": {"path": "/hello"}, "responses": [{"template": true,
        "webSocket": {"frames": [{"send": {"text": "hello {{request.query.name}}"}}]}}]}]}
    """

  private static func field(_ name: String, _ value: String) -> String { "\(name): \(value)\r\n" }

  // MARK: The handshake

  @Test func theConnectionBecomesAWebSocket() throws {
    let server = try TestServer(Self.document)
    let socket = try RawWebSocket(
      server, "/v1/orders", Self.field("Sec-WebSocket-Protocol", "orders.v2, orders.v1"))
    // The example of RFC 6455, section 1.3.
    #expect(
      socket.head == """
        HTTP/1.1 101 Switching Protocols\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r
        Sec-WebSocket-Protocol: orders.v1\r
        X-Server: stub\r
        \r

        """)
    #expect(socket.next() == .text(#"{"type":"hello"}"#))
    socket.send(RawWebSocket.text(#"{"subscribe": "o_1"}"#))
    #expect(socket.next() == .text(#"{"state":"paid"}"#))
    #expect(socket.next() == RawWebSocket.Frame(opcode: 2, content: Data([0, 1])))
    #expect(socket.next() == .close(1000, "done"))
    socket.send(RawWebSocket.close(1000))
    #expect(socket.ending == .closed)
  }

  @Test func theSubprotocolOfTheClientIsTakenIfTheStubNamesNone() throws {
    let server = try TestServer(Self.document)
    let socket = try RawWebSocket(server, "/echo", Self.field("Sec-WebSocket-Protocol", "a, b"))
    #expect(socket.head.contains("\r\nSec-WebSocket-Protocol: a\r\n"))
    let none = try RawWebSocket(server, "/echo")
    #expect(!none.head.contains("Sec-WebSocket-Protocol"))
  }

  @Test func theSchemesShareAnOrigin() throws {
    let server = try TestServer(Self.document)
    #expect(try server.exchange("GET /v1/orders HTTP/1.0\r\n\r\n").hasSuffix("\r\n\r\n[]"))
    let fields = Self.field("Sec-WebSocket-Protocol", "orders.v1")
    _ = try RawWebSocket(server, "/v1/orders", fields)
    let urls = server.player.run.journal.map(\.request.url)
    #expect(urls == ["https://api.shop.test/v1/orders", "wss://api.shop.test/v1/orders"])
  }

  @Test(arguments: [
    ("GET /echo HTTP/1.1\r\nHost: h\r\n\r\n", "426 Upgrade Required", "Upgrade: websocket"),
    (
      RawWebSocket.request("/echo", version: 8), "426 Upgrade Required", "Sec-WebSocket-Version: 13"
    ),
    (RawWebSocket.request("/echo", key: "YQ=="), "400 Bad Request", "Connection: close"),
    (
      RawWebSocket.request("/v1/orders", "Sec-WebSocket-Protocol: chat\r\n"), "400 Bad Request",
      "offers chat"
    ),
    (RawWebSocket.request("/v1/orders"), "400 Bad Request", "offers none"),
    (RawWebSocket.request("/nothing"), "404 Not Found", "Connection: close"),
  ])
  func anUpgradeThatCannotBeIsRefused(request: String, status: String, text: String) throws {
    let server = try TestServer(Self.document)
    let answer = try server.exchange(request)
    #expect(answer.hasPrefix("HTTP/1.1 \(status)\r\n"), "\(answer)")
    #expect(answer.contains(text), "\(answer)")
  }

  @Test(arguments: ["/echo", "/late"])
  func whatIsSentAheadIsNotLost(path: String) throws {
    let server = try TestServer(Self.document)
    let socket = try RawWebSocket(
      server, path, ahead: RawWebSocket.text("a") + RawWebSocket.text("b"))
    #expect(socket.next() == .text("a"))
    #expect(socket.next() == .text("b"))
  }

  // MARK: Frames

  @Test func partsOfAMessageBelongTogetherAndPingsAreAnsweredBetween() throws {
    let server = try TestServer(Self.document)
    let socket = try RawWebSocket(server, "/echo")
    let letter = Array("é".utf8)
    socket.send(
      RawWebSocket.frame(0x01, letter[..<1]) + RawWebSocket.frame(0x89, Array("now".utf8))
        + RawWebSocket.frame(0x00, letter[1...]) + RawWebSocket.frame(0x80, [UInt8]()))
    #expect(socket.next() == RawWebSocket.Frame(opcode: 10, content: Data("now".utf8)))
    #expect(socket.next() == .text("é"))
    socket.send(RawWebSocket.frame(0x8A, [UInt8]()) + RawWebSocket.close(3000))
    #expect(socket.next() == .close(3000))
    #expect(socket.ending == .closed)
  }

  @Test func aMessageInVeryManyPartsIsTakenWhole() throws {
    let server = try TestServer(Self.document)
    let socket = try RawWebSocket(server, "/echo")
    let count = 100_000
    let part = RawWebSocket.frame(0x00, [0x61])
    socket.send(
      RawWebSocket.frame(0x02, [0x61]) + repeatElement(part, count: count - 2).joined()
        + RawWebSocket.frame(0x80, [0x61]))
    #expect(socket.nextMessage() == Data(repeating: 0x61, count: count))
  }

  @Test func aLargeMessageIsSentInParts() throws {
    let server = try TestServer(Self.document)
    let socket = try RawWebSocket(server, "/echo")
    let content = Data(repeating: 0x61, count: 200_000)
    socket.send(RawWebSocket.frame(0x82, content))
    #expect(socket.nextMessage() == content)
  }

  @Test(arguments: [
    ("no mask", RawWebSocket.frame(0x81, Array("a".utf8), isMasked: false), 1002),
    ("a reserved bit", RawWebSocket.frame(0xC1, Array("a".utf8)), 1002),
    ("an unknown opcode", RawWebSocket.frame(0x83, Array("a".utf8)), 1002),
    ("an unknown control frame", RawWebSocket.frame(0x8B, [UInt8]()), 1002),
    ("a continuation of nothing", RawWebSocket.frame(0x80, Array("a".utf8)), 1002),
    (
      "a message within a message",
      RawWebSocket.frame(0x01, Array("a".utf8)) + RawWebSocket.text("b"), 1002
    ),
    ("a ping in parts", RawWebSocket.frame(0x09, Array("a".utf8)), 1002),
    ("a long ping", RawWebSocket.frame(0x89, Data(repeating: 0, count: 126)), 1002),
    ("text that is not UTF-8", RawWebSocket.frame(0x81, [0xC3, 0x28]), 1007),
    ("half a letter", RawWebSocket.frame(0x81, [0xC3]), 1007),
    ("a frame that is too large", RawWebSocket.frame(0x82, [UInt8](), length: 1 << 21), 1009),
    ("a length without end", RawWebSocket.frame(0x82, [UInt8](), length: Int.max), 1009),
    (
      "parts that are too large",
      RawWebSocket.frame(0x02, Data(repeating: 0, count: 1 << 20))
        + RawWebSocket.frame(0x80, [UInt8(0)]), 1009
    ),
    ("half a code", RawWebSocket.frame(0x88, [UInt8(3)]), 1002),
    ("a code that stands for none", RawWebSocket.close(1005), 1002),
    ("a reason that is not UTF-8", RawWebSocket.frame(0x88, [3, 0xE8, 0xFF]), 1007),
  ])
  func bytesThatAreNoMessageCloseTheConnection(name: String, bytes: [UInt8], code: Int) throws {
    let server = try TestServer(Self.document)
    let socket = try RawWebSocket(server, "/echo")
    socket.send(bytes)
    #expect(socket.next()?.code == code, "\(name)")
    socket.client.sendEnd()
    #expect(socket.ending == .closed, "\(name)")
    // The next connection is none the worse.
    let next = try RawWebSocket(server, "/echo", ahead: RawWebSocket.text("a"))
    #expect(next.next() == .text("a"))
  }

  @Test func randomBytesHurtNobody() throws {
    let server = try TestServer(Self.document)
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<50 {
      let socket = try RawWebSocket(server, "/echo")
      socket.send((0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) })
      socket.client.sendEnd()
      #expect(socket.ending != .none)
    }
    #expect(try RawWebSocket(server, "/echo", ahead: RawWebSocket.text("a")).next() == .text("a"))
  }

  // MARK: Ends

  @Test func aResetIsAReset() throws {
    let server = try TestServer(Self.document)
    #expect(try RawWebSocket(server, "/reset").ending == .reset)
  }

  @Test func silenceLastsUntilTheClientGoes() throws {
    let server = try TestServer(Self.document)
    let socket = try RawWebSocket(
      server, "/silent", ahead: RawWebSocket.frame(0x89, [UInt8]()) + RawWebSocket.close(1000))
    socket.client.sendEnd()
    #expect(socket.next() == nil)
    #expect(socket.ending == .closed)
  }

  @Test func theEndOfTheServerIsTold() throws {
    let server = try TestServer(Self.document)
    let socket = try RawWebSocket(server, "/echo", ahead: RawWebSocket.text("a"))
    #expect(socket.next() == .text("a"))
    let silent = try RawWebSocket(server, "/silent")
    let ended = server.server
    DispatchQueue.global().async { ended.end() }
    #expect(socket.next() == .close(1001, "the server is ending"))
    socket.send(RawWebSocket.close(1001))
    #expect(socket.ending == .closed)
    #expect(silent.ending == .closed)
  }

  @Test func theEndOfItsSessionEndsAWebSocket() throws {
    let server = try TestServer(catalog: try TestCatalog(Self.document), scenario: "orders")
    let session = try server.ask("POST", "/__stubdb/sessions", "{}").text("id")
    let socket = try RawWebSocket(server, "/~\(session)/echo", ahead: RawWebSocket.text("a"))
    #expect(socket.next() == .text("a"))
    _ = try server.ask("DELETE", "/__stubdb/sessions/\(session)")
    #expect(socket.next()?.code == 1001)
  }

  @Test func aWebSocketOutlivesAChangeOfTheCatalog() throws {
    let catalog = try TestCatalog(Self.document)
    var options = ServerOptions()
    options.reloadInterval = .milliseconds(1)
    let server = try TestServer(catalog: catalog, scenario: "orders", options: options)
    let session = try server.makeSession()
    let socket = try RawWebSocket(server, "/~\(session)/echo", ahead: RawWebSocket.text("a"))
    #expect(socket.next() == .text("a"))
    try catalog.catalog.edit { editor in
      try editor.insert(
        Stub(key: "new", request: RequestPattern(url: "/new")),
        into: try #require(ScenarioName("orders")))
    }
    while try server.ask("GET", "/~\(session)/new").status != 200 {}
    socket.send(RawWebSocket.text("b"))
    #expect(socket.next() == .text("b"))
    let entry = try server.ask("GET", "/__stubdb/sessions/\(session)/journal/1")
    #expect(entry.text("/frames/1/text") == #""b""#)
    _ = try server.ask("DELETE", "/__stubdb/sessions/\(session)")
    #expect(socket.next()?.code == 1001)
  }

  // MARK: Pressure

  @Test func aScriptWaitsForAClientThatDoesNotRead() throws {
    let text = String(repeating: "a", count: 24 << 20)
    var options = ServerOptions()
    options.threadCount = 1
    let server = try TestServer(
      """
      {"scenario": "s", "stubs": [{"key": "plain", "request": {"path": "/plain"}},
        {"key": "large", "request": {"path": "/large"},
         "responses": [{"webSocket": {"frames": [{"send": {"text": "\(text)"}}, {"send": {"text": "b"}}]}}]}]}
      """, options: options)
    let socket = try RawWebSocket(server, "/large", receiveBuffer: 4_096)
    for _ in 0..<20 { _ = try server.exchange("GET /plain HTTP/1.0\r\n\r\n") }
    let run = server.player.run
    #expect(run.journalEntry(1)?.frames?.count == 1)
    #expect(socket.nextMessage()?.count == text.utf8.count)
    #expect(socket.next() == .text("b"))
    #expect(run.journalEntry(1)?.frames?.count == 2)
  }

  @Test func aStreamWithoutAnEndGoesOnUntilTheClientLeaves() throws {
    let server = try TestServer(Self.document, pace: .instant)
    let socket = try RawWebSocket(server, "/prices")
    for _ in 0..<1_000 { #expect(socket.next() == .text("1")) }
    // Whatever is still on its way, the answer to the close comes.
    socket.send(RawWebSocket.close(1000))
    var last = socket.next()
    while let frame = last, frame.opcode == 1 { last = socket.next() }
    #expect(last == .close(1000))
  }

  // MARK: What is told of it

  @Test func theJournalTellsWhatBecameOfEachMessage() throws {
    let server = try TestServer(Self.document)
    let fields = Self.field("Sec-WebSocket-Protocol", "orders.v1")
    let socket = try RawWebSocket(
      server, "/v1/orders", fields, ahead: RawWebSocket.text(#"{"subscribe": "o_2"}"#))
    #expect(socket.next() == .text(#"{"type":"hello"}"#))
    #expect(socket.next() == .close(1008, "frame 1 expects another message"))
    let entry = try server.ask("GET", "/__stubdb/sessions/default/journal/1")
    #expect(entry.text("/frames/0/outcome") == "sent")
    #expect(entry.text("/frames/1/outcome") == "closed with 1008: frame 1 expects another message")
    #expect(entry.text("/frames/1/mismatches/0/pointer") == "/subscribe")
    #expect(entry.text("/frames/1/mismatches/0/expected") == #""o_1""#)
    #expect(entry.text("/frames/1/mismatches/0/actual") == #""o_2""#)
    #expect(entry.text("/remark") == "WebSocket closed with 1008: frame 1 expects another message")
    let problems = server.player.problems()
    #expect(problems.map(\.kind) == [.unexpectedMessage])
    #expect(problems.first?.message.contains(#"/subscribe expected "o_1", got "o_2""#) == true)
    socket.send(RawWebSocket.close(1008))
    #expect(socket.ending == .closed)
    while server.server.connectionCount > 0 {}
    #expect(server.log.last { $0.target == "/v1/orders" }?.status == 101)
  }

  @Test func aMessageThatDoesNotComeIsMissed() throws {
    let server = try TestServer(Self.document)
    let socket = try RawWebSocket(server, "/impatient")
    #expect(socket.next() == .close(1008, "frame 0 got no message within 1ms"))
    #expect(server.player.problems().map(\.kind) == [.unexpectedMessage])
  }

  @Test func messagesAreFilledIn() throws {
    let server = try TestServer(Self.document)
    #expect(try RawWebSocket(server, "/hello?name=Ada").next() == .text("hello Ada"))
  }

  private static let hasClient = PythonProgram.has("websockets")

  @Test(.enabled(if: hasClient, "python has no package websockets: scripts/python-packages"))
  func anIndependentClientUnderstandsIt() throws {
    let server = try TestServer(Self.document)
    let text = try PythonProgram.output(
      of: "websocket_client.py", "ws://127.0.0.1:\(server.server.port)")
    #expect(
      text == """
        subprotocol orders.v1 stub
        got {"type":"hello"}
        got '{"state":"paid"}'
        got b'\\x00\\x01'
        closed 1000 done
        got {"type":"hello"}
        closed 1008 frame 1 expects another message
        echo True
        echo True
        echo True
        echo True
        echo True
        pong True
        closed 4000
        refused 404

        """)
  }
}
#endif
