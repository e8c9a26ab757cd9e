import Foundation
import HTTPTypes
import StubDBFormats
import StubDBJSON
import StubDBModel
import Testing

/// What `curl -i`, `curl -v` and files of messages become.
@Suite struct HTTPMessageImportTests {
  private func run(
    _ text: String, url: String? = nil, method: String? = nil
  ) throws(FormatError) -> ImportRun {
    var options = ImportOptions()
    options.url = url
    options.method = method
    return try ImportRun("answer.txt", text, options: options)
  }

  @Test(arguments: ["\r\n", "\n"])
  func anAnswerNeedsTheURLThatWasAskedFor(lineEnd: String) throws {
    let text = "HTTP/2 200 \ncontent-type: application/json\nx-a: 1\n  2\n\n{\"a\": 1}\n"
      .replacingOccurrences(of: "\n", with: lineEnd)
    let error = #expect(throws: FormatError.self) { try self.run(text) }
    #expect(error?.message.contains("--url") == true)
    let run = try run(text, url: "https://api.shop.test/v1/me")
    #expect(run.stubs.map(\.key) == ["answer"])
    #expect(run.stubs[0].responses[0].body == .json(["a": 1]))
    #expect(run.stubs[0].responses[0].headers.first { $0.name.rawName == "x-a" }?.value == "1 2")
  }

  @Test func interimAnswersAreSkippedAndEveryHopIsAStub() throws {
    let text = """
      HTTP/1.1 100 Continue

      HTTP/1.1 200 Connection established

      HTTP/1.1 301 Moved Permanently
      Location: /v2/me

      HTTP/1.1 200 OK
      Content-Type: text/plain

      hello
      """
    let stubs = try run(text, url: "https://api.shop.test/v1/me").stubs
    #expect(stubs.map { $0.responses[0].status } == [301, 200])
    #expect(stubs.map(\.request.path) == [.template("/v1/me"), .template("/v2/me")])
    #expect(stubs[1].responses[0].body == .text("hello"))
  }

  @Test func requestsAndAnswersArePaired() throws {
    let text = """
      POST /v1/orders HTTP/1.1
      Host: api.shop.test
      Content-Type: application/json
      Content-Length: 7

      {"a":1}
      HTTP/1.1 201 Created
      Content-Length: 2

      ok
      GET /v1/orders/1 HTTP/1.1
      Host: api.shop.test

      HTTP/1.1 404 Not Found

      """
    let stubs = try run(text).stubs
    #expect(stubs.map { $0.responses[0].status } == [201, 404])
    #expect(stubs[0].request.body == [.equalToJSON(["a": 1])])
    #expect(stubs[0].request.host == .equalTo("api.shop.test"))
  }

  @Test func chunksAreUndoneWhereTheyAreThere() throws {
    let head = "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n"
    for text in ["5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n", "hello!"] {
      let run = try run(head + text, url: "https://a.test/")
      #expect(run.stubs[0].responses[0].body == .text("hello!"))
    }
  }

  @Test func bytesAreKept() throws {
    var bytes = Data("HTTP/1.1 200 OK\n\n".utf8)
    bytes += Data([0, 1, 2, 10, 13, 255])
    var options = ImportOptions()
    options.url = "https://a.test/"
    let run = try ImportRun(["a.txt": bytes], options: options)
    #expect(run.stubs[0].responses[0].body == .data(Data([0, 1, 2, 10, 13, 255])))
  }

  @Test func theTraceOfCurlHasTheRequestToo() throws {
    let text = """
      *   Trying 192.0.2.1:443...
      > GET /v1/me?page=2 HTTP/2
      > Host: api.shop.test
      > Accept: */*
      >
      { [5 bytes data]
      < HTTP/2 200
      < content-type: text/plain
      <
      hello
      * Connection #0 to host api.shop.test left intact
      """
    let run = try run(text)
    #expect(run.stubs[0].request.path == .template("/v1/me"))
    #expect(run.stubs[0].request.query == [NamedPattern("page", "2")])
    #expect(run.stubs[0].responses[0].body == .text("hello\n"))
  }

  @Test(arguments: [
    ("HTTP/1.1 99999999999999999999 OK\n\nx", "\"99999999999999999999\" is not a status", 1),
    ("\nHTTP/2 +20\n\n", "\"+20\" is not a status", 2), ("HTTP/1.1 099 X\n\n", "\"099\"", 1),
    ("HTTP/1.1\nA: b\n\n", "the answer has no status", 1),
  ])
  func aStatusLineWithoutAStatusIsNamed(text: String, problem: String, line: Int) throws {
    let error = #expect(throws: FormatError.self) { try self.run(text, url: "https://a.test/") }
    #expect(error?.message.hasPrefix(problem) == true, "\(error?.message ?? "")")
    #expect(error?.line == line)
  }

