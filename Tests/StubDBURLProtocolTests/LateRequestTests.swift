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
///
/// What other tests of this process report meanwhile takes all late requests with it, so each is tried again.
@Suite(.serialized) struct LateRequestTests {
  /// The sentences that an action leads to and that have a text which no other test has.
  private func sentences(
    _ count: Int, with text: String, _ action: () async throws -> Void
  ) async throws -> [String] {
    var found: [String] = []
    for _ in 0..<50 where found.count != count {
      try await action()
      found = LateRequests.take().filter { $0.contains(text) }
    }
    return found
  }

  private func interceptor(of test: String) throws -> StubInterceptor {
    let interceptor = StubInterceptor(try answering(StubResponse(body: .text("early"))))
    interceptor.name(test: "ShopTests/CheckoutTests/\(test)")
    return interceptor
  }

  private func ask(_ path: String, _ session: URLSession) async throws {
    let url = try #require(URL(string: "https://api.shop.test\(path)"))
    _ = try await session.data(from: url)
  }

  @Test func aLateRequestIsNamedOnceWithTheTestThatSentIt() async throws {
    let late = try await sentences(1, with: "aDeclinedCard()") {
      let interceptor = try interceptor(of: "aDeclinedCard()")
      let session = interceptor.urlSession()
      try await ask("/v1/me", session)
      interceptor.end()
      for query in ["?token=abc", "?page=2"] {
        let error = await #expect(throws: URLError.self) {
          try await ask("/v1/me\(query)", session)
        }
        #expect(error?.code == .cancelled)
      }
    }
    let sentence = try #require(late.first)
    #expect(sentence.hasPrefix("GET /v1/me came "))
    #expect(sentence.hasSuffix("s after aDeclinedCard() had ended"))
    #expect(!LateRequests.take().contains { $0.contains("aDeclinedCard()") })
  }

  @Test func eachOfSeveralTestsIsNamedWithItsOwnRequestsFromDetachedTasks() async throws {
    let tests = ["aPaidOrder()", "anEmptyCart(of:)", "aSlowNetwork()"]
    let late = try await sentences(6, with: "/late/") {
      let interceptors = try tests.map { try interceptor(of: $0) }
      let sessions = interceptors.map { $0.urlSession() }
      for interceptor in interceptors { interceptor.end() }
      await withTaskGroup(of: Void.self) { group in
        for (index, session) in sessions.enumerated().reversed() {
          for path in ["/late/\(index)", "/late/\(index)/again"] {
            group.addTask { _ = await Task.detached { try? await ask(path, session) }.value }
          }
        }
      }
    }
    let expected = tests.enumerated().flatMap { index, test in
      ["/late/\(index)", "/late/\(index)/again"].map { "GET \($0) after \(test) had ended" }
    }
    let found = late.map { $0.replacing(/came .+ m?s after/, with: "after") }
    #expect(found.sorted() == expected.sorted())
  }

  /// It is late although the end has not returned yet.
  @Test func aClientThatAsksAgainWhenTheEndCancelsItIsNamed() async throws {
    let late = try await sentences(1, with: "aPollingClient()") {
      let interceptor = try interceptor(of: "aPollingClient()")
      let (hasBegun, begin) = AsyncStream.makeStream(of: Void.self)
      interceptor.stub { _ in
        begin.finish()
        try await Task.sleep(for: .seconds(3600))
        return nil
      }
      let session = interceptor.urlSession()
      let client = Task {
        for _ in 0..<2 { try? await ask("/v1/news", session) }
      }
      for await _ in hasBegun {}
      interceptor.end()
      await client.value
    }
    #expect(late.first?.hasPrefix("GET /v1/news came ") == true)
  }

  @Test func afterTwentySentencesTheOthersAreCounted() async throws {
    var late: [String] = []
    for _ in 0..<50 where late.last != "3 more requests came as late" {
      let interceptor = try interceptor(of: "aBusyClient()")
      let session = interceptor.urlSession()
      interceptor.end()
      _ = LateRequests.take()
      for number in 0..<23 { try? await ask("/v1/\(number)", session) }
      late = LateRequests.take()
    }
    #expect(late.last == "3 more requests came as late")
    #expect(late.filter { $0.contains("aBusyClient()") }.count == 20)
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
