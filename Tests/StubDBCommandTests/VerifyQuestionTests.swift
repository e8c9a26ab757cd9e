import Foundation
import StubDBTestSupport
import Testing

/// What `stubdb verify --live` asks of which server.
struct VerifyQuestionTests {
  private static func box(_ stubs: String) throws -> Sandbox {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    try box.write("stubs.json", #"{"scenario": "a/b", "stubs": [\#(stubs)]}"#)
    try box.must("add", "--file", "stubs.json")
    return box
  }

  /// A server that says 401 to whoever has no token.
  private static func server() throws -> LoopbackServer {
    try LoopbackServer { request in
      guard request.headers["authorization"] != nil else {
        return "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"
      }
      return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok"
    }
  }

  @Test func whatAStubRefusesIsNotSentForIt() throws {
    let server = try Self.server()
    let box = try Self.box(
      #"""
      {"key": "no-token", "request": {"method": "GET", "url": "https://api.shop.test/todos",
        "headers": {"Authorization": {"absent": true}}, "query": {"page": {"absent": true}}},
       "responses": [{"status": 401}]},
      {"key": "other-token", "request": {"method": "GET", "url": "https://api.shop.test/none",
        "headers": {"Authorization": {"doesNotContain": "TOKEN"}}}, "responses": [{"status": 401}]},
      {"key": "no-cookie", "request": {"method": "GET", "url": "https://api.shop.test/plain",
        "cookies": {"session": {"absent": true}}, "headers": {"Authorization": {"absent": true}}},
       "responses": [{"status": 401}]},
      {"key": "token", "request": {"method": "GET", "url": "https://api.shop.test/todos?page=1",
        "headers": {"Authorization": {"matches": "Bearer .+"}}}, "responses": [{"text": "list"}]}
      """#)
    let result = try box.run(
      "verify", "--live", "--against", server.url(""), "--header", "Authorization: Bearer TOKEN",
      "--header", "Cookie: session=1", "--param", "page=7")
    #expect(result == CommandResult(err: "4 requests: no differences.\n"))
    let lines = server.requests.map {
      "\($0.line.split(separator: " ")[1]) \($0.headers["authorization"] ?? "-") \($0.headers["cookie"] ?? "-")"
    }
    #expect(
      lines.sorted() == [
        "/none - session=1", "/plain - -", "/todos - session=1",
        "/todos?page=1 Bearer TOKEN session=1",
      ])
  }

  @Test func theWholeCatalogIsComparedWithTheServersThatItsStubsName() throws {
    let servers = try (0..<2).map { _ in
      try LoopbackServer { _ in
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok"
      }
    }
    let box = try Self.box(
      #"""
      {"key": "one", "request": {"method": "GET", "url": "\#(servers[0].url("/one"))"},
       "responses": [{"text": "1"}]},
      {"key": "any", "request": {"method": "GET", "url": "/any"}, "responses": [{"text": "1"}]},
      {"key": "secret", "request": {"method": "GET", "url": "\#(servers[0].url("/two?token=REDACTED-1"))"}}
      """#)
    try box.must(
      "add", "c/d", "--key", "two", "--method", "GET", "--url", servers[1].url("/two"), "--text",
      "2")
    let result = try box.run("verify", "--live")
    #expect(
      result
        == CommandResult(
          err: """
            Skipped: a/b any: it names no host; say with --against which server to ask.
            Skipped: a/b secret: it asks for a secret that was taken out of it.
            2 requests: no differences; 2 skipped.

            """))
    #expect(servers.map { $0.requests.count } == [1, 1])
    // A token goes to no host that only the catalog names.
    let refused = try box.run("verify", "--live", "--header", "Authorization: Bearer TOKEN")
    #expect(refused.code == 64 && refused.err.contains("which server gets the header fields"))
    let chosen = try box.run(
      "verify", "--live", "c/", "--origin", servers[1].url(""), "--header", "Authorization: x")
    #expect(chosen == CommandResult(err: "1 request: no differences.\n"))
    #expect(servers.map { $0.requests.count } == [1, 2])
  }

  @Test func aServerThatDoesNotAnswerIsNoSuccess() throws {
    let box = try Self.box(
      #"{"key": "one", "request": {"method": "GET", "path": "/one"}, "responses": [{"text": "1"}]}"#
    )
    // Whoever asks at the port of a server that is gone is refused.
    let address = try LoopbackServer { _ in "" }.url("")
    let result = try box.run("verify", "--live", "--against", address)
    #expect(result.code == 1 && result.err.hasSuffix("\n1 request got no answer.\n"), "\(result)")
    #expect(!result.err.contains("no differences"))
  }

  @Test func aPortThatIsMissingIsNoOtherServer() throws {
    let box = try Self.box(#"{"key": "one"}"#)
    let result = try box.run("verify", "--live", "--against", "http://127.0.0.1:")
    #expect(
      result.code == 64 && result.err.contains("has a colon and no port after it"), "\(result)")
  }
}