  @Test func aSchemeThatIsNotWrittenDownIsReported() throws {
    let answer = "\n\nHTTP/1.1 200 OK\n\nok"
    let guessed = try run("GET /a HTTP/1.1\nHost: h.test\(answer)")
    #expect(guessed.ids(.changed) == ["scheme"])
    #expect(guessed.result.report.lines[0].key == "answer")
    #expect(guessed.stubs.map(\.request.scheme) == ["https"])
    #expect(try run("GET http://h.test/a HTTP/1.1\(answer)").result.report.lines == [])
    var options = ImportOptions()
    options.matchesAnyHost = true
    let any = try ImportRun(
      "answer.txt", "GET /a HTTP/1.1\nHost: h.test\(answer)", options: options)
    #expect(any.result.report.lines == [])
    #expect(any.stubs.map(\.request.scheme) == [nil])
  }

  @Test func aRequestWithoutAnAnswerIsReported() throws {
    let run = try run("GET /v1/me HTTP/1.1\nHost: a.test\n\n")
    #expect(run.stubs.isEmpty)
    #expect(run.ids(.dropped) == ["no-answer"])
    #expect(run.result.report.lines[0].pointer == "1:1")
  }

  @Test func whatFollowsAnAnswerAndIsNoMessageBelongsToIt() throws {
    let run = try run("HTTP/1.1 200 OK\nContent-Length: 2\n\nok and more", url: "https://a.test/")
    #expect(run.stubs[0].responses[0].body == .text("ok and more"))
  }

  @Test func exchangesWithoutLengthsEndWhereTheNextMessageBegins() throws {
    let text = """
      GET /v1/a HTTP/1.1
      Host: a.test

      HTTP/1.1 200 OK

      first
      HTTP/1.1 is a protocol

      GET /v1/b HTTP/1.1
      Host: a.test

      HTTP/1.1 200 OK

      second
      """
    for lineEnd in ["\n", "\r\n"] {
      let stubs = try run(text.replacingOccurrences(of: "\n", with: lineEnd)).stubs
      #expect(
        stubs.map { $0.responses[0].body } == [
          .text("first\(lineEnd)HTTP/1.1 is a protocol"), .text("second"),
        ])
      // Several messages are named after what they ask for, not after the file.
      #expect(stubs.map(\.key) == ["get-v1-a", "get-v1-b"])
    }
  }

  @Test(
    arguments: [("100", "damaged"), ("2", "damaged"), ("5", nil), ("x", nil)] as [(String, String?)]
  )
  func aLengthThatIsNotThatOfTheContentIsReported(length: String, id: String?) throws {
    let run = try run("HTTP/1.1 200 OK\nContent-Length: \(length)\n\nhello", url: "https://a.test/")
    #expect(run.stubs[0].responses[0].body == .text("hello"))
    #expect(run.ids(.changed) == (id.map { [$0] } ?? []))
  }

  @Test func anAnswerWhoseContentIsNotThereIsReported() throws {
    let text = "HTTP/1.1 200 OK\nContent-Length: 7\n\n"
    #expect(try run(text, url: "https://a.test/").ids(.dropped) == ["no-body"])
    #expect(try run(text, url: "https://a.test/", method: "HEAD").ids(.dropped) == [])
  }

  @Test func linesOfAHeadThatAreNoFieldsAreReported() throws {
    let run = try run(
      "HTTP/1.1 200 OK\nhttp://a.test/x: 1\nnonsense\nX-A: 1\n\nhello", url: "https://a.test/")
    #expect(run.stubs[0].responses[0].headers.map(\.value) == ["1"])
    #expect(run.ids(.changed) == ["damaged", "damaged"])
  }

  @Test(arguments: ["content-length: 39\n< ", ""])
  func contentsInATraceMayLookLikeAnything(length: String) throws {
    let content = "> quoted\n< more\n* item\nhttp://a.test/\n{"
    let text = """
      *   Trying 192.0.2.1:80...
      * Connected to a.test (192.0.2.1) port 80
      > POST /v1/a HTTP/1.1
      > Host: a.test
      >
      } [5 bytes data]
      < HTTP/1.1 100 Continue
      <
      < HTTP/1.1 200 OK
      < \(length)content-type: text/plain
      <
      { [39 bytes data]
      \(content)* Connection #0 to host a.test left intact
      > GET /v1/b HTTP/1.1
      > Host: a.test
      >
      < HTTP/1.1 204 No Content
      <
      * Connection #0 to host a.test left intact

      """
    let stubs = try run(text).stubs
    try #require(stubs.map { $0.responses[0].status } == [200, 204])
    #expect(stubs[0].responses[0].body == .text(content))
    #expect(stubs[1].responses[0].body == nil)
    // It was not encrypted.
    #expect(stubs.map(\.request.scheme) == ["http", "http"])
  }
}
