import Foundation
import StubDBJSON
import StubDBTestSupport
import Testing

/// `stubdb verify --live` against servers of this machine.
struct VerifyTests {
  private static let document = #"""
    {"scenario": "orders/open", "stubs": [
      {"key": "list",
       "request": {"method": "GET", "url": "https://api.shop.test/v1/orders?state=open"},
       "responses": [{"headers": {"ETag": "\"1\""}, "json": {
         "items": [{"id": 1, "total": 12, "state": "PAID", "note": "for Ada"}], "next": null}}]},
      {"key": "one", "request": {"method": "GET", "url": "https://api.shop.test/v1/orders/{id}"},
       "responses": [{"json": {"id": 1}}, {"status": 404}]},
      {"key": "me", "request": {"method": "GET", "url": "https://api.shop.test/v1/me",
        "headers": {"Authorization": {"matches": "Bearer .+"}}}, "responses": [{"text": "Ada"}]},
      {"key": "pay", "request": {"method": "POST", "url": "https://api.shop.test/v1/orders",
        "body": {"equalToJson": {"total": 12}}}, "responses": [{"status": 201}]},
      {"key": "find", "request": {"method": "POST", "url": "https://api.shop.test/graphql",
        "body": {"graphql": {"query": "{ orders { id } }"}}},
       "responses": [{"json": {"data": {"orders": [{"id": 1}]}}}]},
      {"key": "down", "request": {"method": "GET", "url": "https://api.shop.test/v1/down"},
       "responses": [{"status": 503}]},
      {"key": "lost", "request": {"method": "GET", "url": "https://api.shop.test/v1/lost"},
       "responses": [{"error": "timedOut"}]}
    ]}
    """#

  private static func box() throws -> Sandbox {
    let box = try Sandbox()
    try box.write("orders.json", document)
    try box.must("init", "shop.stubdb")
    try box.must("add", "--file", "orders.json")
    return box
  }

  /// A server that answers paths with content, and others with 404.
  private static func server(_ contents: [String: String]) throws -> LoopbackServer {
    try LoopbackServer { request in
      let target = String(request.line.split(separator: " ")[1])
      guard let content = contents[target] else {
        return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
      }
      let type = content.hasPrefix("{") ? "application/json" : "text/plain"
      return "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nETag: \"9\"\r\n"
        + "Content-Length: \(content.utf8.count)\r\n\r\n\(content)"
    }
  }

  private static let list = "/api/v1/orders?state=open"
  private static let same = [
    list:
      #"{"items":[{"id":7,"total":990,"state":"PAID","note":"SECRET_1"},{"id":8,"total":1,"state":"PAID","note":"b"}],"next":null}"#,
    "/api/v1/orders/42": #"{"id":42}"#, "/api/v1/me": "Grace",
    "/api/graphql": #"{"data":{"orders":[{"id":3}]}}"#,
  ]

  @Test func theSameShapeIsNoDifference() throws {
    let (box, server) = (try Self.box(), try Self.server(Self.same))
    let result = try box.run(
      "verify", "--live", "orders/", "--against", server.url("/api"), "--param", "id=42",
      "--header", "Authorization: Bearer SECRET_2")
    #expect(
      result
        == CommandResult(
          err: """
            Skipped: orders/open one: its second answer comes only after the first.
            Skipped: orders/open pay: its method is POST; see --methods.
            Skipped: orders/open down: it answers with the status 503, which cannot be asked for.
            Skipped: orders/open lost: it answers with an error.
            4 requests: no differences; 4 skipped.

