#if Server
import Foundation
import StubDBCatalog
import StubDBDocuments
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServer
import StubDBTesting
import StubDBTestSupport
import Testing

/// Servers inside of tests.
@Suite struct EmbeddingTests {
  private static let document = """
    {"scenario": "checkout/card-declined", "stubs": [
      {"key": "charge", "required": true, "request": {"method": "POST", "url": "https://api.shop.test/v1/charges"},
       "responses": [{"status": 402}]}]}
    """

  private static func post(_ url: URL) throws -> String {
    let client = try RawClient(port: try #require(url.port))
    client.send("POST /v1/charges HTTP/1.0\r\n\r\n")
    return String(decoding: client.read().bytes, as: UTF8.self)
  }

  @Test func aServerPlaysAScenarioOnAPortOfItsOwn() async throws {
    let kept = try TestCatalog(Self.document)
    let server = try await StubServer("checkout/card-declined", in: kept.catalog)
    #expect(try Self.post(server.baseURL).hasPrefix("HTTP/1.1 402 "))
    #expect(server.journal.map(\.stubKey) == ["charge"])
    try server.expect(
      count: 1, matching: RequestPattern(method: .post, url: "https://api.shop.test/v1/charges"))
    try server.verify()
    server.end()
    #expect(throws: RawClient.SocketError.self) { try RawClient(port: server.port) }
  }

  @Test func itEndsWithItsLastReference() async throws {
    var server: StubServer? = try await StubServer(
      playing: try LoadedScenario(try ScenarioDocument.decode(Data(Self.document.utf8))))
    let port = try #require(server?.port)
    _ = try RawClient(port: port)
    server = nil
    // The port is given back away from this thread.
    while (try? RawClient(port: port)) != nil { sched_yield() }
  }

  @Test func theOptionsOfARunAreThoseOfTheServer() async throws {
    let kept = try TestCatalog(Self.document)
    let server = try await StubServer(
      "checkout/card-declined", in: kept.catalog,
      options: PlaybackOptions(unmatched: .respond(503)))
    let client = try RawClient(port: server.port)
    client.send("GET /v1/nothing HTTP/1.0\r\n\r\n")
    #expect(String(decoding: client.read().bytes, as: UTF8.self).hasPrefix("HTTP/1.1 503 "))
    #expect(server.player.problems().map(\.kind) == [.unusedStub])
  }

  @Test func theSettingsOfTheCatalogCountAndTheOptionsBeforeThem() async throws {
    let kept = try TestCatalog(Self.document)
    let file = kept.catalog.url.deletingLastPathComponent()
      .appendingPathComponent(".stubdb-settings.json")
    try Data(#"{"defaults": {"unmatched": 503, "pace": "instant"}}"#.utf8).write(to: file)
    let server = try await StubServer("checkout/card-declined", in: kept.catalog)
    #expect(server.options.unmatched == .respond(503) && server.options.pace == .instant)
    let own = try await StubServer(
      "checkout/card-declined", in: kept.catalog, options: PlaybackOptions(unmatched: .fail))
    #expect(own.options.unmatched == .fail && own.options.pace == .instant)
  }

  @Test(.served("checkout/bank-down", catalog: "Examples/ShopApp/Fixtures/shop.stubdb"))
  func aTestHasAServer() throws {
    let server = try #require(StubServer.current)
    #expect(try Self.post(server.baseURL).hasPrefix("HTTP/1.1 503 "))
  }

  @Test func problemsFailTheTest() async throws {
    let kept = try TestCatalog(Self.document)
    let trait = ServedTrait.served("checkout/card-declined", catalog: kept.catalog)
    let test = try #require(Test.current)
    try await withKnownIssue {
      try await trait.provideScope(for: test, testCase: nil) {
        let server = try #require(StubServer.current)
        let client = try RawClient(port: server.port)
        client.send("GET /v1/nothing HTTP/1.0\r\n\r\n")
        _ = client.read()
      }
    } matching: { issue in
      issue.sourceLocation == test.sourceLocation
        && ["GET https://api.shop.test/v1/nothing", "is required, but no request reached it"]
          .contains { issue.comments.first?.rawValue.contains($0) == true }
    }
    #expect(StubServer.current == nil)
  }

  @Test func pagesKeepTheirOriginIfTheTestSaysSo() async throws {
    let scenario = try LoadedScenario(
      try ScenarioDocument.decode(
        Data(
          #"{"scenario": "site", "stubs": [{"key": "a", "responses": [{"headers": {"Content-Type": "text/html"}, "text": "<p>"}]}]}"#
            .utf8)))
    for trustsPages in [true, false] {
      let server = try await StubServer(playing: scenario, trustsPages: trustsPages)
      let client = try RawClient(port: server.port)
      client.send("GET / HTTP/1.0\r\nSec-Fetch-Dest: document\r\n\r\n")
      let answer = String(decoding: client.read().bytes, as: UTF8.self)
      #expect(answer.contains("Content-Security-Policy: sandbox") != trustsPages, "\(answer)")
      server.end()
    }
  }

  #if !TLS
  @Test func withoutTLSItSaysWhatIsMissing() async throws {
    let scenario = try LoadedScenario(try ScenarioDocument.decode(Data(Self.document.utf8)))
    await #expect {
      try await StubServer(playing: scenario, tls: true)
    } throws: { error in
      "\(error)".contains("add the trait TLS")
    }
  }
  #endif
}
#endif
