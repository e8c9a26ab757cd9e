import Foundation
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request that comes after its test has ended fails none, and the next report names it.
@Suite(.catalog("Fixtures/failing.stubdb"), .scenario("checkout/journal"), .serialized)
struct LateRequestTests {
  private static let (hasEnded, end) = AsyncStream.makeStream(of: Void.self)
  private static let (hasAsked, asked) = AsyncStream.makeStream(of: Void.self)

  /// Asks now, and again from a detached task after the tests have ended.
  private func ask(_ url: String) async throws {
    let session = URLSession.stubbed
    let url = try #require(URL(string: url))
    _ = try await session.data(for: URLRequest(url: url))
    Task.detached {
      for await _ in Self.hasEnded {}
      _ = try? await session.data(for: URLRequest(url: url))
      Self.asked.yield()
    }
  }

  @Test func aDeclinedCard() async throws {
    try await ask("https://api.shop.test/v1/me?token=correct-horse")
  }

  @Test func aPaidOrder() async throws {
    try await ask("https://api.shop.test/v1/orders")
  }

  @Test func passesThoughALateRequestComes() async throws {
    let url = try #require(URL(string: "https://api.shop.test/v1/me"))
    _ = try await URLSession.stubbed.data(for: URLRequest(url: url))
    Self.end.finish()
    for await _ in Self.hasAsked.prefix(2) {}
  }
}
