import StubDBSweeps
import StubDBTesting
import Testing

@testable import SweptShop

extension Shop {
  /// The client in a test: it gets the answers of the scenario, and its waits take no time.
  static var stubbed: Self {
    Self(Connection(session: .stubbed, clock: StubInterceptor.current.clock))
  }
}

/// What the app does with its client, and what is expected of it when nothing goes wrong.
enum UseCases {
  static func products(of shop: some Shop) async throws {
    #expect(try await shop.products() == ["tea", "cup"])
  }

  static func move(_ shop: some Shop) async throws {
    try await shop.move(to: "Turin")
  }

  static func charge(_ shop: some Shop) async throws {
    #expect(try await shop.charge(cents: 1200) == "ch_1")
  }

  static func receipt(of shop: some Shop) async throws {
    #expect(try await shop.receipt(of: "ch_1") == "R-2026-1")
  }

  static func orders(of shop: some Shop) async throws {
    #expect(try await shop.orders() == ["o_1", "o_2"])
  }

  static func customer(of shop: some Shop) async throws {
    #expect(try await shop.customer() == "Ada")
  }

  static func balance(of shop: some Shop) async throws {
    #expect(try await shop.balance() == 1200)
  }

  static func card(of shop: some Shop) async throws {
    #expect(try await shop.card() == "4242")
  }

  /// Two parts of a screen load at the same time.
  static func session(of shop: some Shop) async throws {
    let profile = Task { try await shop.profile() }
    let wishlist = Task { try await shop.wishlist() }
    let (name, products) = (await profile.result, await wishlist.result)
    #expect(try name.get() == "Ada")
    #expect(try products.get() == ["pot"])
  }

  /// Letters are typed faster than answers come.
  static func search(in shop: some Shop) async throws {
    var searches: [Task<Void, any Error>] = []
    for text in ["t", "te", "tea"] { searches.append(await shop.type(text)) }
    try await all(searches)
    #expect(await shop.found == ["tea"])
  }

  /// A product is added before the server has taken the one before.
  static func cart(of shop: some Shop) async throws {
    try await all(["tea", "cup"].map { product in Task { try await shop.add(product) } })
    #expect(await Set(shop.cart) == ["tea", "cup"])
  }

  static func stock(of shop: some Shop) async throws {
    #expect(try await shop.stock(of: "tea") == 7)
  }

  /// Waits for all tasks, and throws the first error after that.
  private static func all(_ tasks: [Task<Void, any Error>]) async throws {
    for task in tasks { _ = await task.result }
    for task in tasks { try await task.value }
  }
}
