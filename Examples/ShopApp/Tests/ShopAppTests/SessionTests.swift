import Foundation
import ShopApp
import StubDBTesting
import Testing

@Suite(.catalog("Fixtures/shop.stubdb"), .scenario("session/signed-in"), .serialized)
struct SessionTests {
  @Test func signingInMakesMeKnown() async throws {
    var client = ShopClient(session: .stubbed)
    #expect(
      try await client.signIn(email: "ada@shop.test", password: "correct horse")
        == Customer(id: "u_1", name: "Ada"))
    #expect(try await client.me() == Customer(id: "u_1", name: "Ada"))
  }

  @Test func nobodyIsKnownBefore() async throws {
    await #expect(throws: ShopError.notSignedIn) {
      try await ShopClient(session: .stubbed).me()
    }
  }
}
