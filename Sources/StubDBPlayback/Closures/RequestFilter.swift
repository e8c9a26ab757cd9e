import HTTPTypes
import StubDBEngine
import StubDBModel

/// Tells which requests a pattern matches.
struct RequestFilter: Sendable {
  /// Nil for all requests.
  private let compiled: LoadedScenario?

  /// Makes a filter that accepts all requests.
  static let everything = RequestFilter()

  private init() { compiled = nil }

  /// - Throws: ``EngineError`` for a pattern that this version cannot match.
  init(_ pattern: RequestPattern) throws(EngineError) {
    guard pattern != RequestPattern() else {
      compiled = nil
      return
    }
    compiled = try LoadedScenario(
      Scenario(
        name: ScenarioName(unchecked: "filter"), stubs: [Stub(key: "filter", request: pattern)]))
  }

  /// - Throws: `DocumentError` for a URL that cannot be read.
  init(method: HTTPRequest.Method?, url: String) throws(DocumentError) {
    let pattern = try RequestPattern(method: method, url: url)
    do throws(EngineError) {
      self = try RequestFilter(pattern)
    } catch {
      throw DocumentError(.invalidValue, message: error.message)
    }
  }

  func matches(_ request: PreparedRequest) -> Bool {
    compiled.map { $0.firstMatch(for: request) != nil } ?? true
  }
}
