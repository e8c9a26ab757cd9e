import Foundation
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests that a program runs to say how long each takes.
public enum MeasuredTests {
  /// The variable with the path of the catalog.
  public static let catalog = "STUBDB_MEASURED_CATALOG"

  /// Runs the tests of this module, and returns the exit code of the process.
  ///
  /// It calls what SwiftPM calls in a test program.
  public static func run() async -> CInt { await Testing.__swiftPMEntryPoint() }

  /// Plays passing tests of one request each, and prints how long each took, in microseconds.
  fileprivate static func play(
    _ trait: ScenarioTrait, sending request: URLRequest, as test: Test
  ) async throws {
    let (warmUpCount, count) = (200, 4_000)
    var start = ContinuousClock.now
    for number in 0..<(warmUpCount + count) {
      if number == warmUpCount { start = .now }
      try await trait.provideScope(for: test, testCase: Test.Case.current) {
        let session = URLSession.stubbed
        let (data, _) = try await session.data(for: request)
        #expect(data.count == 2)
        session.finishTasksAndInvalidate()
      }
    }
    print("microseconds", (ContinuousClock.now - start) / .microseconds(count))
  }
}

@Test func passingTests() async throws {
  let path = try #require(ProcessInfo.processInfo.environment[MeasuredTests.catalog])
  var request = URLRequest(url: try #require(URL(string: "https://api.shop.test/v1/items/0")))
  request.setValue("application/json", forHTTPHeaderField: "Accept")
  try await MeasuredTests.play(
    .scenario("bench/test", catalog: path), sending: request, as: try #require(Test.current))
}
