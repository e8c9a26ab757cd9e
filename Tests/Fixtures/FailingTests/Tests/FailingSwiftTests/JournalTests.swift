import Foundation
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct OtherError: Error {}

/// Sends a request with a secret, and ignores the result.
private func send(_ path: String, posting body: String? = nil) async throws {
  var request = URLRequest(url: try #require(URL(string: "https://api.shop.test\(path)")))
  if body != nil { request.httpMethod = "POST" }
  request.httpBody = body.map { Data($0.utf8) }
  request.setValue("Bearer correct-horse-battery-staple", forHTTPHeaderField: "Authorization")
  request.setValue("application/json", forHTTPHeaderField: "Content-Type")
  _ = try? await URLSession.stubbed.data(for: request)
}

/// scripts/test-failing-fixture reads the journals that these leave: one for each that fails, none for those that pass.
@Suite(.catalog("Fixtures/failing.stubdb"), .scenario("checkout/journal"))
struct JournalTests {
  @Test(
    .scenario(
      "checkout/journal",
      options: .init(seed: 1_000_000_000_000_000_007, overlays: ["checkout/partly"])))
  func failsWithFiveRequests() async throws {
    try await send("/v1/me")
    try await send("/v1/orders")
    try await send("/v1/refund", posting: #"{"amount": 1200, "password": "hunter2-hunter2"}"#)
    try await send("/v1/charges", posting: #"{"amount": 1200}"#)
    try await send("/v1/orders")
  }

  @Test func failsByAnExpectationAlone() async throws {
    try await send("/v1/me")
    #expect(Bool(false), "It is no problem of the run")
  }

  @Test func failsByAnErrorAlone() async throws {
    try await send("/v1/me")
    throw OtherError()
  }

  @Test func passesWithAnExpectation() async throws {
    try await send("/v1/me")
    #expect(Bool(true))
  }

  @Test func passesWithAKnownIssue() async throws {
    try await send("/v1/me")
    withKnownIssue { #expect(Bool(false)) }
  }

  #if compiler(>=6.3)
    @Test func passesWithAWarning() async throws {
      try await send("/v1/me")
      Issue.record("It is only a warning", severity: .warning)
    }

    @Test func passesWhenItIsCancelled() async throws {
      try await send("/v1/me")
      try Test.cancel("There is nothing to test")
    }
  #endif
}

/// A failure on a thread of its own belongs to no test, and the framework hands it to the handlers of all that run.
@Suite(.catalog("Fixtures/failing.stubdb"), .scenario("checkout/journal"))
struct UnknownTests {
  private static let (hasFailed, fail) = AsyncStream.makeStream(of: Void.self)

  @Test func passesThoughAThreadOfItFails() async throws {
    try await send("/v1/me")
    Thread.detachNewThread {
      Issue.record("It belongs to no test")
      Self.fail.finish()
    }
    for await _ in Self.hasFailed {}
  }

  @Test func passesBesideIt() async throws {
    try await send("/v1/me")
    for await _ in Self.hasFailed {}
  }
}
