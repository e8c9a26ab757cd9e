import Foundation
import StubDBCatalog
import StubDBChanges
import StubDBModel

/// A catalog that is compared or merged.
struct CatalogScenarios: ScenarioSource {
  let snapshot: CatalogSnapshot

  init(_ snapshot: CatalogSnapshot) {
    self.snapshot = snapshot
  }

  var entries: [ScenarioEntry] {
    snapshot.scenarios.map { scenario in
      ScenarioEntry(
        name: scenario.name, digest: scenario.digest, stubsDigest: scenario.stubsDigest,
        includes: scenario.includes, stubCount: scenario.stubCount)
    }
  }

  func scenario(named name: ScenarioName) throws -> Scenario {
    if let scenario = try snapshot.scenario(named: name) { return scenario }
    throw NameFailure.scenario(name, in: snapshot.name, among: snapshot.scenarios.map(\.name))
  }
}
