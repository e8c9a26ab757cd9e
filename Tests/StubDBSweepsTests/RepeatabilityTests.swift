import Foundation
import StubDBSupport
import StubDBSweeps
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct NotAnswered: Error {}

/// Tests that are another test when they are repeated.
@Suite(.catalog(SweptCatalog.path))
struct RepeatabilityTests {
  /// How often functions of tests were called.
  private static let calls = Locked([String: Int]())

  /// Notes a call; returns its number.
  private func call(_ name: String = #function) -> Int {
    Self.calls.withLock { calls in
      calls[name, default: 0] += 1
      return calls[name] ?? 0
    }
  }

  private static let unrepeatable =
    "This test cannot be repeated, so that nothing follows from sweeps"

  private func orders() async throws -> Data {
    let url = try #require(URL(string: "https://api.shop.test/orders"))
    return try await URLSession.stubbed.data(from: url).0
  }

  @Test(
    .finds([unrepeatable: "it fails when it is called once more, without a variation: Expectation"]
    ),
    .scenario("shop/orders"), .everyEvolution)
  func whatFailsWithoutAChangeIsNoFinding() async throws {
    _ = try await orders()
    #expect(call() == 1)
  }

  @Test(
    .finds([unrepeatable: "without a variation: it throws NotAnswered()"]),
    .scenario("shop/search"), .everyOrder)
  func whatFailsInEachOrderIsNoFinding() async throws {
    let model = SearchModel(.stubbed, isStale: true)
    try await model.type(all: ["a", "ab"])
    guard call() == 1 else { throw NotAnswered() }
  }

  #if compiler(>=6.3)
    private static let kept = Locked<Data?>(nil)

    /// Nothing is swallowed where nothing is asked.
    @Test(
      .warns("orders/no-connection: It could not be tried: in the repetition, the stub did not"),
      .scenario("shop/orders"), .everyFailure(expecting: URLError.self))
    func aStubThatIsNotAskedAgainIsSaidOnce() async throws {
      let answer: Data
      if let kept = Self.kept.withLock(\.self) {
        answer = kept
      } else {
        answer = try await orders()
        Self.kept.withLock { $0 = answer }
      }
      #expect(!answer.isEmpty)
    }
  #endif
}
