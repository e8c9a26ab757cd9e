internal import StubDBFormats
package import StubDBJSON
package import StubDBModel
package import StubDBSecrets

/// The secrets that were taken out of an import.
package struct ImportRedaction {
  /// How many there are.
  package var count = 0
  /// Where they were.
  package var places: [SecretPlace] = []
  /// The places in requests that may have any value, because the client had the secret before an answer gave it.
  package var freed: [(scenario: ScenarioName, key: Stub.Key, place: JSONPointer)] = []
  /// How many stubs there were, and how many are left after those that ask for the same became one.
  package var (stubCount, remainingStubCount) = (0, 0)
}

extension ImportJob {
  /// The result without what a scan finds in its scenarios; nil if it finds nothing.
  ///
  /// - Throws: ``ImportProblem`` if there is anything and secrets are not taken out.
  func redacted(
    _ result: ImportResult, besides exceptions: ExceptionsFile
  ) throws -> (ImportResult, ImportRedaction)? {
    let scenarios = result.scenarios
    var scanner = SecretScanner()
    let findings = scenarios.enumerated().map { index, scenario in
      progress(.searching(index, of: scenarios.count))
      return exceptions.sort(scanner.findings(in: scenario, number: index + 1)).findings
    }
    guard findings.contains(where: { !$0.isEmpty }) else { return nil }
    guard settings.redacts else { throw ImportProblem.secrets(findings.flatMap(\.self)) }
    var redactor = ScenarioRedactor(rules: [])
    for (index, scenario) in scenarios.enumerated() {
      try redactor.study(scenario, number: index + 1, findings: findings[index])
    }
    let prepared = redactor.finished()
    var redaction = ImportRedaction()
    redaction.count = prepared.count
    let redacted = try scenarios.enumerated().map { index, scenario in
      let result = try prepared.redacted(scenario, number: index + 1) { scenario in
        exceptions.sort(scanner.findings(in: scenario, number: index + 1)).findings
      }
      if let place = result?.kept.first { throw ImportProblem.keptSecret(place) }
      redaction.places += result?.places ?? []
      return result?.scenario ?? scenario
    }
    let recorded = result.recorded.secrets(numbers: prepared.numbers, prepared.replaced)
    var changed = result
    let (freed, joined) = freeSecrets(of: redacted, recorded, &redaction)
    changed.take(
      ImportResult.Redacted(
        scenarios: redacted, freed: freed, joined: joined,
        hasShortSecrets: prepared.shortCount > 0), prepared.replaced)
    return (changed, redaction)
  }

  /// The scenarios with any value in place of those that a client had before an answer gave them, and the stubs that
  /// became part of others.
  private func freeSecrets(
    of scenarios: [Scenario], _ recorded: RecordedSecrets, _ redaction: inout ImportRedaction
  ) -> (freed: [Scenario], joined: [ScenarioName: [Stub.Key: Stub.Key]]) {
    let named = Dictionary(scenarios.map { ($0.name.rawValue, $0) }) { first, _ in first }
    var joined: [ScenarioName: [Stub.Key: Stub.Key]] = [:]
    var freed = scenarios
    for index in freed.indices {
      let name = freed[index].name
      let secrets = freed[index].freeUnansweredSecrets(
        including: Self.included(by: scenarios[index], in: named), recorded: recorded)
      joined[name] = secrets.joined
      redaction.freed += secrets.places.map { (name, $0.key, $0.place) }
    }
    redaction.stubCount = scenarios.reduce(0) { $0 + $1.stubs.count }
    redaction.remainingStubCount = freed.reduce(0) { $0 + $1.stubs.count }
    return redaction.freed.isEmpty ? (scenarios, [:]) : (freed, joined)
  }

  /// The scenarios that one includes, and those that they include.
  private static func included(
    by scenario: Scenario, in named: [String: Scenario]
  ) -> [Scenario] {
    var seen: Set<String> = [scenario.name.rawValue]
    var (open, all) = (scenario.includes.map { "\($0)" }, [Scenario]())
    while let name = open.popLast() {
      guard seen.insert(name).inserted, let included = named[name] else { continue }
      all.append(included)
      open += included.includes.map { "\($0)" }
    }
    return all
  }
}
