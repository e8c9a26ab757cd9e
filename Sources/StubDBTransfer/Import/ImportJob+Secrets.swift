import StubDBCatalog
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBSecrets

extension ImportJob {
  /// The result without what a scan finds in its scenarios; nil if it finds nothing.
  ///
  /// - Throws: `CommandError` if there is anything and `--redact` is not given.
  func withoutSecrets(_ result: ImportResult) throws -> ImportResult? {
    let scenarios = result.scenarios
    let exceptions = try ExceptionsFile(at: ExceptionsFile.url(beside: catalog.url))
    var scanner = SecretScanner()
    let findings = scenarios.enumerated().map { index, scenario in
      progress.show("\(index) of \(scenarios.count) scenarios searched for secrets")
      return exceptions.sort(scanner.findings(in: scenario, number: index + 1)).findings
    }
    guard findings.contains(where: { !$0.isEmpty }) else { return nil }
    guard output.redact else { throw refusal(findings.flatMap(\.self)) }
    var redactor = ScenarioRedactor(rules: [])
    for (index, scenario) in scenarios.enumerated() {
      try redactor.study(scenario, number: index + 1, findings: findings[index])
    }
    let prepared = redactor.finished()
    var places: [SecretPlace] = []
    let redacted = try scenarios.enumerated().map { index, scenario in
      let result = try prepared.redacted(scenario, number: index + 1) { scenario in
        exceptions.sort(scanner.findings(in: scenario, number: index + 1)).findings
      }
      if let place = result?.kept.first {
        throw CommandError(
          "nothing was imported: nothing valid would be left without the secret at "
            + FindingView.place(place),
          hints: ["Change this place first, or write it with --allow-secrets"])
      }
      places += result?.places ?? []
      return result?.scenario ?? scenario
    }
    progress.end()
    note(places, valueCount: prepared.count)
    let recorded = result.recorded.secrets(numbers: prepared.numbers, prepared.replaced)
    let (freed, joined) = freeingSecrets(of: redacted, recorded)
    var changed = result
    changed.take(
      ImportResult.Redacted(
        scenarios: redacted, freed: freed, joined: joined,
        hasShortSecrets: prepared.shortCount > 0), prepared.replaced)
    return changed
  }

  /// Says what was taken out.
  private func note(_ places: [SecretPlace], valueCount: Int) {
    guard !places.isEmpty else { return }
    Console.note(
      "Took out \(Plural.of(valueCount, "secret")) in \(Plural.of(places.count, "place")):")
    for place in places.prefix(Self.maximumPlaceCount) {
      Console.note("  " + FindingView.line(place))
    }
    noteRest(of: places.count)
  }

  private static let maximumPlaceCount = 10

  private func noteRest(of count: Int) {
    CutList.end(count - Self.maximumPlaceCount, indent: "  ").forEach(Console.note)
  }

  /// The scenarios with any value in place of those that a client had before an answer gave them, which are named, and
  /// the stubs that became part of others.
  private func freeingSecrets(
    of scenarios: [Scenario], _ recorded: RecordedSecrets
  ) -> (freed: [Scenario], joined: [ScenarioName: [Stub.Key: Stub.Key]]) {
    let named = Dictionary(scenarios.map { ($0.name.rawValue, $0) }) { first, _ in first }
    var lines: [String] = []
    var joined: [ScenarioName: [Stub.Key: Stub.Key]] = [:]
    let freed = scenarios.map { scenario in
      var freed = scenario
      let secrets = freed.freeUnansweredSecrets(
        including: Self.included(by: scenario, in: named), recorded: recorded)
      joined[scenario.name] = secrets.joined
      lines += secrets.places.map {
        "  \(Style.notes.bold("\(scenario.name) \(TerminalText.line($0.key.rawValue))")) "
          + TerminalText.line($0.place.description)
      }
      return freed
    }
    guard !lines.isEmpty else { return (scenarios, [:]) }
    Console.note(
      "Requests may have any value where the client had the secret before an answer gave it:")
    for line in lines.prefix(Self.maximumPlaceCount) { Console.note(line) }
    noteRest(of: lines.count)
    let counts = [scenarios, freed].map { $0.reduce(0) { $0 + $1.stubs.count } }
    if counts[0] > counts[1] {
      Console.note("Stubs that ask for the same then are one: \(counts[0]) became \(counts[1]).")
    }
    return (freed, joined)
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

  private func refusal(_ findings: [SecretFinding]) -> CommandError {
    let hints = findings.map { FindingView.line($0) }.cut(to: 10)
    return CommandError(
      "\(Plural.of(findings.count, "secret")) in what would be imported; nothing was written",
      hints: hints + [
        FollowUp.again("To take them out before anything is written", adding: "--redact"),
        FollowUp.again("To write them all the same", adding: "--allow-secrets"),
      ])
  }
}
