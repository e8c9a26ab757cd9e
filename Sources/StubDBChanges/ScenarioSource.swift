package import StubDBModel
package import StubDBSupport

/// A source of scenarios to compare or merge: a catalog, a revision of one, or values in memory.
package protocol ScenarioSource {
  /// All scenarios, by name.
  var entries: [ScenarioEntry] { get throws }

  /// A scenario whose name is among the entries, with all bodies in memory.
  func scenario(named name: ScenarioName) throws -> Scenario
}

/// The data of a scenario that is known without reading its stubs.
package struct ScenarioEntry: Hashable, Sendable {
  package var name: ScenarioName
  /// Equal if two scenarios have the same name and content.
  package var digest: SHA256Digest.Value
  /// Equal if two scenarios have the same stubs.
  package var stubsDigest: SHA256Digest.Value
  /// The included scenarios, in order.
  package var includes: [ScenarioReference]
  /// The number of stubs.
  package var stubCount: Int

  package init(
    name: ScenarioName, digest: SHA256Digest.Value, stubsDigest: SHA256Digest.Value,
    includes: [ScenarioReference],
    stubCount: Int
  ) {
    self.name = name
    self.digest = digest
    self.stubsDigest = stubsDigest
    self.includes = includes
    self.stubCount = stubCount
  }
}

/// An empty source, which represents a file that does not exist yet.
package struct NoScenarios: ScenarioSource, Sendable {
  package init() {}

  package var entries: [ScenarioEntry] { [] }

  package func scenario(named name: ScenarioName) throws -> Scenario { Scenario(name: name) }
}
