import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBEngine
import StubDBHTTPTypes
import StubDBModel
import Testing

/// Responses that come piece by piece, and runs that two front ends share.
struct ScenarioStreamTests {
  private func session(_ stubs: String, pace: Pace = .instant) throws -> ScenarioSession {
    let document = "{\"scenario\": \"test/stream\", \"stubs\": [\(stubs)]}"
    return ScenarioSession(
      try LoadedScenario(ScenarioDocument.decode(Data(document.utf8))), options: .init(pace: pace))
  }

  private static let request = HTTPRequest(
    method: .get, scheme: "https", authority: "a.test", path: "/x")

  @Test func piecesComeAsTheyAreSentAndWhatCutsThemOffIsThrown() async throws {
    let session = try session(
      """
      {"key": "cut", "responses": [{"status": 201, "text": "abcdef", "chunks": {"count": 3, "over": "1s"},
        "error": "networkConnectionLost", "afterBytes": 4}]}
      """)
    let (content, response) = try await session.stream(for: Self.request)
    #expect(response.status.code == 201)
    var pieces: [String] = []
    let error = await #expect(throws: URLError.self) {
      for try await piece in content { pieces.append(String(decoding: piece, as: UTF8.self)) }
    }
    #expect(error?.code == .networkConnectionLost)
    #expect(pieces.joined() == "abcd")
  }

  @Test func redirectsAreFollowedAndTheTimeoutIsForTheWhole() async throws {
    let session = try session(
      """
      {"key": "moved", "request": {"path": "/x"}, "responses": [{"status": 302, "headers": {"Location": "/y"}, "text": "no"}]},
      {"key": "slow", "request": {"path": "/y"}, "responses": [{"text": "abcd", "chunks": {"count": 4, "over": "8s"}}]}
      """)
    let (content, _) = try await session.stream(for: Self.request)
    #expect(try await content.reduce(Data(), +) == Data("abcd".utf8))
    let (slow, _) = try await session.stream(for: Self.request, timeout: .seconds(3))
    let error = await #expect(throws: URLError.self) { for try await _ in slow {} }
    #expect(error?.code == .timedOut)
  }

  @Test func theOperationIsInTheJournalAndInTheReport() async throws {
    let session = try session(#"{"key": "post", "request": {"method": "POST", "path": "/x"}}"#)
    let error = await #expect(throws: UnmatchedRequestError.self) {
      try await session.stream(for: Self.request, operation: "getThing")
    }
    #expect(error?.description.contains("GET https://a.test/x (getThing)\n") == true)
    #expect(session.journal[0].description.hasPrefix("1. GET https://a.test/x (getThing): no stub"))
    #expect(session.requests.map(\.operation) == ["getThing"])
  }

  @Test func twoSessionsShareARun() async throws {
    let one = try session(#"{"key": "all", "responses": [{"text": "1"}, {"text": "2"}]}"#)
    let other = ScenarioSession(sharing: one)
    #expect(try await one.data(for: Self.request).0 == Data("1".utf8))
    #expect(try await other.data(for: Self.request).0 == Data("2".utf8))
    #expect(one.journal.count == 2)
    one.end()
    await #expect(throws: URLError.self) { try await other.stream(for: Self.request) }
  }
}
