package import Foundation
package import StubDBModel

/// Scenarios that are compared or merged: a catalog, a revision of one, or values in memory.
package protocol ScenarioSource {
  /// Every scenario, by name.
  var entries: [ScenarioEntry] { get throws }

  /// The scenario of a name that is among the entries, with every body in memory.
  func scenario(named name: ScenarioName) throws -> Scenario
}

/// What is known of a scenario without reading its stubs.
package struct ScenarioEntry: Hashable, Sendable {
  /// The name.
  package var name: ScenarioName
  /// Equal where two scenarios say the same under the same name.
  package var digest: Data
  /// Equal where two scenarios have the same stubs.
  package var stubsDigest: Data
  /// The included scenarios, in order.
  package var includes: [ScenarioName]
  /// The number of stubs.
  package var stubCount: Int

  package init(
    name: ScenarioName, digest: Data, stubsDigest: Data, includes: [ScenarioName], stubCount: Int
  ) {
    self.name = name
    self.digest = digest
    self.stubsDigest = stubsDigest
    self.includes = includes
    self.stubCount = stubCount
  }
}

/// No scenarios: what a file that does not exist yet is compared with.
package struct NoScenarios: ScenarioSource {
  package init() {}

  package var entries: [ScenarioEntry] { [] }

  package func scenario(named name: ScenarioName) throws -> Scenario { Scenario(name: name) }
}
