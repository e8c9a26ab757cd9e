import StubDBSweeps
import StubDBTesting
import Testing

@testable import SweptShop

/// The careless client, each defect under the sweep that finds it: these tests fail, although each of them passes
/// without its sweep.
@Suite(.catalog("Fixtures/shop.stubdb"))
struct CarelessShopTests {
  @Test(.scenario("shop/products"), .everyFailure(expecting: RequestError.self))
  func products() async throws { try await UseCases.products(of: CarelessShop.stubbed) }

  @Test(.scenario("shop/address"), .everyFailure(expecting: RequestError.self))
  func address() async throws { try await UseCases.move(CarelessShop.stubbed) }

  @Test(.scenario("shop/charge"), .everyFailure(expecting: RequestError.self))
  func charge() async throws { try await UseCases.charge(CarelessShop.stubbed) }

  @Test(
    .scenario("shop/receipt"), .everyFailure(expecting: RequestError.self, deadline: .seconds(1)))
  func receipt() async throws { try await UseCases.receipt(of: CarelessShop.stubbed) }

  @Test(.scenario("shop/orders"), .everyEvolution)
  func orders() async throws { try await UseCases.orders(of: CarelessShop.stubbed) }

  @Test(.scenario("shop/customer"), .everyEvolution)
  func customer() async throws { try await UseCases.customer(of: CarelessShop.stubbed) }

  @Test(.scenario("shop/balance"), .everyEvolution)
  func balance() async throws { try await UseCases.balance(of: CarelessShop.stubbed) }

  /// Ends the process; the next one reports it, and leaves it out with STUBDB_SWEEP_SKIP_CRASHED=1.
  @Test(.scenario("shop/cards"), .everyEvolution)
  func card() async throws { try await UseCases.card(of: CarelessShop.stubbed) }

  @Test(.scenario("shop/session"), .everyOrder)
  func session() async throws { try await UseCases.session(of: CarelessShop.stubbed) }

  @Test(.scenario("shop/search"), .everyOrder)
  func search() async throws { try await UseCases.search(in: CarelessShop.stubbed) }

  @Test(.scenario("shop/cart"), .everyOrder)
  func cart() async throws { try await UseCases.cart(of: CarelessShop.stubbed) }

  @Test(.scenario("shop/stock"), .everyFailure(expecting: RequestError.self))
  func stock() async throws { try await UseCases.stock(of: CarelessShop.stubbed) }
}
