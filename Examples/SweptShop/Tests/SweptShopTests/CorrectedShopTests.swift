import StubDBSweeps
import StubDBTesting
import Testing

@testable import SweptShop

/// The corrected client, under all variations: these tests pass.
@Suite(
  .catalog("Fixtures/shop.stubdb"), .everyFailure(expecting: RequestError.self), .everyEvolution,
  .everyOrder)
struct CorrectedShopTests {
  @Test(.scenario("shop/products"))
  func products() async throws { try await UseCases.products(of: CorrectedShop.stubbed) }

  @Test(.scenario("shop/address"))
  func address() async throws { try await UseCases.move(CorrectedShop.stubbed) }

  @Test(.scenario("shop/charge"))
  func charge() async throws { try await UseCases.charge(CorrectedShop.stubbed) }

  @Test(.scenario("shop/receipt"))
  func receipt() async throws { try await UseCases.receipt(of: CorrectedShop.stubbed) }

  @Test(.scenario("shop/orders"))
  func orders() async throws { try await UseCases.orders(of: CorrectedShop.stubbed) }

  @Test(.scenario("shop/customer"))
  func customer() async throws { try await UseCases.customer(of: CorrectedShop.stubbed) }

  @Test(.scenario("shop/balance"))
  func balance() async throws { try await UseCases.balance(of: CorrectedShop.stubbed) }

  @Test(.scenario("shop/cards"))
  func card() async throws { try await UseCases.card(of: CorrectedShop.stubbed) }

  @Test(.scenario("shop/session"))
  func session() async throws { try await UseCases.session(of: CorrectedShop.stubbed) }

  @Test(.scenario("shop/search"))
  func search() async throws { try await UseCases.search(in: CorrectedShop.stubbed) }

  @Test(.scenario("shop/cart"))
  func cart() async throws { try await UseCases.cart(of: CorrectedShop.stubbed) }

  @Test(.scenario("shop/stock"))
  func stock() async throws { try await UseCases.stock(of: CorrectedShop.stubbed) }
}

/// Nine failures of each of twenty stubs, which take little more time than the test itself.
@Suite(.catalog("Fixtures/shop.stubdb"))
struct TileTests {
  @Test(.scenario("shop/dashboard"), .everyFailure(expecting: RequestError.self))
  func tiles() async throws {
    #expect(try await CorrectedShop.stubbed.tiles(20).last == "tile 20")
  }
}
