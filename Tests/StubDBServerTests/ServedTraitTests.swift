#if Server && os(Linux)
import Foundation
import StubDBPlayback
import StubDBServer
import StubDBTestSupport
import StubDBTesting
import Testing

/// Tests with the trait `.served` that fail, in a process of their own.
@Suite struct ServedTraitTests {
  private static let variable = "STUBDB_SERVED_CATALOG"
  fileprivate static let catalog = ProcessInfo.processInfo.environment[variable]

  private static let document = """
    {"scenario": "checkout/paid", "stubs": [
      {"key": "charge", "required": true, "request": {"method": "POST", "path": "/v1/charges"}}]}
    """

  @Test func eachTestThatFailsLeavesAJournalAndNoOtherDoes() throws {
    let kept = try TestCatalog(Self.document)
    try withTemporaryFolder { folder in
      let (process, output) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
      process.arguments = [
        "--testing-library", "swift-testing", "--filter", "TestedServedTests", "--attachments-path",
        folder.path,
      ]
      process.environment = ProcessInfo.processInfo.environment.merging(
        [Self.variable: kept.catalog.url.path]) { $1 }
      process.standardOutput = output
      process.standardError = output
      // Its end is not the end of this process's input.
      process.standardInput = Pipe()
      try process.start()
      let text = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus != 0)
      let tests = try FileManager.default.contentsOfDirectory(atPath: folder.path).map { name in
        let lines = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
          .split(separator: "\n")
        let head = try JSONSerialization.jsonObject(with: Data(lines[0].utf8))
        let test = try #require((head as? [String: Any])?["test"] as? String)
        return "\(test) \(lines.count { $0.contains("\"request\":") })"
      }
      #expect(
        tests.sorted() == [
          "StubDBServerTests/TestedServedTests/failsByAnErrorAlone() 1",
          "StubDBServerTests/TestedServedTests/failsByAnExpectationAlone() 1",
          "StubDBServerTests/TestedServedTests/failsForItsScenario() 0",
        ], "\(text)")
    }
  }
}

/// The tests that another process runs; without its environment they do nothing.
@Suite(
  .enabled(if: ServedTraitTests.catalog != nil), .catalog(ServedTraitTests.catalog ?? "none"),
  .stubdbDefaults(unmatched: .respond(503)), .served("checkout/paid"))
struct TestedServedTests {
  private struct OtherError: Error {}

  private func send(_ line: String) throws -> String {
    let client = try RawClient(port: try #require(StubServer.current).port)
    client.send("\(line) HTTP/1.0\r\n\r\n")
    return String(decoding: client.read().bytes.prefix(12), as: UTF8.self)
  }

  @Test func passes() throws {
    #expect(try send("POST /v1/charges") == "HTTP/1.1 200")
  }

  @Test func passesWithTheDefaultsOfItsSuite() throws {
    #expect(try send("GET /v1/nothing") == "HTTP/1.1 503")
    #expect(try send("POST /v1/charges") == "HTTP/1.1 200")
  }

  @Test func failsForItsScenario() {}

  @Test func failsByAnExpectationAlone() throws {
    _ = try send("POST /v1/charges")
    #expect(Bool(false))
  }

  @Test func failsByAnErrorAlone() throws {
    _ = try send("POST /v1/charges")
    throw OtherError()
  }
}
#endif
