#if Server
import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServer
import Testing

/// Bytes that a client sends, and those that the server must send back.
struct TortureCase: Sendable, CustomStringConvertible {
  var description: String
  var sent: String
  /// The whole of what comes back; `…` stands for any text within a line.
  var received: String
  var ending = RawClient.Ending.closed
  /// Whether the client sends the end of its half after the bytes.
  var sendsEnd = true

  init(
    _ name: String, _ sent: String, _ received: String, ending: RawClient.Ending = .closed,
    sendsEnd: Bool = true
  ) {
    description = name
    self.sent = sent
    self.received = received
    self.ending = ending
    self.sendsEnd = sendsEnd
  }
}

@Suite struct TortureTests {
  static let document = """
    {"scenario": "torture", "stubs": [
      {"key": "plain", "request": {"path": "/plain"}, "responses": [{"text": "hello"}]},
      {"key": "late", "request": {"path": "/late"},
       "responses": [{"text": "late", "delay": "20ms"}]},
      {"key": "none", "request": {"path": "/none"}, "responses": [{"status": 204}]},
      {"key": "reset content", "request": {"path": "/205"}, "responses": [{"status": 205}]},
      {"key": "same", "request": {"path": "/304"},
       "responses": [{"status": 304, "headers": {"ETag": "\\"1\\""}}]},
      {"key": "created", "request": {"method": "POST", "path": "/echo"}, "responses": [
        {"status": 201, "template": true, "text": "<{{request.body}}>"}]},
      {"key": "pieces", "request": {"path": "/pieces"},
       "responses": [{"chunks": [{"text": "one,"}, {"text": "two", "after": "5ms"}]}]},
      {"key": "coded", "request": {"path": "/coded"}, "responses": [
        {"headers": {"Transfer-Encoding": "chunked", "Content-Length": "99"}, "text": "hello"}]},
      {"key": "coded pieces", "request": {"path": "/coded-pieces"}, "responses": [
        {"headers": {"Transfer-Encoding": "chunked"},
         "chunks": [{"text": "one,"}, {"text": "two", "after": "5ms"}]}]},
      {"key": "lies", "request": {"path": "/lies"},
       "responses": [{"headers": {"Content-Length": "99"}, "text": "hello"}]},
      {"key": "closes", "request": {"path": "/closes"},
       "responses": [{"headers": {"Connection": "close"}, "text": "bye"}]},
      {"key": "gzip", "request": {"path": "/gzip"}, "responses": [
        {"headers": {"Content-Encoding": "gzip"}, "text": "not really"}]},
      {"key": "reset", "request": {"path": "/reset"},
       "responses": [{"fault": "connectionReset"}]},
      {"key": "empty", "request": {"path": "/empty"},
       "responses": [{"fault": "emptyResponse"}]},
      {"key": "garbage", "request": {"path": "/garbage"}, "responses": [{"fault": "garbage"}]},
      {"key": "truncated", "request": {"path": "/truncated"},
       "responses": [{"text": "12345678", "fault": "truncated"}]},
      {"key": "never", "request": {"path": "/never"}, "responses": [{"fault": "never"}]},
      {"key": "lost", "request": {"path": "/lost"}, "responses": [
        {"text": "12345678", "error": "networkConnectionLost", "afterBytes": 3}]},
      {"key": "offline", "request": {"path": "/offline"},
       "responses": [{"error": "notConnectedToInternet"}]},
      {"key": "unreadable", "request": {"path": "/unreadable"},
       "responses": [{"error": "cannotParseResponse"}]},
      {"key": "timeout", "request": {"path": "/timeout"}, "responses": [{"error": "timedOut"}]},
      {"key": "passes", "request": {"path": "/passes"}, "responses": [{"passthrough": true}]}
    ]}
    """

  static let limits: ServerOptions = {
    var options = ServerOptions()
    options.largestBody = 100
    options.longestTarget = 1_000
    options.headerTimeout = .milliseconds(50)
    options.idleTimeout = .milliseconds(200)
    options.lingerTime = .milliseconds(50)
    options.threadCount = 1
    return options
  }()

  /// A whole response with text.
  static func ok(_ text: String, closes: Bool = false, keeps: Bool = false) -> String {
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: \(text.utf8.count)\r\n"
      + (closes ? "Connection: close\r\n" : keeps ? "Connection: keep-alive\r\n" : "")
      + "\r\n\(text)"
  }

  /// A refusal, which ends the connection.
  static func refused(_ status: String) -> String {
    "HTTP/1.1 \(status)\r\nContent-Type: application/problem+json\r\nContent-Length: …\r\n"
      + "Connection: close\r\n\r\n{…}\n"
  }

