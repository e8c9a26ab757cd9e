import Foundation
import StubDBSweeps
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Runs the test of this module under each compatible change of its answer, and prints how long one repetition takes.
@main enum SweepTests {
  static func main() async {
    let code = await run()
    print("microseconds", await repetitions.microseconds)
    exit(code)
  }

  /// Calls what SwiftPM calls in a test program.
  private static func run() async -> CInt { await Testing.__swiftPMEntryPoint() }
}

/// The calls of the test's function.
private actor Repetitions {
  private var times: (first: ContinuousClock.Instant, last: ContinuousClock.Instant)?
  private var count = 0

  func note() {
    let now = ContinuousClock.now
    times = (times?.first ?? now, now)
    count += 1
  }

  /// The time from one call to the next; the unchanged ones are among them.
  var microseconds: Double {
    guard let times, count > 1 else { return .infinity }
    return (times.last - times.first) / .microseconds(count - 1)
  }
}

private let repetitions = Repetitions()

/// A client that stands whatever is compatible.
private struct Orders: Decodable {
  struct Order: Decodable {
    struct Line: Decodable {
      var sku: String?
      var price: Int?
    }
    var id: Int?
    var status: String?
    var total: Int?
    var note: String?
    var lines: [Line]?
  }
  var orders: [Order]?
}

@Suite(
  .serialized,
  .catalog(ProcessInfo.processInfo.environment["STUBDB_MEASURED_CATALOG"] ?? "missing.stubdb"))
struct MeasuredSweep {
  @Test(.scenario("bench/orders"), .everyEvolution, arguments: 0..<20)
  func ordersAreListed(_ number: Int) async throws {
    await repetitions.note()
    let session = URLSession.stubbed
    let url = try #require(URL(string: "https://api.shop.test/orders"))
    let orders = try JSONDecoder().decode(Orders.self, from: await session.data(from: url).0)
    #expect(orders.orders?.isEmpty != nil)
    session.finishTasksAndInvalidate()
  }
}