            """))
    let lines = server.requests.map(\.line).sorted()
    #expect(
      lines == [
        "GET /api/v1/me HTTP/1.1", "GET /api/v1/orders/42 HTTP/1.1",
        "GET /api/v1/orders?state=open HTTP/1.1", "POST /api/graphql HTTP/1.1",
      ])
    #expect(server.requests.allSatisfy { $0.headers["authorization"] == "Bearer SECRET_2" })
    // Nothing of the live answers is on the disk.
    for file in try FileManager.default.subpathsOfDirectory(atPath: box.folder.path) {
      let data = try Data(contentsOf: box.folder.appendingPathComponent(file))
      #expect(data.range(of: Data("SECRET".utf8)) == nil, "\(file)")
    }
  }

  @Test func whatChangedIsFoundWithItsPointer() throws {
    let box = try Self.box()
    var changed = Self.same
    changed[Self.list] =
      #"{"items":[{"id":"SECRET_3","state":"PAID","note":null},{"id":"8","state":"REFUNDED","note":"b","extra":1}],"next":null}"#
    let server = try Self.server(changed)
    let arguments = ["verify", "--live", "orders/open", "--against", server.url("/api")]
    let result = try box.run(executable: Sandbox.binary, arguments: arguments)
    #expect(
      result.out == """
        orders/open list
          note     added    /items/*/extra  missing → integer
          error    type     /items/*/id     integer → string
          warning  null     /items/*/note   string, never null → string or null
          warning  enum     /items/*/state  "PAID" → a value not seen
          error    missing  /items/*/total  integer → missing

        """)
    #expect(result.code == 2)
    #expect(result.err.hasSuffix("2 requests: 2 errors, 2 warnings, 1 note; 5 skipped.\n"))
    let json = try box.run(executable: Sandbox.binary, arguments: arguments + ["--json"])
    #expect(json.code == 2 && json.err == "")
    let value = try JSONValue(parsing: json.out)
    let first = try #require(value.value(at: JSONPointer(["differences", "1"])))
    #expect(
      first == [
        "scenario": "orders/open", "key": "list", "pointer": "/items/*/id", "id": "type",
        "level": "error", "stored": "integer", "live": "string",
      ])
    #expect(value.value(at: JSONPointer(["skipped", "4", "key"])) == "lost")
    #expect(!"\(result)\(json)".contains("SECRET_3"))
    let shown = try box.run(
      executable: Sandbox.binary, arguments: arguments + ["--show-values"])
    #expect(shown.out.contains(#""PAID" → a value not seen: REFUNDED"#), "\(shown)")
  }

  @Test func whatIsAcceptedIsNoDifferenceAnyMore() throws {
    let box = try Self.box()
    var changed = Self.same
    changed[Self.list] = #"{"items":[{"id":1,"state":"PAID","note":"b"}],"next":null}"#
    let server = try Self.server(changed)
    let arguments = ["verify", "--live", "orders/open", "--against", server.url("/api")]
    #expect(try box.run(executable: Sandbox.binary, arguments: arguments).code == 2)
    let accepted = try box.run(
      executable: Sandbox.binary, arguments: arguments + ["--accept", "nobody reads it"])
    #expect(
      accepted.err.contains("Added 1 exception to .stubdb-verify.json; check that file in.\n"))
    #expect(
      try box.read(".stubdb-verify.json") == """
        {
          "ignore": [
            {
              "scenario": "orders/open",
              "key": "list",
              "pointer": "/items/*/total",
              "id": "missing",
              "reason": "nobody reads it"
            }
          ]
        }

        """)
    let result = try box.run(executable: Sandbox.binary, arguments: arguments)
    #expect(result.code == 0 && result.out == "", "\(result)")
    #expect(result.err.contains("no differences; 1 excepted in .stubdb-verify.json"))
  }

  @Test func strictAndLenientChangeTheExitCode() throws {
    let box = try Self.box()
    var changed = Self.same
    changed[Self.list] = #"{"items":[{"id":1,"total":1,"state":"PAID","note":null}],"next":null}"#
    let server = try Self.server(changed)
    let arguments = ["verify", "--live", "orders/open", "--against", server.url("/api")]
    #expect(try box.run(executable: Sandbox.binary, arguments: arguments).code == 0)
    #expect(
      try box.run(executable: Sandbox.binary, arguments: arguments + ["--strict"]).code == 2)
    let post = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
    let methods = [
      "verify", "--live", "orders/open", "--against", post.url(""), "--methods", "post",
    ]
    let asked = try box.run(executable: Sandbox.binary, arguments: methods)
    #expect(asked.err.hasPrefix("Warning: these requests may change what the server keeps:\n"))
    #expect(asked.err.contains("  POST \(post.url("/v1/orders"))\n"))
    #expect(asked.out.contains("error  status    (answer)  201 → 200"), "\(asked)")
    #expect(post.requests.contains { String(decoding: $0.body, as: UTF8.self) == #"{"total":12}"# })
    let lenient = try box.run(executable: Sandbox.binary, arguments: methods + ["--lenient"])
    #expect(lenient.out.contains("warning  status    (answer)  201 → 200"), "\(lenient)")
  }

  @Test func redirectsAreNotFollowedAndCredentialsAreNotAskedFor() throws {
    let box = try Sandbox()
    try box.must("init", "a.stubdb")
    try box.must(
      "add", "a/b", "--key", "moved", "--method", "GET", "--url", "/orders/1", "--status", "302",
      "--header", "Location: /v1/orders/17")
    try box.must(
      "add", "a/b", "--key", "who", "--method", "GET", "--url", "/who", "--status", "401")
    let server = try LoopbackServer { request in
      request.line.contains("/who")
        ? "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: 1\r\n\r\nx"
        : "HTTP/1.1 302 Found\r\nLocation: /v2/orders/204\r\nContent-Length: 0\r\n\r\n"
    }
    let result = try box.run("verify", "--live", "a/b", "--against", server.url(""))
    #expect(
      result
        == CommandResult(
          out: """
            a/b moved
              warning  redirect  /headers/location  /v1/orders/{id} → another path
            a/b who
              note     added     (answer)           no content → content

            """, err: "2 requests: 1 warning, 1 note.\n", code: 0))
    #expect(server.requests.count == 2)
  }

  @Test func aServerThatIsNotThereIsNoSameShape() throws {
    let box = try Self.box()
    // Nothing listens on port 1.
    let result = try box.run("verify", "--live", "orders/open", "--against", "http://127.0.0.1:1")
    #expect(result.code == 1 && result.out == "", "\(result)")
    #expect(
      result.err.contains(
        "Skipped: orders/open list: it could not be asked, no connection could be made.\n"))
    #expect(
      try box.run("verify", "orders/open", "--against", "http://127.0.0.1:1").code == 64)
    #expect(
      try box.run("verify", "--live", "orders/open", "--against", "shop.test").code == 64)
    let missing = try box.run(
      "verify", "--live", "orders/opn", "--against", "http://127.0.0.1:1")
    #expect(missing.code == 1 && missing.err.contains("Did you mean orders/open?"))
  }

  @Test func onlyTheHostThatTheServerStandsForIsAsked() throws {
    let box = try Self.box()
    let server = try Self.server([:])
    try box.must(
      "add", "orders/open", "--key", "other", "--method", "GET", "--url", "https://pay.test/ok",
      "--status", "404")
    let arguments = [
      "verify", "--live", "orders/open", "--against", server.url(""), "--origin",
      "https://pay.test",
    ]
    let result = try box.run(executable: Sandbox.binary, arguments: arguments)
    #expect(result.code == 0, "\(result)")
    #expect(server.requests.map(\.line) == ["GET /ok HTTP/1.1"])
    let open = try box.run(executable: Sandbox.binary, arguments: Array(arguments.dropLast(2)))
    #expect(open.code == 1)
    #expect(open.err.contains("one of 2 hosts; say with --origin which one the server is"))
  }
}
