#if Server
import Foundation
import StubDBEngine
import StubDBJSON
import StubDBPlayback
import StubDBServer
import Testing

@Suite struct JournalTests {
  private static let path = "/__stubdb/sessions/default"

  private static func server(_ options: ServerOptions = ServerOptions()) throws -> TestServer {
    let server = try TestServer(SessionTests.document, options: options)
    _ = try server.ask("GET", "/two?q=1")
    _ = try server.ask("POST", "/nowhere", "[1]", fields: ["X-A: 1"])
    _ = try server.ask("GET", "/two")
    return server
  }

  @Test func theJournalIsReadInPages() throws {
    let server = try Self.server()
    let first = try server.ask("GET", "\(Self.path)/journal?limit=2")
    #expect(first["/events/0/number"] == 1 && first.text("/events/0/url") == "/two?q=1")
    #expect(first["/events/0/response"] == 1 && first.text("/events/0/key") == "two")
    #expect(first["/events/1/matched"] == false && first.isMissing("/events/2"))
    #expect(first["/events/0/status"] == 200 && first["/events/1/status"] == 404)
    #expect(first["/next"] == 2 && first["/dropped"] == 0)
    let second = try server.ask("GET", "\(Self.path)/journal?after=2")
    #expect(
      second["/events/0/number"] == 3 && second.isMissing("/events/1") && second["/next"] == 3)
    #expect(try server.ask("GET", "\(Self.path)/journal?after=3")["/next"] == 3)
    #expect(try server.ask("GET", "\(Self.path)/journal?limit=0").status == 400)
  }

  @Test(arguments: [
    ("matched=false", [2]), ("matched=true", [1, 3]), ("method=POST", [2]), ("path=/two", [1, 3]),
    ("path=%2Ftwo&limit=1", [1]), ("method=PUT", []), ("path=*w*", [1, 2, 3]),
    ("path=/t*o", [1, 3]), ("path=*re", [2]), ("status=404", [2]), ("status=2xx", [1, 3]),
    ("stub=/TWO", [1, 3]), ("stub=none", []), ("text=Q%3d1", [1]), ("text=x-a:%201", [2]),
    ("text=[1]", [2]), ("text=no%20stub%20of", [2]), ("before=3", [1, 2]),
    ("before=4&limit=1", [3]), ("before=9999&status=2xx", [1, 3]), ("before=3&after=1", [2]),
  ])
  func theJournalIsFiltered(_ query: String, _ expected: [Int]) throws {
    let page = try Self.server().ask("GET", "\(Self.path)/journal?\(query)")
    let numbers = (0..<4).compactMap { page["/events/\($0)/number"] }
    #expect(numbers == expected.map { .number(.init($0)) })
  }

  @Test func textIsFoundWhateverItsLetters() throws {
    let server = try TestServer(SessionTests.document)
    _ = try server.ask("POST", "/nowhere", "[\"Ärger\"]")
    let page = try server.ask("GET", "\(Self.path)/journal?text=%C3%84RGER")
    #expect(page["/events/0/number"] == 1)
  }

  @Test func theJournalIsReadFromItsEnd() throws {
    var options = ServerOptions()
    options.journalEntryCount = 2
    let server = try Self.server(options)
    let last = try server.ask("GET", "\(Self.path)/journal?before=100&limit=1")
    #expect(last["/events/0/number"] == 3 && last["/next"] == 3 && last["/dropped"] == 0)
    let rest = try server.ask("GET", "\(Self.path)/journal?before=3&limit=2")
    #expect(rest["/events/0/number"] == 2 && rest["/next"] == 1 && rest["/dropped"] == 1)
    #expect(try server.ask("GET", "\(Self.path)/journal?before=0").status == 400)
    #expect(try server.ask("GET", "\(Self.path)/journal?status=4x").status == 400)
  }

  @Test func theJournalKeepsWhatWasSent() throws {
    let server = try TestServer(
      #"""
      {"scenario": "shop", "stubs": [
        {"key": "echo", "request": {"path": "/echo"}, "responses": [{"status": 201,
         "headers": {"X-Path": "{{request.path}}"}, "text": "{{request.body}}", "template": true}]},
        {"key": "cut", "request": {"path": "/cut"}, "responses": [
         {"text": "0123456789", "fault": "truncated", "afterBytes": 4}]},
        {"key": "gone", "request": {"path": "/gone"}, "responses": [{"fault": "connectionReset"}]}]}
      """#)
    func sent(_ number: Int) throws -> AdminResult {
      try server.ask("GET", "\(Self.path)/journal/\(number)/response")
    }
    let long = String(repeating: "é", count: 50_000)
    for text in ["{}", long] { _ = try server.ask("POST", "/echo", text) }
    _ = try server.exchange("HEAD /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    for path in ["/cut", "/gone"] {
      _ = try server.exchange("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
    }
    _ = try server.ask("GET", "/nowhere")
    let first = try sent(1)
    #expect(first["/status"] == 201 && first.text("/text") == "{}" && first["/bytes"] == 2)
    #expect(first.text.contains(#""X-Path""#) && first.text.contains(#""/echo""#))
    #expect(first.text("/headers/2/0") == "Content-Length" && first.text("/headers/2/1") == "2")
    let second = try sent(2)
    #expect(second["/bytes"] == 100_000 && second["/keptBytes"] == 65_536)
    #expect(second.text("/text") == long.prefix(32_768))
    #expect(
      try server.ask("GET", "\(Self.path)/journal/2/response-body").text == long.prefix(32_768))
    #expect(try sent(3)["/bytes"] == 0 && sent(3).text("/text") == "")
    #expect(try sent(4).text("/text") == "0123" && sent(4)["/bytes"] == 4)
    #expect(try sent(5).status == 404)
    #expect(try sent(6).text("/text").hasPrefix("No stub of scenario"))
    let mock = try server.ask("GET", "/__admin/requests/1")
    #expect(mock.text("/response/body") == "{}" && mock.text("/response/headers/X-Path") == "/echo")
  }

  @Test func anEntrySaysWhetherItsStubHasChanged() throws {
    let document = SessionTests.document
    let catalog = try TestCatalog(document)
    let server = try TestServer(catalog: catalog, scenario: "shop")
    for path in ["/two", "/pay"] { _ = try server.ask("GET", path) }
    let path = "/__stubdb/scenarios/shop/stubs/two"
    let stub = try server.ask("GET", path)
    let tag = try #require(stub.fields["etag"])
    let changed = stub.text.replacing(#""text": "1""#, with: #""text": "one""#)
    #expect(changed != stub.text)
    #expect(try server.ask("PUT", path, changed, fields: ["If-Match: \(tag)"]).status == 200)
    #expect(try server.ask("GET", "\(Self.path)/journal/1").text("/stubChangedAt") != "")
    #expect(try server.ask("GET", "\(Self.path)/journal/2")["/stubChangedAt"] == .null)
    // What it answers from now on is of the changed stub.
    _ = try server.ask("GET", "/two")
    #expect(try server.ask("GET", "\(Self.path)/journal/3")["/stubChangedAt"] == .null)
  }

  @Test func anEntryHasAllOfTheRequest() throws {
    let server = try Self.server()
    let entry = try server.ask("GET", "\(Self.path)/journal/2")
    #expect(entry.text("/method") == "POST" && entry["/requestBytes"] == 3)
    #expect(entry.text.contains(#""X-A""#))
    let body = try server.ask("GET", "\(Self.path)/journal/2/request-body")
    #expect(body.text == "[1]" && body.fields["content-type"] == "application/octet-stream")
    let misses = try server.ask("GET", "\(Self.path)/journal/2/near-misses")
    #expect(misses.text("/0/mismatches/0/part") == "path", "\(misses)")
    #expect(try server.ask("GET", "\(Self.path)/journal/4").status == 404)
    #expect(try server.ask("GET", "\(Self.path)/journal/x").status == 404)
    for number in [Int.min, Int.min + 1, -1, 0, Int.max] {
      for place in ["\(number)", "\(number)/request-body", "\(number)/near-misses"] {
        #expect(try server.ask("GET", "\(Self.path)/journal/\(place)").status == 404)
      }
      #expect(try server.ask("GET", "/__admin/requests/\(number)").status == 404)
    }
  }

  @Test func anEntrySaysWhenItCameAndHowLongItTook() throws {
    let before = Date()
    let server = try Self.server()
    let page = try server.ask("GET", "\(Self.path)/journal")
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let times = try (0..<3).map { try Date(page.text("/events/\($0)/at"), strategy: style) }
    #expect(times == times.sorted() && times[2] <= Date())
    #expect(times[0] > before.addingTimeInterval(-0.01))
    guard case .number(let time)? = page["/events/0/durationMs"] else {
      Issue.record("the answer has been given: \(page)")
      return
    }
    #expect(time.doubleValue >= 0)
    #expect(
      try server.ask("GET", "\(Self.path)/journal/1").text("/at") == page.text("/events/0/at"))
  }

  @Test func theJournalSaysWhatItHasDropped() throws {
    var options = ServerOptions()
    options.journalEntryCount = 2
    let page = try Self.server(options).ask("GET", "\(Self.path)/journal")
    #expect(page["/events/0/number"] == 2 && page["/dropped"] == 1)
  }

  @Test func eventsComeAsTheyHappen() throws {
    let server = try Self.server()
    let client = try server.client()
    client.send(
      "GET /__stubdb/events?session=default&after=2 HTTP/1.1\r\nHost: localhost\r\n"
        + "Last-Event-ID: 1\r\n\r\n")
    let head = try #require(client.read(until: "id: 3\n"))
    #expect(head.contains("Content-Type: text/event-stream\r\n") && !head.contains("id: 1\n"))
    #expect(head.contains("id: 2\nevent: request\ndata: {\"at\":\""))
    #expect(head.contains("\"key\":null,\"matched\":false,"))
    _ = try server.ask("GET", "/pay")
    #expect(client.read(until: "id: 4\nevent: request\n") != nil)
    // Without a number, what came before is left out.
    let late = try server.client()
    late.send("GET /__stubdb/events?session=default HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _ = late.read(until: ": ping")
    _ = try server.ask("GET", "/pay")
    #expect(late.read(until: "id: 5\n")?.contains("id: 4\n") == false)
    // The end of the server ends the events.
    server.server.end()
    #expect(late.read().bytes.suffix(5) == Data("0\r\n\r\n".utf8))
  }

  @Test func theEndOfAnAnswerIsTold() throws {
    let server = try TestServer(
      #"{"scenario": "slow", "stubs": [{"key": "a", "request": {"path": "/slow"}, "responses": [{"chunks": [{"text": "a"}, {"text": "b", "after": "20s"}]}]}, {"key": "b", "request": {"path": "/b"}}]}"#
    )
    for query in ["?session=default&after=0", ""] {
      let follower = try server.client()
      follower.send("GET /__stubdb/events\(query) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      _ = follower.read(until: ": ping")
      var client: RawClient? = try server.client()
      client?.resetsAtEnd()
      client?.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
      let begun = follower.read(until: "\"url\":\"/slow\"}\n\n")
      #expect(begun?.contains("event: request\n") == true)
      #expect(begun?.contains("\"durationMs\":null,") == true)
      client = nil
      let ended = follower.read(until: "\"url\":\"/slow\"}\n\n")
      #expect(ended?.contains("event: answer\n") == true && ended?.contains("id: ") == false)
      #expect(ended?.contains("\"durationMs\":null,") == false)
      // An answer that takes no time is told once.
      _ = try server.ask("GET", "/b")
      let quick = follower.read(until: "\"url\":\"/b\"}\n\n")
      #expect(quick?.contains("\"durationMs\":null,") == false, "\(quick ?? "")")
      server.player.reset()
    }
  }

  @Test func whatFellOutOfTheJournalIsAGap() throws {
    var options = ServerOptions()
    options.journalEntryCount = 1
    let server = try Self.server(options)
    let client = try server.client()
    client.send("GET /__stubdb/events?session=default&after=0 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(
      client.read(until: "id: 3\n")?.contains("event: gap\ndata: {\"dropped\":2}\n\n") == true)
  }

  @Test func numbersThatNoEntryHasAreNotFound() throws {
    let server = try Self.server()
    for number in ["-9223372036854775808", "-1", "0", "4", "9223372036854775807", "x"] {
      for end in ["", "/request-body", "/near-misses"] {
        let result = try server.ask("GET", "\(Self.path)/journal/\(number)\(end)")
        #expect(result.status == 404, "\(number)\(end)")
      }
      #expect(try server.ask("GET", "/__admin/requests/\(number)").status == 404)
      #expect(try server.ask("DELETE", "/__admin/requests/\(number)").status == 200)
    }
    #expect(server.player.run.journal.count == 3)
  }

  @Test(arguments: [
    ("{}", false, "unmatchedRequest"),
    (#"{"request": {"path": "/two"}, "count": 2}"#, true, ""),
    (#"{"request": {"path": "/two"}, "count": 1}"#, false, "unexpectedCount"),
    (#"{"request": {"path": "/two"}, "count": {"atLeast": 1, "atMost": 2}}"#, true, ""),
    (#"{"request": {"path": "/two"}}"#, true, ""),
    (#"{"request": {"path": "/three"}}"#, false, "unexpectedCount"),
    (#"{"inOrder": [{"path": "/nowhere"}, {"path": "/two"}]}"#, true, ""),
    (#"{"inOrder": [{"path": "/nowhere"}, {"url": "/two?q=1"}]}"#, false, "unexpectedOrder"),
    (#"{"inOrder": ["POST /nowhere", "/two"]}"#, true, ""),
    (#"{"inOrder": ["GET /nowhere"]}"#, false, "unexpectedOrder"),
    (#"{"request": "GET /two", "count": 2}"#, true, ""),
  ])
  func requestsAreVerified(_ expectation: String, _ isVerified: Bool, _ kind: String) throws {
    let result = try Self.server().ask("POST", "\(Self.path)/verify", expectation)
    #expect(result["/verified"] == .bool(isVerified), "\(result)")
    #expect(result.text("/problems/0/kind") == kind)
  }

  @Test func anExpectationThatMeansNothingIsRefused() throws {
    let server = try Self.server()
    for (text, pointer) in [
      (#"{"request": {"path": {"matches": "("}}}"#, nil), (#"{"count": 1}"#, ""),
      (#"{"request": {"pth": "/a"}}"#, nil), (#"{"inOrder": ["/a", 1]}"#, "/inOrder/1"),
      (#"{"inOrder": ["GET {"]}"#, "/inOrder/0"),
      (#"{"request": {}, "count": {"atLeast": 2, "atMost": 1}}"#, "/count/atMost"),
    ] as [(String, String?)] {
      let result = try server.ask("POST", "\(Self.path)/verify", text)
      #expect(result.status == 422, "\(text): \(result)")
      if let pointer { #expect(result.text("pointer") == pointer, "\(text)") }
    }
  }
}
#endif
