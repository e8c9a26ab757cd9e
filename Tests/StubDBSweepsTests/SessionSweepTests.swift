import Foundation
import StubDBSweeps
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sweeps of tests whose answers do not come to sessions of their own.
@Suite(.catalog(SweptCatalog.path))
struct SessionSweepTests {
  @Test(
    .finds([
      "charge/500": "POST https://other.shop.test/charges was sent, which no stub matches",
      "charge/401": "POST https://other.shop.test/charges",
      "charge/429": "POST https://other.shop.test/charges",
    ]), .scenario("shop/paid", reach: .sharedSession), .everyFailure)
  func failuresReachTheSharedSession() async throws {
    #expect(try await SweptShop(session: .shared, defect: .asksElsewhere).buy() == "ch_1")
  }

  @Test(
    .finds([
      "cart/empty": "does not end", "cart/truncated": "does not end",
      "cart/captive-portal": "does not end",
    ]), .scenario("shop/paid", reach: .sharedSession), .everyFailure(deadline: .milliseconds(300)))
  func aHangLeavesTheSharedSessionToTheNextRepetition() async throws {
    #expect(try await SweptShop(session: .shared, defect: .hangs).buy() == "ch_1")
  }

  @Test(
    .finds(["orders/orders-0-status=unknown": "an unknown constant"]),
    .scenario("shop/orders", reach: .sharedSession), .everyEvolution)
  func changesReachTheSharedSession() async throws {
    let url = try #require(URL(string: "https://api.shop.test/orders"))
    let text = String(decoding: try await URLSession.shared.data(from: url).0, as: UTF8.self)
    if text.contains("added_later") || text.contains("addedlater") { throw ShopError.unreadable }
  }

  @Test(
    .finds(["order=a,abc,ab": "the answers come in the order a,abc,ab"]),
    .scenario("shop/search", reach: .sharedSession), .everyOrder)
  func ordersReachTheSharedSession() async throws {
    let model = SearchModel(.shared, isStale: true)
    try await model.type(all: ["a", "ab", "abc"])
    #expect(await model.shown == "abc")
  }

  #if compiler(>=6.3)
    @Test(
      .warns("This test is not repeated: sweeps change the answers that sessions get"), .everyOrder)
    func aTestWithoutAScenarioIsNotRepeated() {}

    #if Server
      @Test(.warns("and none that .served gives"), .served("shop/orders"), .everyFailure)
      func aServedScenarioIsNotSwept() {}
    #endif
  #endif
}
