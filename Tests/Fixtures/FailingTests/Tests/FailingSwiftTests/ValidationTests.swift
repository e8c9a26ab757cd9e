import Foundation
import StubDBTesting
import StubDBValidation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends an amount that is a text, and ignores the result.
private func pay(_ path: String) async throws {
  var request = URLRequest(url: try #require(URL(string: "https://pay.shop.test/v1/\(path)")))
  request.httpMethod = "POST"
  request.setValue("application/json", forHTTPHeaderField: "Content-Type")
  request.httpBody = Data(#"{"amount": "1200"}"#.utf8)
  _ = try? await URLSession.stubbed.data(for: request)
}

/// The catalog keeps the description shop.yaml.
@Suite(.catalog("Fixtures/failing.stubdb"))
struct ValidationTests {
  @Test(.scenario("checkout/described", options: .init(validatesRequests: true)))
  func failsForARequestThatTheDescriptionForbids() async throws {
    try await pay("charges")
  }

  @Test(.scenario("checkout/described", options: .init(validatesRequests: true)))
  func failsForAForbiddenRequestThatAClosureAnswers() async throws {
    StubInterceptor.current.stub { _ in .status(204) }
    try await pay("charges")
  }

  @Test(.scenario("checkout/described", options: .init(validatesRequests: true)))
  func passesWithAnExceptionOfTheTeam() async throws {
    try await pay("refunds")
  }

  @Test(.scenario("checkout/described"))
  func passesWithoutValidation() async throws {
    try await pay("charges")
  }
}
