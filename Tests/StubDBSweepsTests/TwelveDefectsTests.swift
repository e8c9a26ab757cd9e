import Foundation
import StubDBSweeps
import StubDBTesting
import Testing

/// The careless client of Examples/SweptShop, again and again: each repetition must find the same.
///
/// `STUBDB_SWEEP_REPETITIONS=20 swift test --filter TwelveDefectsTests` repeats all of it 20 times in one process; with
/// hundreds at once, the unchanged tests themselves are late. `scripts/test-sweeps --repeat 1000` has a process for each.
///
/// The twelfth defect ends the process, which `scripts/test-sweeps` repeats. The folder `SweptShop` is a link to the sources.
@Suite(.catalog("Examples/SweptShop/Fixtures/shop.stubdb"))
struct TwelveDefectsTests {
  private static let variable = "STUBDB_SWEEP_REPETITIONS"
  private static let repetitions = numbers(ProcessInfo.processInfo.environment[variable])

  /// As many as the variable says, and 7 without it; none if that is no number.
  private static func numbers(_ text: String?) -> Range<Int> {
    0..<max(0, text.map { Int($0) ?? 0 } ?? 7)
  }

  /// Unchanged runs of races pass by the delays of the answers: long ones, since a loaded machine stops for a second.
  private static let slowly = PlaybackOptions(pace: .scaled(3))

  @Test func theVariableSaysHowManyRepetitionsThereAre() {
    #expect(Self.numbers(nil) == 0..<7)
    #expect(Self.numbers("1000") == 0..<1000)
    #expect(Self.numbers("many").isEmpty)
    #expect(!Self.repetitions.isEmpty, "\(Self.variable) is no number above 0.")
  }

  private var shop: CarelessShop {
    CarelessShop(Connection(session: .stubbed, clock: StubInterceptor.current.clock))
  }

  @Test(
    .finds([
      "products/no-connection": "was sent again and again",
      "products/timeout": "was sent again and again", "products/reset": "was sent again and again",
    ]), .scenario("shop/products"), .everyFailure(expecting: RequestError.self),
    arguments: repetitions)
  func forgottenRetryLimit(_ repetition: Int) async throws {
    #expect(try await shop.products() == ["tea", "cup"])
  }

  @Test(
    .finds(
      Dictionary(
        uniqueKeysWithValues: SweptFailure.allCases.map {
          ("address/\($0.name)", "does not come out, and the test threw none")
        })), .scenario("shop/address"), .everyFailure(expecting: RequestError.self),
    arguments: repetitions)
  func swallowedError(_ repetition: Int) async throws {
    try await shop.move(to: "Turin")
  }

  @Test(
    .finds(["charge/timeout": "was sent again, although the server may have carried it out"]),
    .scenario("shop/charge"), .everyFailure(expecting: RequestError.self), arguments: repetitions)
  func doubleCharge(_ repetition: Int) async throws {
    #expect(try await shop.charge(cents: 1200) == "ch_1")
  }

  @Test(
    .finds(["receipt/reset": "The test does not end"]), .scenario("shop/receipt"),
    .everyFailure(expecting: RequestError.self, deadline: .milliseconds(300)),
    arguments: repetitions)
  func hangOnReset(_ repetition: Int) async throws {
    #expect(try await shop.receipt(of: "ch_1") == "R-2026-1")
  }

  @Test(
    .finds(["orders/orders-0-status=unknown": "an unknown constant: RequestError: unreadable("]),
    .scenario("shop/orders"), .everyEvolution, arguments: repetitions)
  func brittleEnumeration(_ repetition: Int) async throws {
    #expect(try await shop.orders() == ["o_1", "o_2"])
  }

  @Test(
    .finds(["customer/phone=null": "/phone = null: RequestError: unreadable("]),
    .scenario("shop/customer"), .everyEvolution, arguments: repetitions)
  func nullWhereAValueIsRequired(_ repetition: Int) async throws {
    #expect(try await shop.customer() == "Ada")
  }

  @Test(
    .finds(["balance/cents=large": "an integer beyond 32 bits: RequestError: unreadable("]),
    .scenario("shop/balance"), .everyEvolution, arguments: repetitions)
  func overflow(_ repetition: Int) async throws {
    #expect(try await shop.balance() == 1200)
  }

  @Test(
    .finds([
      "order=profile-expired,wishlist-expired,token,token.2,profile":
        "The test fails in this order of answers, and not without it: the test throws refused(status: 400"
    ]), .scenario("shop/session", options: slowly), .everyOrder, arguments: repetitions)
  func raceOfTokenRefreshes(_ repetition: Int) async throws {
    let shop = shop
    let profile = Task { try await shop.profile() }
    let wishlist = Task { try await shop.wishlist() }
    let (name, products) = (await profile.result, await wishlist.result)
    #expect(try name.get() == "Ada")
    #expect(try products.get() == ["pot"])
  }

  @Test(
    .finds(["order=t,tea,te": "The test fails in this order of answers"]),
    .scenario("shop/search", options: slowly), .everyOrder, arguments: repetitions)
  func staleSearchResult(_ repetition: Int) async throws {
    let shop = shop
    var searches: [Task<Void, any Error>] = []
    for text in ["t", "te", "tea"] { searches.append(await shop.type(text)) }
    for search in searches { try await search.value }
    #expect(await shop.found == ["tea"])
  }

  @Test(
    .finds(["order=price-tea,price-cup,add-tea,add-cup": "The test fails in this order of answers"]
    ),
    .scenario("shop/cart", options: slowly), .everyOrder, arguments: repetitions)
  func lostUpdate(_ repetition: Int) async throws {
    let shop = shop
    async let tea: Void = shop.add("tea")
    async let cup: Void = shop.add("cup")
    _ = try await (tea, cup)
    #expect(await Set(shop.cart) == ["tea", "cup"])
  }

  @Test(
    .finds(["stock/429": "although the answer asked to wait for 1 s"]), .scenario("shop/stock"),
    .everyFailure(expecting: RequestError.self), arguments: repetitions)
  func retryWithoutBackoff(_ repetition: Int) async throws {
    #expect(try await shop.stock(of: "tea") == 7)
  }
}
