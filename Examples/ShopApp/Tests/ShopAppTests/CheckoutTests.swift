import Foundation
import ShopApp
import StubDBTesting
import Testing

@Suite(.catalog("Fixtures/shop.stubdb"))
struct CheckoutTests {
  /// A client whose customer is signed in.
  private func signedIn() async throws -> ShopClient {
    var client = ShopClient(session: .stubbed)
    _ = try await client.signIn(email: "ada@shop.test", password: "correct horse")
    return client
  }

  @Test(.scenario("checkout/card-declined"))
  func declinedCardIsAskedForAgain() async throws {
    let client = try await signedIn()
    await #expect(throws: ShopError.cardDeclined(retryAfterSeconds: 1)) {
      try await client.charge(amount: 1200)
    }
    #expect(try await client.charge(amount: 1200) == Charge(id: "ch_1"))
    #expect(
      StubInterceptor.current.journal.compactMap(\.stubKey) == ["sign-in", "charge", "charge"])
  }

  @Test(.scenario("checkout/card-declined", options: .init(pace: .instant)), arguments: 1...25)
  func everyCaseBeginsWithTheFirstAnswer(_ number: Int) async throws {
    let client = try await signedIn()
    await #expect(throws: ShopError.cardDeclined(retryAfterSeconds: 1)) {
      try await client.charge(amount: 1200)
    }
    _ = try await client.charge(amount: 1200)
  }

  @Test(.scenario("checkout/bank-down"))
  func bankThatIsDownIsReported() async throws {
    await #expect(throws: ShopError.failed(status: 503)) {
      try await ShopClient(session: .stubbed).charge(amount: 1)
    }
  }

  @Test(.scenario("network/offline"))
  func offlineIsAnErrorOfTheNetwork() async throws {
    let error = await #expect(throws: URLError.self) {
      try await ShopClient(session: .stubbed).me()
    }
    #expect(error?.code == .notConnectedToInternet)
  }
}
