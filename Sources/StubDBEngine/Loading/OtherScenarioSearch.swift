public import StubDBModel

/// Finds scenarios that would have answered a request.
///
/// A catalog has more scenarios than the one that is played; the report on an unmatched request asks it.
public protocol OtherScenarioSearch: Sendable {
  /// Scenarios in which a stub matches the request, the best first; empty if there are none.
  ///
  /// Called from any thread, and only for a report.
  func scenarios(matching request: StubRequest) -> [ScenarioName]
}
