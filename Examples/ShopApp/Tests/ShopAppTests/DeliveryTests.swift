import ShopApp
import StubDBTesting
import Testing

@Suite(.catalog("Fixtures/shop.stubdb"))
struct DeliveryTests {
  @Test(.scenario("orders/deliveries", options: .init(today: .recorded)))
  func parcelsOnTheirWayAreListed() async throws {
    let client = ShopClient(session: .stubbed)
    let deliveries = try await client.deliveries(from: StubInterceptor.current.now)
    #expect(deliveries.map(\.id) == ["d_1", "d_2", "d_3"])
  }
}
