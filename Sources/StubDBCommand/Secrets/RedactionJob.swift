import Foundation
import StubDBCatalog
import StubDBModel
import StubDBSecrets

/// Takes values out of a catalog, in one edit.
struct RedactionJob {
  let catalog: Catalog
  let rules: [RedactionRule]
  /// Whether what a scan finds is taken out; what is excepted stays.
  let hasFindings: Bool

  /// The places that change, and how many values there are.
  func run(dryRun: Bool) throws -> (places: [ScenarioRedactor.Place], count: Int) {
    let snapshot = try CatalogSnapshot(contentsOf: catalog.url)
    try snapshot.requireNoConflicts("they hold values too")
    let redactor = try study(snapshot)
    let prepared = redactor.prepared()
    var places: [ScenarioRedactor.Place] = []
    if dryRun {
      for summary in snapshot.scenarios {
        guard let scenario = try snapshot.scenario(named: summary.name) else { continue }
        places += try redacted(scenario, prepared)?.places ?? []
      }
      return (places, redactor.redaction.secrets.count)
    }
    try catalog.edit { editor in
      var changed: [(old: ScenarioName, scenario: Scenario)] = []
      for name in try editor.scenarioNames() {
        guard let scenario = try editor.scenario(named: name),
          let result = try redacted(scenario, prepared)
        else { continue }
        places += result.places
        changed.append((name, result.scenario))
      }
      // A name may have had a value in it: first all that leave, then all that come.
      for (old, scenario) in changed where old != scenario.name { try editor.removeScenario(old) }
      for (old, scenario) in changed {
        if old == scenario.name {
          try editor.replace(scenario)
        } else {
          try editor.insert(scenario)
        }
      }
    }
    if !places.isEmpty { try prove(prepared) }
    return (places, redactor.redaction.secrets.count)
  }

  private func study(_ snapshot: CatalogSnapshot) throws -> ScenarioRedactor {
    let progress = ProgressLine("Looking")
    defer { progress.end() }
    let exceptions = try ExceptionsFile(at: ExceptionsFile.url(beside: catalog.url))
    var scanner = SecretScanner()
    var redactor = ScenarioRedactor(rules: rules)
    for (index, summary) in snapshot.scenarios.enumerated() {
      progress.show(index, of: snapshot.scenarios.count, "scenario")
      guard let scenario = try snapshot.scenario(named: summary.name) else { continue }
      let findings = hasFindings ? exceptions.sort(scanner.findings(in: scenario)).findings : []
      redactor.study(scenario, findings: findings)
    }
    redactor.finishStudy()
    return redactor
  }

  private func redacted(
    _ scenario: Scenario, _ prepared: ScenarioRedactor.Prepared
  ) throws -> (scenario: Scenario, places: [ScenarioRedactor.Place])? {
    do {
      return try prepared.redacted(scenario)
    } catch {
      throw CommandFailure(
        "nothing was changed: without the values \(scenario.name) is no valid scenario: "
          + "\(error.pointer): \(error.message)",
        hints: ["Choose rules that leave this place alone, or change it first: stubdb edit"])
    }
  }

  /// Searches the bytes of the file for what was taken out.
  private func prove(_ prepared: ScenarioRedactor.Prepared) throws {
    let bytes = try Data(contentsOf: catalog.url, options: .alwaysMapped)
    guard prepared.isFound(in: bytes) else { return }
    throw CommandFailure(
      "\(CatalogLocator.display(catalog.url)) was redacted, but it still holds one of the values, "
        + "perhaps as a part of a longer number",
      hints: ["To find it: stubdb search, with a part of the value"])
  }
}
