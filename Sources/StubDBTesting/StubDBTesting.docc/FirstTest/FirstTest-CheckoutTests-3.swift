import Shop
import StubDBTesting
import Testing

@Suite(.catalog("shop.stubdb"))
struct CheckoutTests {
  @Test(.scenario("checkout/card-declined"))
  func aDeclinedCardCanBeReplaced() async throws {
    let shop = ShopClient(session: .stubbed)
    await #expect(throws: ShopError.cardDeclined) { try await shop.charge(1200) }
    #expect(try await shop.charge(1200).id == "ch_1")
  }

  @Test(.scenario("checkout/card-declined"))
  func aSmallerAmountIsCharged() async throws {
    let shop = ShopClient(session: .stubbed)
    #expect(try await shop.charge(1100).id == "ch_2")
  }
}
