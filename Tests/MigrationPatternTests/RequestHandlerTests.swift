import Foundation
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A handler that asserts and returns `(HTTPURLResponse, Data)` or throws, fresh for each test, with a decoding client on top.
@Suite(.interceptor) struct RequestHandlerTests {
  private struct User: Codable, Equatable { let name: String }

  /// Code under test without stubs.
  private struct APIClient {
    let session: URLSession

    func user(_ id: Int) async throws -> User {
      var request = URLRequest(url: try #require(URL(string: "https://api.test/users/\(id)")))
      request.setValue("application/json", forHTTPHeaderField: "Accept")
      let (data, response) = try await session.data(for: request)
      guard (response as? HTTPURLResponse)?.statusCode == 200 else {
        throw URLError(.badServerResponse)
      }
      return try JSONDecoder().decode(User.self, from: data)
    }
  }

  private var client: APIClient { APIClient(session: .stubbed) }

  private func handle(
    _ handler: @escaping @Sendable (StubRequest) throws -> (HTTPURLResponse, Data)
  ) {
    StubInterceptor.current.stub { request in
      let (response, data) = try handler(request)
      return StubResponse(response, content: data)
    }
  }

  private static func response(_ status: Int, _ url: String) throws -> HTTPURLResponse {
    let url = try #require(URL(string: url))
    return try #require(
      HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil))
  }

  @Test func theHandlerAssertsAndAnswers() async throws {
    handle { request in
      #expect(request.method == "GET")
      #expect(request.url == "https://api.test/users/7")
      return (try Self.response(200, request.url), Data(#"{"name":"Ada"}"#.utf8))
    }
    #expect(try await client.user(7) == User(name: "Ada"))
  }

  @Test func anAssertionThatFailsFailsThisTest() async throws {
    await withKnownIssue {
      handle { request in
        #expect(request.method == "DELETE")
        return (try Self.response(200, request.url), Data(#"{"name":"Ada"}"#.utf8))
      }
      _ = try await client.user(7)
    }
  }

  @Test func whatTheHandlerThrowsReachesTheClient() async throws {
    handle { _ in throw URLError(.notConnectedToInternet) }
    let error = await #expect(throws: URLError.self) { try await client.user(7) }
    #expect(error?.code == .notConnectedToInternet)
  }

  @Test func aWrongShapeIsADecodingError() async throws {
    handle { request in (try Self.response(200, request.url), Data(#"{"id":1}"#.utf8)) }
    await #expect(throws: DecodingError.self) { try await client.user(7) }
  }

  @Test(.interceptor(options: .init(unmatched: .respond(404)))) func noHandlerOfAnotherTestIsLeft()
    async throws
  {
    let error = await #expect(throws: URLError.self) { try await client.user(7) }
    #expect(error?.code == .badServerResponse)
  }
}
