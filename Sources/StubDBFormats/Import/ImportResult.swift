package import Foundation
package import StubDBModel

/// What an import makes of its inputs.
package struct ImportResult {
  /// The scenarios, with names and keys that are unique among them.
  package var scenarios: [Scenario]
  /// The report, with the scenario and the key that each line is about.
  package var report: LossReport
  /// The recorded requests that the stubs are made of.
  package var recorded = RecordedSteps()
  /// The lines of the report about recorded requests that do not get their answers.
  private var proven: Range<Int>

  init(
    scenarios: [Scenario], report: LossReport, recorded: RecordedSteps, proven: Range<Int>
  ) {
    (self.scenarios, self.report, self.recorded) = (scenarios, report, recorded)
    self.proven = proven
  }

  /// The scenarios without secrets, as they are written.
  package struct Redacted {
    /// The scenarios before anything was left free.
    package var scenarios: [Scenario]
    /// The scenarios that are written.
    package var freed: [Scenario]
    /// The stubs that became part of another one, by scenario.
    package var joined: [ScenarioName: [Stub.Key: Stub.Key]]
    /// Whether some values were only taken out of their places in stubs, because they are short.
    package var hasShortSecrets: Bool

    package init(
      scenarios: [Scenario], freed: [Scenario], joined: [ScenarioName: [Stub.Key: Stub.Key]],
      hasShortSecrets: Bool
    ) {
      (self.scenarios, self.freed, self.joined) = (scenarios, freed, joined)
      self.hasShortSecrets = hasShortSecrets
    }
  }

  /// Takes the scenarios without secrets, and asks them for the recorded requests, of which `replaced` takes them out,
  /// too.
  package mutating func take(_ redacted: Redacted, _ replaced: (Data) -> Data) {
    scenarios = redacted.freed
    report.stubCount = scenarios.reduce(0) { $0 + $1.stubs.count }
    let proof = RedactedProof(
      redacted: redacted.scenarios, hasShortSecrets: redacted.hasShortSecrets)
    let recordedProof = RecordedProof(recorded: recorded, imported: redacted.scenarios)
    let lines = proof.lines(of: recordedProof, on: scenarios, replaced)
    report.lines.replaceSubrange(proven, with: lines)
    proven = proven.lowerBound..<proven.lowerBound + lines.count
    for place in report.lines.indices {
      let line = report.lines[place]
      guard let name = line.scenario.map(ScenarioName.init(unchecked:)), let key = line.key else {
        continue
      }
      let joined = redacted.joined[name]?[Stub.Key(unchecked: key)]
      report.lines[place].key = joined?.rawValue ?? key
    }
  }
}
