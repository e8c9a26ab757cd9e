import Foundation
import StubDB
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A fixed sequence of two different requests, in many parallel tests with identical requests: get a pre-signed URL, then
/// upload to it.
@Suite struct PresignedUploadTests {
  private struct Ticket: Decodable { let url: URL }

  private static func upload(_ content: Data, in session: URLSession) async throws -> Int {
    let api = try #require(URL(string: "https://api.test/uploads"))
    var request = URLRequest(url: api)
    request.httpMethod = "POST"
    let ticket = try JSONDecoder().decode(
      Ticket.self, from: try await session.data(for: request).0)
    var put = URLRequest(url: ticket.url)
    put.httpMethod = "PUT"
    let (_, response) = try await session.upload(for: put, from: content)
    return (response as? HTTPURLResponse)?.statusCode ?? 0
  }

  /// The bucket belongs to the test; the requests are the same in all tests.
  private static func scenario(_ number: Int) throws -> LoadedScenario {
    try LoadedScenario(
      ScenarioDocument.decode(
        Data(
          """
          { "scenario": "uploads/number-\(number)", "stubs": [
            { "key": "ticket", "required": true, "request": { "method": "POST", "url": "https://api.test/uploads" },
              "responses": [ { "json": { "url": "https://storage.test/bucket?signature=\(number)" } } ], "then": "fail" },
            { "key": "put", "required": true,
              "request": { "method": "PUT", "url": "https://storage.test/bucket?signature=\(number)",
                "body": { "equalTo": "content \(number)" } },
              "responses": [ { "status": \(200 + number % 50) } ], "then": "fail" } ] }
          """.utf8)))
  }

  @Test(arguments: 0..<100)
  func eachTestGetsItsOwnTicketAndUploadsToIt(_ number: Int) async throws {
    let interceptor = StubInterceptor(try Self.scenario(number))
    let status = try await Self.upload(
      Data("content \(number)".utf8), in: interceptor.urlSession())
    #expect(status == 200 + number % 50)
    #expect(interceptor.journal.map(\.stubKey) == ["ticket", "put"])
    try interceptor.verify()
  }
}
