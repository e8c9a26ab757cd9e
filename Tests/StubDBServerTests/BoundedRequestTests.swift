#if Server
import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServer
import Testing

/// What is large, long or in many parts gets its answer, and nothing else waits.
@Suite struct BoundedRequestTests {
  private static let document = """
    {"scenario": "a", "stubs": [
      {"key": "json", "request": {"method": "POST", "path": "/json",
        "body": {"matchesJsonPath": "$"}}}]}
    """

  @Test(arguments: [70_000, 300_000, 600_000])
  func aTargetThatIsTooLongGetsItsStatus(length: Int) throws {
    let server = try TestServer(TortureTests.document)
    let answer = try server.exchange(
      TortureTests.get("/" + String(repeating: "a", count: length)))
    #expect(answer.hasPrefix("HTTP/1.1 414 "), "\(answer)")
    let fields = try server.exchange(
      TortureTests.get("/plain", "X: " + String(repeating: "a", count: length)))
    #expect(fields.hasPrefix(length < 256 << 10 ? "HTTP/1.1 200 " : "HTTP/1.1 431 "), "\(fields)")
  }

  @Test func contentThatDoesNotFitIntoTheMemoryOfAllIsRefused() throws {
    var options = ServerOptions()
    options.largestContentAtOnce = 1 << 20
    let server = try TestServer(Self.document, options: options)
    let large = "[" + String(repeating: "1,", count: 100_000) + "1]"
    for (content, status) in [("[]", 200), (large, 503), ("[]", 200)] {
      let result = try server.ask("POST", "/json", content)
      #expect(result.status == status, "\(result)")
    }
    #expect(server.player.run.journal.count == 2)
  }
}
#endif
