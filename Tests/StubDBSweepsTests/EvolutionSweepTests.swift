import Foundation
import StubDBSweeps
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client of orders; the status and the integer are what is brittle in some.
private struct Orders<Status: Decodable & Sendable, Cents: Decodable & Sendable>: Decodable {
  struct Order: Decodable {
    var id: Int
    var status: Status
    var total: Cents
    var note: String?
  }
  var orders: [Order]

  static func load() async throws -> [Order] {
    let url = try #require(URL(string: "https://api.shop.test/orders"))
    let (data, _) = try await URLSession.stubbed.data(from: url)
    return try JSONDecoder().decode(Self.self, from: data).orders
  }
}

private enum ClosedStatus: String, Decodable { case open, paid }

private enum OpenStatus: String, Decodable {
  case open, paid, other

  init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .other
  }
}

@Suite(.catalog(SweptCatalog.path))
struct EvolutionSweepTests {
  @Test(.finds([:]), .scenario("shop/orders"), .everyEvolution)
  func expectationsOfTheChangedValuesAreNoFindings() async throws {
    let orders = try await Orders<OpenStatus, Int>.load()
    #expect(orders.map(\.id) == [1, 2])
    #expect(orders.first?.status == .paid)
    #expect(orders.first?.total == 1200)
    #expect(orders.first?.note == "gift")
  }

  @Test(
    .finds([
      "orders/orders-0-status=unknown": "/orders/0/status = an unknown constant: DecodingError",
      "orders/orders-0-total=large": "/orders/0/total = an integer beyond 32 bits: DecodingError",
    ]), .scenario("shop/orders"), .everyEvolution)
  func brittleTypesAreFoundByTheirPlaces() async throws {
    #expect(try await Orders<ClosedStatus, Int32>.load().count == 2)
  }

  @Test(
    .finds([
      "orders/orders-0-status=unknown": "/orders/0/status = an unknown constant: Expectation failed"
    ]), .scenario("shop/orders"), .everyEvolution)
  func anErrorThatIsSwallowedIsFoundByWhatElseIsMissing() async throws {
    let orders = (try? await Orders<ClosedStatus, Int>.load()) ?? []
    #expect(orders.first?.total == 1200)
  }
}
