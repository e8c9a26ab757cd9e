public import StubDBModel

/// A stub that almost matched.
public struct NearMiss: Hashable, Sendable {
  /// The scenario whose document contains the stub.
  public var scenario: ScenarioName
  /// The key of the stub.
  public var key: String
  /// The requests that the stub answers, as one line: `POST https://api.shop.test/v1/charges`.
  public var pattern: String
  /// The distance of the request from the stub: above 0, at most 1.
  public var distance: Double
  /// The differences in the order of a request: method, URL, header fields, body; never empty.
  public var mismatches: [Mismatch]

  /// Makes a near miss.
  public init(
    scenario: ScenarioName, key: String, pattern: String, distance: Double, mismatches: [Mismatch]
  ) {
    self.scenario = scenario
    self.key = key
    self.pattern = pattern
    self.distance = distance
    self.mismatches = mismatches
  }
}
