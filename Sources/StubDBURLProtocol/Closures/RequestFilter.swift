import StubDBEngine
import StubDBModel

/// Says which requests a pattern matches.
struct RequestFilter: Sendable {
  /// Nil for all.
  private let compiled: LoadedScenario?

  /// All requests.
  static let everything = RequestFilter()

  private init() { compiled = nil }

  /// - Throws: ``EngineError`` for what this version cannot match.
  init(_ pattern: RequestPattern) throws(EngineError) {
    guard pattern != RequestPattern() else {
      compiled = nil
      return
    }
    compiled = try LoadedScenario(
      Scenario(
        name: ScenarioName(unchecked: "filter"), stubs: [Stub(key: "filter", request: pattern)]))
  }

  func matches(_ request: StubRequest) -> Bool {
    compiled.map { $0.firstMatch(for: request) != nil } ?? true
  }
}
