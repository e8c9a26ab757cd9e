public import StubDBModel

/// What a person reads about a request that no stub answered.
public struct UnmatchedReport: Hashable, Sendable {
  /// The request.
  public var request: StubRequest
  /// The scenario that was played.
  public var scenario: ScenarioName
  /// The nearest stubs, nearest first.
  public var nearMisses: [NearMiss]
  /// Other scenarios in which a stub matches; empty when none does or nobody looked.
  public var otherScenarios: [ScenarioName]

  /// Makes a report.
  public init(
    request: StubRequest, scenario: ScenarioName, nearMisses: [NearMiss],
    otherScenarios: [ScenarioName] = []
  ) {
    self.request = request
    self.scenario = scenario
    self.nearMisses = nearMisses
    self.otherScenarios = otherScenarios
  }

  /// Several lines of plain text without colour and without a line break at the end.
  ///
  /// Shows values of the request, since whoever reads it needs them; long ones are cut.
  public var text: String {
    "No stub of scenario \"\(scenario)\" answers \(request.method) \(request.url)"
  }
}
