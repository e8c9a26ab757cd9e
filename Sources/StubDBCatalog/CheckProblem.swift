public import StubDBJSON
public import StubDBModel

/// A problem in a catalog.
public struct CheckProblem: Hashable, Sendable, CustomStringConvertible {
  /// The scenario; nil for a problem of the file as a whole.
  public let scenario: ScenarioName?
  /// The stub's key; nil if the problem is not about a stub.
  public let key: String?
  /// The place in the scenario's document; nil if there is no such place.
  public let pointer: JSONPointer?
  /// One sentence: what is wrong, and what to do.
  public let problem: String

  init(
    _ problem: String, scenario: ScenarioName? = nil, key: String? = nil,
    pointer: JSONPointer? = nil
  ) {
    self.scenario = scenario
    self.key = key
    self.pointer = pointer
    self.problem = problem
  }

  /// The place and the message.
  public var description: String {
    let place = [scenario?.rawValue, key].compactMap(\.self).joined(separator: " ")
    return place.isEmpty ? problem : "\(place): \(problem)"
  }
}
