package import Foundation
public import StubDBModel

/// A summary of a scenario, as lists show it.
public struct ScenarioSummary: Hashable, Sendable {
  /// The name.
  public let name: ScenarioName
  /// One line of description; nil if there is none.
  public let summary: String?
  /// The tags, sorted; may be empty.
  public let tags: [String]
  /// The names of the included scenarios, in order; may be empty.
  public let includes: [ScenarioName]
  /// The number of the scenario's own stubs.
  public let stubCount: Int
  /// Equal if two scenarios have the same name and content.
  package let digest: Data
  /// Equal if two scenarios have the same stubs.
  package let stubsDigest: Data
}
