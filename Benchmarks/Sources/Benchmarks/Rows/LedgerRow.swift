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
    var (with, without) = ([Double](), [Double]())
    // Alternately, since the machine is not equally fast all the time.
    for _ in 0..<15 {
      without.append(try time(of: url, ledger: nil))
      with.append(try time(of: url, ledger: ledger))
    }
    let (more, less) = (with.min() ?? 0, without.min() ?? 0)
    return .atMost(
      50, more - less, unit: " µs", name: "the usage ledger, for each test",
      detail: "\(format(more)) µs with a ledger against \(format(less)) µs without one")
  }

  /// Microseconds for each test, in a process of its own.
  private static func time(of catalog: URL, ledger: URL?) throws -> Double {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [argument, catalog.path]
    process.environment = ProcessInfo.processInfo.environment
      .filter { $0.key != "STUBDB_LEDGER" }
      .merging(ledger.map { ["STUBDB_LEDGER": $0.path] } ?? [:]) { $1 }
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard let time = Double(String(decoding: text, as: UTF8.self).filter { !$0.isWhitespace })
    else { throw CocoaError(.fileReadCorruptFile) }
    return time
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
    let time = ContinuousClock.now - start
    print(
      Double(time.components.seconds) * 1e6 / Double(testCount)
        + Double(time.components.attoseconds) / 1e12 / Double(testCount))
  }
}
