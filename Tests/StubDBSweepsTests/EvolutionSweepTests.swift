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

/// What a shop does not do with an order that is not paid.
private struct NotPaid: Error { var status: OpenStatus }

private struct Items: Decodable {
  struct Item: Decodable { var id: Int }
  var items: [Item]
  var rates: [String: Double]

  static func load() async throws -> Items {
    let url = try #require(URL(string: "https://api.shop.test/items"))
    return try JSONDecoder().decode(Self.self, from: try await URLSession.stubbed.data(from: url).0)
  }
}

@Suite(.catalog(SweptCatalog.path))
struct EvolutionSweepTests {
  /// It comes out with a status that clients know, too.
  @Test(.finds([:]), .scenario("shop/orders"), .everyEvolution)
  func anErrorThatIsRightIsNoFinding() async throws {
    if let order = try await Orders<OpenStatus, Int>.load().first, order.status != .paid {
      throw NotPaid(status: order.status)
    }
  }

  @Test(
    .finds(["orders/orders-0-status=unknown": "an unknown constant: DecodingError"]),
    .scenario("shop/orders"), .everyEvolution)
  func anErrorOfDecodingIsFoundBesideOneThatIsRight() async throws {
    if let order = try await Orders<ClosedStatus, Int>.load().first, order.status != .paid {
      throw NotPaid(status: .other)
    }
  }

  @Test(
    .finds([:]), .scenario("shop/items"), .everyEvolution, .only("items/rates=entry"))
  func theNumberOfEntriesMayBeExpected() async throws {
    #expect(try await Items.load().rates.count == 2)
  }

  /// A sweep looks at fewer elements by itself.
  @Test(
    .finds(["long/items-59-note=absent": "/items/59/note = no member: ShopError: unreadable"]),
    .scenario("shop/long"), .everyEvolution, .only("long/items-59-note=absent"))
  func whatALimitLeavesOutIsTriedByItsName() async throws {
    let url = try #require(URL(string: "https://api.shop.test/long"))
    let (data, _) = try await URLSession.stubbed.data(from: url)
    guard String(decoding: data, as: UTF8.self).contains("note") else { throw ShopError.unreadable }
  }

  #if compiler(>=6.3)
    /// The catalog has no details of an item that a variation adds.
    @Test(
      .finds([:]), .warns("GET https://api.shop.test/items/2 was sent, which no stub matches"),
      .scenario("shop/items"), .everyEvolution, .only("items/items=longer"))
    func aRequestForWhatWasAddedIsNoFinding() async throws {
      for item in try await Items.load().items {
        let url = try #require(URL(string: "https://api.shop.test/items/\(item.id)"))
        let (data, _) = try await URLSession.stubbed.data(from: url)
        #expect(!data.isEmpty)
      }
    }
  #endif

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
