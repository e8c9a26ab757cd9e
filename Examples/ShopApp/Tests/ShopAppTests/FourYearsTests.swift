import Foundation
import ShopApp
import StubDBTesting
import Testing

/// The tests of the other suites, on each day of four years: answers that were recorded once do not age.
@Suite(.catalog("Fixtures/shop.stubdb"))
struct FourYearsTests {
  private static let tests: [(scenario: String, body: @Sendable () async throws -> Void)] = [
    ("orders/deliveries", { try await DeliveryTests().parcelsOnTheirWayAreListed() }),
    ("checkout/card-declined", { try await CheckoutTests().declinedCardIsAskedForAgain() }),
    ("checkout/bank-down", { try await CheckoutTests().bankThatIsDownIsReported() }),
    ("network/offline", { try await CheckoutTests().offlineIsAnErrorOfTheNetwork() }),
    ("session/signed-in", { try await SessionTests().signingInMakesMeKnown() }),
    ("session/signed-in", { try await SessionTests().nobodyIsKnownBefore() }),
  ]

  @Test func everyTestPassesOnEachDay() async throws {
    let test = try #require(Test.current)
    let start = try #require(ISO8601DateFormatter().date(from: "2026-11-21T23:59:30Z"))
    for day in 0..<1461 {
      let today = PlaybackOptions.Today.at(start + Double(day) * 86_400)
      for (scenario, body) in Self.tests {
        let trait: ScenarioTrait = .scenario(
          scenario, options: .init(pace: .instant, today: today))
        try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
      }
    }
  }

  // Without a day the recorded answer belongs to one day only.
  @Test(.scenario("orders/deliveries", options: .init(unmatched: .respond(404))))
  func asRecordedTheAnswersAge() async throws {
    let later = try #require(ISO8601DateFormatter().date(from: "2026-12-21T00:00:00Z"))
    await #expect(throws: ShopError.failed(status: 404)) {
      try await ShopClient(session: .stubbed).deliveries(from: later)
    }
  }
}
