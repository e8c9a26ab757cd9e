import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
import Testing

@testable import StubDBURLProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests of tests that have ended.
@Suite(.serialized) struct LateRequestTests {
  /// What other tests of this process report meanwhile takes all late requests with it, so it is tried again.
  @Test func aLateRequestIsNamedWithTheTestThatSentIt() async throws {
    var late: [String] = []
    for _ in 0..<50 where late.isEmpty { late = try await sentencesAfterALateRequest() }
    #expect(late.count == 1)
    let sentence = try #require(late.first)
    #expect(sentence.hasPrefix("GET /v1/me came "))
    #expect(sentence.hasSuffix("s after aDeclinedCard() had ended"))
    #expect(!LateRequests.take().contains { $0.contains("aDeclinedCard()") })
  }

  private func sentencesAfterALateRequest() async throws -> [String] {
    let interceptor = StubInterceptor(try answering(StubResponse(body: .text("early"))))
    interceptor.name(test: "ShopTests/CheckoutTests/aDeclinedCard()")
    let session = interceptor.urlSession()
    _ = try await session.data(for: try request())
    interceptor.end()
    let url = try #require(URL(string: "https://api.shop.test/v1/me?token=abc"))
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.code == .cancelled)
    return LateRequests.take().filter { $0.contains("aDeclinedCard()") }
  }

  @Test func cookiesOfTheSharedSessionEndWithTheProcess() async throws {
    let url = try #require(URL(string: "https://shared-session.test/"))
    let cookies = HTTPCookie.cookies(
      withResponseHeaderFields: [
        "Set-Cookie": "a=1; Path=/; Max-Age=3600, b=2; Path=/; Max-Age=0"
      ], for: url)
    let kept = cookies.map(\.endingWithProcess)
    #expect(kept.map(\.name) == cookies.map(\.name))
    #expect(kept.first?.isSessionOnly == true)
    #expect(kept.first?.value == "1" && kept.first?.path == "/" && kept.first?.domain == url.host)
  }
}
