import Shop
import StubDBTesting
import XCTest

final class CheckoutXCTests: XCTestCase {
  func testADeclinedCardCanBeReplaced() async throws {
    let interceptor = try loadScenario("checkout/card-declined", catalog: "shop.stubdb")
    let shop = ShopClient(session: interceptor.urlSession())
    do {
      _ = try await shop.charge(1200)
      XCTFail("not declined")
    } catch ShopError.cardDeclined {}
    let charge = try await shop.charge(1200)
    XCTAssertEqual(charge.id, "ch_1")
  }
}
