import Foundation
import StubDBSweeps
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private func answer(to text: String) async throws -> String {
  let url = try #require(URL(string: text))
  return String(decoding: try await URLSession.stubbed.data(from: url).0, as: UTF8.self)
}

/// Sweeps that would pass without having tried anything.
@Suite(.catalog(SweptCatalog.path))
struct NothingToVaryTests {
  @Test(
    .finds([".everyFailure has tried nothing": "the test sent no request to its scenario. Does"]),
    .scenario("shop/orders"), .everyFailure)
  func aTestThatSendsNothingHasNoFailures() {}

  @Test(
    .finds([".everyOrder has tried nothing": "the test sent no request to its scenario. Does"]),
    .scenario("shop/orders"), .everyOrder)
  func aTestThatSendsNothingHasNoOrders() {}

  @Test(
    .finds([
      "This test has no variation \"orders/timeout\", and none at all":
        "there is nothing to vary in what it was answered"
    ]), .scenario("shop/orders"), .everyFailure, .only("orders/timeout"))
  func aTestThatSendsNothingHasNoVariationToName() {}

  /// One case has the variation, and the other one has none.
  @Test(
    .finds([:]), .scenario("shop/orders"), .everyFailure, .only("orders/timeout"),
    arguments: [true, false])
  func aNameMayBeOneOfAnotherCase(isAsked: Bool) async throws {
    if isAsked { _ = try? await answer(to: "https://api.shop.test/orders") }
  }

  #if compiler(>=6.3)
    @Test(
      .finds([:]), .warns(".everyFailure has tried nothing: the test sent no request"),
      .scenario("shop/orders"), .everyFailure, arguments: [1])
    func ofAParameterizedTestAnotherCaseMaySendSomething(_ number: Int) {}

    @Test(
      .warns("The answers that the test got are left alone. a: its content is not JSON."),
      .scenario("shop/search"), .everyEvolution)
    func answersThatCannotEvolveAreNamed() async throws {
      #expect(try await answer(to: "https://api.shop.test/search?q=a") == "a")
    }

    @Test(
      .warns(".everyFailure has tried nothing: It is given no failures."),
      .scenario("shop/search"), .everyFailure([]))
    func noFailuresAreNone() async throws {
      #expect(try await answer(to: "https://api.shop.test/search?q=a") == "a")
    }

    /// A suite has tests for which its sweep is not meant.
    @Suite(
      .warns(".everyFailure has tried nothing: the test sent no request"),
      .scenario("shop/orders"), .everyFailure)
    struct SweptSuiteTests {
      @Test func aTestMaySendNothing() {}
    }
  #endif
}
