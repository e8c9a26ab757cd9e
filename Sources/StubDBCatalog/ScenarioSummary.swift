package import Foundation
public import StubDBModel

/// A scenario as a list shows it.
public struct ScenarioSummary: Hashable, Sendable {
  /// The name.
  public let name: ScenarioName
  /// One line for people; nil when there is none.
  public let summary: String?
  /// The tags, sorted; may be empty.
  public let tags: [String]
  /// The names of the included scenarios, in order; may be empty.
  public let includes: [ScenarioName]
  /// The number of the scenario's own stubs.
  public let stubCount: Int
  /// Equal where two scenarios say the same under the same name.
  package let digest: Data
  /// Equal where two scenarios have the same stubs.
  package let stubsDigest: Data
}