  /// A request of HTTP/1.1 without content.
  static func get(_ path: String, _ fields: String...) -> String {
    "GET \(path) HTTP/1.1\r\nHost: a.test\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
  }

  static func post(_ fields: String..., content: String) -> String {
    "POST /echo HTTP/1.1\r\nHost: a.test\r\n" + fields.map { $0 + "\r\n" }.joined()
      + "\r\n\(content)"
  }

  static func created(_ text: String) -> String {
    "HTTP/1.1 201 Created\r\nContent-Type: text/plain; charset=utf-8\r\n"
      + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
  }

  private static let go = "HTTP/1.1 100 Continue\r\n\r\n"

  static let cases: [TortureCase] = [
    .init("a request", get("/plain"), ok("hello")),
    .init(
      "requests one behind the other are answered in order",
      get("/late") + get("/plain") + get("/late"), ok("late") + ok("hello") + ok("late")),
    .init(
      "HTTP/1.0 ends after the answer", "GET /plain HTTP/1.0\r\n\r\n", ok("hello", closes: true),
      sendsEnd: false),
    .init(
      "HTTP/1.0 goes on if it is asked to",
      "GET /plain HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /plain HTTP/1.0\r\n\r\n",
      ok("hello", keeps: true) + ok("hello", closes: true), sendsEnd: false),
    .init(
      "HTTP/1.0 gets no chunks", "GET /coded HTTP/1.0\r\n\r\n", ok("hello", closes: true)),
    .init(
      "the client ends the connection", get("/plain", "Connection: close") + get("/plain"),
      ok("hello", closes: true), sendsEnd: false),
    .init(
      "a stub ends the connection", get("/closes") + get("/plain"), ok("bye", closes: true),
      sendsEnd: false),
    .init(
      "HEAD gets the length and no content",
      "HEAD /plain HTTP/1.1\r\nHost: a.test\r\n\r\n" + get("/none"),
      String(ok("hello").dropLast(5)) + "HTTP/1.1 204 No Content\r\n\r\n"),
    .init("204 has no length", get("/none"), "HTTP/1.1 204 No Content\r\n\r\n"),
    .init(
      "205 has no content", get("/205"), "HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n"),
    .init("304 has no length", get("/304"), "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n"),
    .init("a length that a stub gets wrong is put right", get("/lies"), ok("hello")),
    .init(
      "content keeps its coding", get("/gzip"),
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 10\r\n\r\nnot really"
    ),
    .init(
      "chunks are sent where a stub says so", get("/coded"),
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    ),
    .init(
      "pieces over time", get("/pieces") + get("/plain"), ok("one,two") + ok("hello")),
    .init(
      "pieces as chunks", get("/coded-pieces") + get("/plain"),
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n4\r\none,\r\n3\r\ntwo\r\n0\r\n\r\n"
        + ok("hello")),
    .init(
      "a range", get("/plain", "Range: bytes=1-3"),
      "HTTP/1.1 206 Partial Content\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Range: bytes 1-3/5\r\nContent-Length: 3\r\n\r\nell"
    ),
    // Content of requests.
    .init("content with a length", post("Content-Length: 3", content: "abc"), created("<abc>")),
    .init(
      "content in chunks, with an extension and a trailer",
      post("Transfer-Encoding: chunked", content: "2;x=1\r\nab\r\n1\r\nc\r\n0\r\nX: 1\r\n\r\n")
        + get("/plain"), created("<abc>") + ok("hello")),
    .init(
      "a go-ahead before the content",
      post("Content-Length: 3", "Expect: 100-continue", content: "abc"), go + created("<abc>")),
    .init(
      "no go-ahead for HTTP/1.0",
      "POST /echo HTTP/1.0\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc",
      "HTTP/1.1 201 Created\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 5\r\n"
        + "Connection: close\r\n\r\n<abc>"),
    .init(
      "no go-ahead for content that is too large",
      post("Content-Length: 101", "Expect: 100-continue", content: ""),
      refused("413 Content Too Large"), sendsEnd: false),
    .init(
      "content that turns out too large",
      post(
        "Transfer-Encoding: chunked", content: "65\r\n\(String(repeating: "x", count: 101))\r\n"),
      refused("413 Content Too Large"), sendsEnd: false),
    .init("an unknown expectation", get("/plain", "Expect: x"), refused("417 Expectation Failed")),
    // Bytes that are no request.
    .init("no Host", "GET /plain HTTP/1.1\r\n\r\n", refused("400 Bad Request")),
    .init("two Hosts", get("/plain", "Host: b.test"), refused("400 Bad Request")),
    .init(
      "a length and chunks",
      post("Content-Length: 5", "Transfer-Encoding: chunked", content: "0\r\n\r\n"),
      refused("400 Bad Request")),
    .init(
      "an empty coding", post("Transfer-Encoding:", content: "") + get("/plain"),
      refused("400 Bad Request")),
    .init(
      "a list of codings that begins with nothing",
      post("Transfer-Encoding: ,chunked", content: "0\r\n\r\n"), refused("400 Bad Request")),
    .init(
      "chunked twice",
      post("Transfer-Encoding: chunked, chunked", content: "0\r\n\r\n"),
      refused("400 Bad Request")),
    .init(
      "a coding below the chunks",
      post("Transfer-Encoding: gzip, chunked", content: "1\r\nx\r\n0\r\n\r\n"),
      refused("501 Not Implemented")),
    .init(
      "chunks in HTTP/1.0",
      "POST /echo HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "0\r\n\r\n", refused("400 Bad Request")),
    .init(
      "a length that no integer holds",
      post("Content-Length: 9223372036854775808", "Expect: 100-continue", content: ""),
      refused("413 Content Too Large"), sendsEnd: false),
    .init(
      "the largest length",
      post("Content-Length: 18446744073709551615", "Expect: 100-continue", content: ""),
      refused("413 Content Too Large"), sendsEnd: false),
    .init(
      "a Host with more than a host", "GET /plain HTTP/1.1\r\nHost: a b@c/d?e#\r\n\r\n",
      refused("400 Bad Request")),
    .init(
      "a Host with text behind its address", "GET /plain HTTP/1.1\r\nHost: [::1]evil\r\n\r\n",
      refused("400 Bad Request")),
    .init(
      "an empty Host", "GET /plain HTTP/1.1\r\nHost:\r\n\r\n", ok("hello")),
    .init(
      "two lengths", post("Content-Length: 3", "Content-Length: 4", content: "abcd"),
      refused("400 Bad Request")),
    .init(
      "no number as length", post("Content-Length: +3", content: "abc"), refused("400 Bad Request")),
    .init(
      "a coding that is not chunked",
      post("Transfer-Encoding: gzip", content: "abc"), refused("400 Bad Request")),
    .init(
      "a chunk without a size", post("Transfer-Encoding: chunked", content: "x\r\n"),
      refused("400 Bad Request")),
    .init(
      "an extension of a chunk without an end",
      post(
        "Transfer-Encoding: chunked", content: "1;" + String(repeating: "x", count: 620_000)),
      refused("400 Bad Request"), sendsEnd: false),
    .init(
      "the size of a chunk without an end",
      post(
        "Transfer-Encoding: chunked",
        content: "1\r\nx\r\n" + String(repeating: "0", count: 620_000)),
      refused("400 Bad Request"), sendsEnd: false),
    .init("a space before a colon", get("/plain", "X : 1"), refused("400 Bad Request")),
    .init("a name without a colon", get("/plain", "X"), refused("400 Bad Request")),
    .init("a NUL in a value", get("/plain", "X: a\u{0}b"), refused("400 Bad Request")),
    .init(
      "no HTTP at all", "\u{1}\u{3}\u{1}\u{2}\u{0}", refused("501 Not Implemented"),
      sendsEnd: false),
    .init(
      "an error behind a request that is answered late",
      get("/late") + "GET / HTTP/1.1\r\nX\r\n\r\n",
      ok("late") + refused("400 Bad Request")),
    .init(
      "an error far before the last byte, behind a request that is answered late",
      get("/late") + "GET / HTTP/1.1\r\nX\r\n\r\n" + String(repeating: "x", count: 10_000),
      ok("late") + refused("400 Bad Request")),
    .init(
      "a target that is too long", get("/" + String(repeating: "x", count: 1_000)),
      refused("414 URI Too Long")),
    .init(
      "too many fields",
      get("/plain", Array(repeating: "X: 1", count: 300).joined(separator: "\r\n")),
      refused("431 Request Header Fields Too Large")),
    .init(
      "a field that is too long", get("/plain", "X: " + String(repeating: "x", count: 300_000)),
      refused("431 Request Header Fields Too Large")),
    .init(
      "an unknown method", "BREW /plain HTTP/1.1\r\nHost: a\r\n\r\n", refused("501 Not Implemented")
    ),
    .init(
      "HTTP/3.0", "GET /plain HTTP/3.0\r\nHost: a\r\n\r\n",
      refused("505 HTTP Version Not Supported")),
    // Time-outs and ends.
    .init(
      "a head that stops half-way", "GET /plain HTTP/1.1\r\nHo", refused("408 Request Timeout"),
      sendsEnd: false),
    .init(
      "a head that stops behind a request", get("/plain") + "GET /plain HTTP/1.1\r\nHo",
      ok("hello") + refused("408 Request Timeout"), sendsEnd: false),
    .init(
      "a head that stops behind a request that is answered late",
      get("/late") + get("/plain") + "GET /plain HTTP/1.1\r\n",
      ok("late") + ok("hello") + refused("408 Request Timeout"), sendsEnd: false),
    .init(
      "content that stops half-way", post("Content-Length: 3", content: "a"),
      refused("408 Request Timeout"), sendsEnd: false),
    .init("a client that says nothing", "", "", sendsEnd: false),
    .init("a client that ends at once", "", ""),
    .init("half a request and the end", "GET /plain HTTP/1.1\r\nHo", refused("400 Bad Request")),
    .init(
      "half of the content and the end", post("Content-Length: 3", content: "a"),
      refused("400 Bad Request")),
    .init("a late answer after the end", get("/late"), ok("late")),
    .init(
      "Java's first request", get("/plain", "Connection: Upgrade", "Upgrade: h2c") + get("/plain"),
      ok("hello", closes: true), sendsEnd: false),
    .init("the end of a client that gets no answer", get("/never"), ""),
    // Faults.
    .init("connectionReset", get("/reset"), "", ending: .reset, sendsEnd: false),
    .init("emptyResponse", get("/empty"), "", sendsEnd: false),
    .init("garbage", get("/garbage"), "\u{1}\u{2}not HTTP\r\n\r\n", sendsEnd: false),
    .init("truncated", get("/truncated"), String(ok("12345678").dropLast(4)), sendsEnd: false),
    .init("an error that a network can show", get("/offline"), "", ending: .reset, sendsEnd: false),
    .init(
      "an answer that is none", get("/unreadable"), "\u{1}\u{2}not HTTP\r\n\r\n", sendsEnd: false),
    .init("timedOut", get("/timeout"), ""),
    .init(
      "passthrough", get("/passes"),
      "HTTP/1.1 502 Bad Gateway\r\nContent-Type: application/problem+json\r\nContent-Length: …\r\n\r\n{…}\n"
    ),
    .init(
      "an absolute target", "GET http://a.test/plain HTTP/1.1\r\nHost: b.test\r\n\r\n", ok("hello")),
  ]

  @Test(arguments: cases)
  func bytesInGiveBytesOut(_ row: TortureCase) throws {
    let server = try TestServer(Self.document, options: Self.limits)
    let client = try server.client()
    client.send(row.sent)
    if row.sendsEnd { client.sendEnd() }
    let (bytes, ending) = client.read()
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(Self.matches(text, row.received), "\(text) != \(row.received)")
    #expect(ending == row.ending)
  }

  @Test func answersOfSlowPatternsStayInOrder() throws {
    let server = try TestServer(
      """
      {"scenario": "slow", "stubs": [
        {"key": "slow", "request": {"method": "POST", "path": "/echo",
          "body": {"matches": "(.*a){3}"}}, "responses": [{"text": "slow"}]},
        {"key": "plain", "request": {"path": "/plain"}, "responses": [{"text": "hello"}]}]}
      """)
    let slow = Self.post("Content-Length: 3", content: "aaa")
    let text = try server.exchange(slow + Self.get("/plain") + slow + Self.get("/plain"))
    #expect(
      text == Self.ok("slow") + Self.ok("hello") + Self.ok("slow") + Self.ok("hello"), "\(text)")
  }

  @Test func whatWasSentBeforeAResetMayArrive() throws {
    let server = try TestServer(Self.document)
    let client = try server.client()
    client.send(Self.get("/lost"))
    let (bytes, ending) = client.read()
    #expect(ending == .reset)
    let whole = String(Self.ok("12345678").dropLast(5))
    #expect(whole.hasPrefix(String(decoding: bytes, as: UTF8.self)))
  }

  /// Whether the text is the pattern, in which `…` stands for any text without line ends.
  static func matches(_ text: String, _ pattern: String) -> Bool {
    let parts = pattern.components(separatedBy: "…")
    guard parts.count > 1 else { return text == pattern }
    var rest = text[...]
    guard rest.hasPrefix(parts[0]) else { return false }
    rest = rest.dropFirst(parts[0].count)
    for part in parts.dropFirst() {
      guard let found = rest.range(of: part), !rest[..<found.lowerBound].contains("\r\n") else {
        return false
      }
      rest = rest[found.upperBound...]
    }
    return rest.isEmpty
  }
}
#endif
