import Foundation
import StubDBTestSupport
import Testing

/// `stubdb verify --live` against servers that send what no server should.
struct VerifyHostileTests {
  /// Answers by the last word of the path.
  private static let answers: [String: String] = [
    "good": json(#"{"a":7}"#),
    "file": "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
    "private":
      "HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n",
    "deep": json(String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)),
    "broken": json(#"{"a":1,}"#),
    "cut": "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{}",
    "other": "SSH-2.0-Server\r\n",
    "names": json(#"{"a":1,"\u001b]0;owned\u0007":1}"#),
    "type": "HTTP/1.1 200 OK\r\nContent-Type: a\u{1}b/c\r\nContent-Length: 7\r\n\r\n{\"a\":1}",
    "trailer":
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
      + "Trailer: X-End\r\n\r\n7\r\n{\"a\":1}\r\n0\r\nX-End: 1\r\n\r\n",
  ]

  private static func json(_ text: String) -> String {
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
      + text
  }

  /// A catalog with a stub for each of some paths.
  private static func box(_ paths: [String]) throws -> Sandbox {
    let box = try Sandbox()
    let stubs = paths.map { path in
      let answer =
        ["file", "private"].contains(path)
        ? #"{"status": 302, "headers": {"Location": "/home"}}"# : #"{"json": {"a": 1}}"#
      let request = #"{"method": "GET", "url": "https://api.shop.test/\#(path)"}"#
      return #"{"key": "\#(path)", "request": \#(request), "responses": [\#(answer)]}"#
    }
    try box.write(
      "a.json", #"{"scenario": "a/b", "stubs": [\#(stubs.joined(separator: ", "))]}"#)
    try box.must("init", "a.stubdb")
    try box.must("add", "--file", "a.json")
    return box
  }

  private static func server() throws -> LoopbackServer {
    try LoopbackServer { request in
      let path = request.line.split(separator: " ")[1].dropFirst()
      return answers[String(path)] ?? "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
    }
  }

  @Test func whatIsNoAnswerIsSaidAndSpoilsNoOther() throws {
    let (box, server) = (
      try Self.box(["cut", "deep", "broken", "names", "other", "type", "good"]), try Self.server()
    )
    let result = try box.run("verify", "--live", "a/b", "--against", server.url(""))
    #expect(
      result.out == """
        a/b deep
          error  not-json    (answer)              JSON → other content
        a/b broken
          error  not-json    (answer)              JSON → other content
        a/b names
          note   added       /\\u{1B}]0;owned\\u{7}  missing → integer
        a/b type
          error  media-type  (answer)              application/json → no media type

        """)
    #expect(result.code == 2)
    #expect(result.err.contains("Skipped: a/b cut: it could not be asked, "))
    #expect(result.err.contains("Skipped: a/b other: it could not be asked, "))
    #expect(result.err.hasSuffix("5 requests: 3 errors, 1 note; 2 requests got no answer.\n"))
  }

  @Test func redirectsLeadNowhere() throws {
    let (box, server) = (try Self.box(["file", "private"]), try Self.server())
    let result = try box.run("verify", "--live", "a/b", "--against", server.url(""))
    #expect(
      result
        == CommandResult(
          out: """
            a/b file
              warning  redirect  /headers/location  /home → another path
            a/b private
              warning  redirect  /headers/location  /home → another path

            """, err: "2 requests: 2 warnings.\n", code: 0))
  }

  /// Foundation on Linux traps on trailer fields; see https://github.com/swiftlang/swift-corelibs-foundation/issues/5285.
  @Test func anAnswerThatEndsTheProgramSpoilsNoOther() throws {
    let (box, server) = (try Self.box(["good", "trailer", "good2", "broken"]), try Self.server())
    let result = try box.run("verify", "--live", "a/b", "--against", server.url(""))
    #expect(result.code == 2, "\(result)")
    #expect(result.out.contains("a/b good2\n  error  status-class  (answer)  200 → 404\n"))
    #expect(result.out.contains("a/b broken\n  error  not-json      (answer)  JSON → other"))
    #if os(Linux)
      #expect(
        result.err == """
          Skipped: a/b trailer: it could not be asked, its answer ended the program stubdb-fetch; \
          Foundation on Linux does not survive trailer fields.
          3 requests: 2 errors; 1 request got no answer.

          """)
    #endif
  }
}
