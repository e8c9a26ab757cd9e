public import StubDBModel

/// What finds the stubs elsewhere that would have answered a request.
///
/// A catalog knows more scenarios than the one that is played; the report on an unmatched request asks it.
public protocol OtherScenarioSearch: Sendable {
  /// Scenarios in which a stub matches the request, the best first; empty when there are none.
  ///
  /// Called from any thread, only for a report that a person reads.
  func scenarios(matching request: StubRequest) -> [ScenarioName]
}
