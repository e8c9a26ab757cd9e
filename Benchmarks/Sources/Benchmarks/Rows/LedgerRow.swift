import Foundation
import StubDB

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the usage ledger adds to a test.
///
/// A process looks for a ledger once, so runs with and without one are processes of their own.
enum LedgerRow {
  /// Has the program run tests, and print how long each took.
  static let argument = "--run-tests"

  private static let testCount = 4_000

  static func measure(in folder: URL) throws -> Row {
    let url = folder.appendingPathComponent("ledger.stubdb")
    try Catalog.create(at: url).edit { editor in
      try editor.insert(Workload.scenario("bench/test", stubs: 10))
    }
    let ledger = folder.appendingPathComponent("ledger", isDirectory: true)
    try FileManager.default.createDirectory(at: ledger, withIntermediateDirectories: true)
    let program = CommandLine.arguments[0]
    let (more, less) = try Command.fastest(
      .init(program, [argument, url.path], ["STUBDB_LEDGER": ledger.path]),
      .init(program, [argument, url.path], ["STUBDB_LEDGER": ""]))
    return .atMost(
      50, more - less, unit: " µs", name: "the usage ledger, for each test",
      detail: "\(format(more)) µs with a ledger against \(format(less)) µs without one")
  }

  /// Runs tests of one request each, and prints how long each took, in microseconds.
  static func run(_ catalog: URL) async throws {
    let request = try RoundTripRow.request(0, stubs: 10)
    var start = ContinuousClock.now
    for number in 0..<(testCount + 200) {
      if number == 200 { start = .now }
      let interceptor = try StubInterceptor("bench/test", in: Catalog(contentsOf: catalog))
      let session = interceptor.urlSession()
      try await RoundTripRow.send([request], through: session)
      session.finishTasksAndInvalidate()
      interceptor.end()
    }
    print("microseconds", (ContinuousClock.now - start) / .microseconds(testCount))
  }
}
