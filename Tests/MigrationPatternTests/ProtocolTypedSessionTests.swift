import Foundation
import HTTPTypes
import StubDB
import StubDBHTTPTypes
import Testing

/// A session typed by a protocol over swift-http-types, with a stub that plays a scenario without URLProtocol.
@Suite struct ProtocolTypedSessionTests {
  @Test func aScenarioAnswersTheProtocol() async throws {
    let session = ScenarioSession(
      try LoadedScenario(
        ScenarioDocument.decode(
          Data(
            """
            { "scenario": "avatar/replace", "stubs": [
              { "key": "put", "request": { "method": "PUT", "url": "https://api.test/avatar", "body": { "equalTo": "image" } },
                "responses": [ { "status": 204 } ] },
              { "key": "get", "request": { "url": "https://api.test/avatar?size=2" }, "responses": [ { "text": "old" } ] } ] }
            """.utf8))))
    let client = AvatarClient(session: session)
    #expect(try await client.current() == "old")
    #expect(try await client.replace(with: Data("image".utf8)) == 204)
    #expect(session.journal.map(\.stubKey) == ["get", "put"])
    try session.verify()
    await #expect(throws: UnmatchedRequestError.self) {
      try await client.replace(with: Data("something else".utf8))
    }
  }
}

/// Code under test without stubs.
private struct AvatarClient {
  let session: any HTTPSession

  func replace(with image: Data) async throws -> Int {
    let request = HTTPRequest(
      method: .put, scheme: "https", authority: "api.test", path: "/avatar")
    return try await session.upload(for: request, from: image).1.status.code
  }

  func current() async throws -> String {
    let request = HTTPRequest(
      method: .get, scheme: "https", authority: "api.test", path: "/avatar?size=2")
    return String(decoding: try await session.data(for: request).0, as: UTF8.self)
  }
}

extension ScenarioSession: HTTPSession {}

/// The block of docs/migrating.md, which needs a catalog.
private func playAScenario(from url: URL) throws {
  let session = try ScenarioSession("avatar/replace", in: Catalog(contentsOf: url))
  let client = AvatarClient(session: session)
  try session.verify()
  _ = client
}

/// The client's own type.
private protocol HTTPSession: Sendable {
  func data(for request: HTTPRequest) async throws -> (Data, HTTPResponse)
  func upload(for request: HTTPRequest, from bodyData: Data) async throws -> (Data, HTTPResponse)
}
