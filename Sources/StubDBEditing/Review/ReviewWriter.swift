import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBModel
import StubDBSupport

/// What is to be written after a review.
struct ReviewOutcome {
  /// By scenario and key; what is not there waits.
  var decisions: [ScenarioName: [Stub.Key: ReviewDecision]] = [:]
  /// Scenarios as somebody edited them, in place of what the decisions make of them.
  var documents: [ScenarioName: Scenario] = [:]

  /// Whether what cannot be read leaves the draft.
  var dropsUnreadable = false

  /// Whether anything is not to wait.
  var isDecisive: Bool {
    decisions.values.contains { $0.values.contains { if case .leave = $0 { false } else { true } } }
  }
}

/// Writes what was decided about a draft, in one transaction.
struct ReviewWriter {
  /// The most requests without their answers that are named.
  private static let maximumFailureCount = 20

  let catalog: Catalog
  let draft: DraftReading

  /// What the draft proposes, by scenario.
  func reviews(_ existing: (ScenarioName) throws -> Scenario?) throws -> [ScenarioReview] {
    let named = Dictionary(grouping: draft.runs, by: \.scenario)
    return try named.sorted { $0.key < $1.key }.compactMap { name, runs in
      guard let name = ScenarioName(name) else { return nil }
      return try ScenarioReview(name, runs, of: draft, existing: existing(name))
    }
  }

  /// The same with the scenarios that the catalog has now.
  func reviews() throws -> [ScenarioReview] {
    let scenarios = Dictionary(try catalog.allScenarios().map { ($0.name, $0) }) { $1 }
    return try reviews { scenarios[$0] }
  }

  /// - Throws: ``CommandError`` while a process still records.
  func requireNoProcess() throws {
    guard let process = draft.livingProcess else { return }
    throw CommandError(
      "the process \(process) still writes to the draft; nothing was changed",
      hints: [FollowUp.again("To decide once it has ended")])
  }

  /// Writes what is decided about reviews that were shown.
  ///
  /// - Returns: Whether each request that was taken gets its recorded answer.
  /// - Throws: ``CommandError`` if a scenario about which something is decided has changed since.
  func write(_ outcome: ReviewOutcome, shown: [ScenarioReview]) throws -> Bool {
    try write { reviews in
      for (now, before) in zip(reviews, shown)
      where !(outcome.decisions[now.name] ?? [:]).isEmpty
        && !now.existing.hasSameText(as: before.existing)
      {
        throw CommandError(
          "\(now.name) was changed by another process while you decided; nothing was changed")
      }
      return outcome
    }
  }

  /// Writes what the closure decides about the reviews of the catalog, which no other process changes meanwhile.
  ///
  /// Says how much was taken, which stubs are hidden by those that match more than before, and which requests that were
  /// taken do not get their answers. What could not be played waits, and is named.
  /// - Returns: Whether each request that was taken gets its recorded answer.
  func write(_ decide: ([ScenarioReview]) throws -> ReviewOutcome) throws -> Bool {
    try requireNoProcess()
    return try draft.exclusively { try writeAlone(decide) }
  }

  /// - Throws: ``CommandError`` if a scenario cannot be read: what is taken would be lost with a catalog that has to be
  /// restored, and be in the draft no more.
  private func requireWholeCatalog() throws {
    do {
      _ = try catalog.allScenarios()
    } catch {
      throw CommandError(
        ErrorText.message(for: error),
        hints: ["Nothing was taken or dropped; the draft is as it was."])
    }
  }

  private func writeAlone(_ decide: ([ScenarioReview]) throws -> ReviewOutcome) throws -> Bool {
    try requireWholeCatalog()
    var notes: [String] = []
    var refusals: [PlayableDecisions.Refusal] = []
    var written: [(resolution: ReviewResolution, scenario: Scenario)] = []
    let (taken, dropped, settlement) = try catalog.edit { editor in
      let reviews = try reviews { try editor.scenario(named: $0) }
      let outcome = try decide(reviews)
      var result = (taken: 0, dropped: 0, settlement: DraftReading.Settlement())
      result.settlement.dropsUnreadable = outcome.dropsUnreadable
      if outcome.dropsUnreadable {
        result.settlement.removed += draft.failedRuns.flatMap(\.entries)
      }
      for review in reviews {
        let playable = PlayableDecisions(outcome, on: review)
        refusals += playable.refusals
        let resolution = playable.resolution
        result.taken += resolution.taken
        result.dropped += resolution.dropped
        result.settlement.removed += resolution.settlement.removed
        result.settlement.marked += resolution.settlement.marked
        if outcome.dropsUnreadable { result.settlement.removed += review.damaged }
        guard resolution.hasChanged else { continue }
        let scenario = outcome.documents[review.name] ?? resolution.scenario
        try editor.replace(scenario)
        written.append((resolution, scenario))
        if playable.decisions.values.contains(where: \.mayHide) {
          notes += HiddenStubs.notes(on: scenario, before: review.existing)
        }
      }
      return result
    }
    let failures = try unanswered(written)
    try draft.settle(settlement)
    let failedCount = settlement.dropsUnreadable ? draft.failedRuns.count : 0
    noteResult(taken: taken, dropped: dropped, failedCount: failedCount)
    for note in notes + lines(for: refusals) + failures { Console.note(note) }
    return refusals.isEmpty && failures.isEmpty
  }

  /// Lines for the requests that were taken and do not get their answers, while they are still in the draft.
  private func unanswered(
    _ written: [(resolution: ReviewResolution, scenario: Scenario)]
  ) throws -> [String] {
    var lines: [String] = []
    var (namedCount, furtherCount) = (0, 0)
    for (resolution, scenario) in written {
      let made: ReviewProof?
      do throws(EngineError) {
        made = try ReviewProof(
          resolution.sources, resolved: resolution.scenario, written: scenario,
          included: included(by: scenario))
      } catch {
        lines += unplayedLines(scenario.name, error)
        continue
      }
      guard let proof = made else { continue }
      let (named, further) = try proof.failures(
        in: draft, limit: Self.maximumFailureCount - namedCount)
      for failure in named { lines += failure.lines(in: scenario, of: catalog) }
      namedCount += named.count
      furtherCount += further
    }
    if furtherCount > 0 {
      let more = Plural.of(furtherCount, "more request")
      lines.append("Warning: \(more) without the recorded answer.")
    }
    return lines
  }

  /// Lines for a scenario that something else keeps from being played.
  private func unplayedLines(_ name: ScenarioName, _ error: EngineError) -> [String] {
    [
      "Warning: \(name) cannot be played, so nothing shows whether the requests that were taken get "
        + "their answers: \(TerminalText.line(error.message))",
      "To see what is to be mended: "
        + FollowUp.command("check", on: [name.rawValue], catalog: catalog.url),
    ]
  }

  /// Lines for the stubs that wait because they could not be played.
  private func lines(for refusals: [PlayableDecisions.Refusal]) -> [String] {
    var lines = refusals.prefix(Self.maximumFailureCount).flatMap { $0.lines(of: catalog) }
    if refusals.count > Self.maximumFailureCount {
      let more = Plural.of(refusals.count - Self.maximumFailureCount, "more stub")
      lines.append("Warning: \(more) not taken that could not be played.")
    }
    return lines
  }

  /// The stubs of the scenarios that one includes; none if one of these is missing, which `check` says.
  private func included(by scenario: Scenario) -> [LoadedScenario.Source] {
    guard !scenario.includes.isEmpty, let loaded = try? catalog.load(scenario.name) else {
      return []
    }
    let sources = loaded.run(seed: 0).stubUses.map(\.source)
    return sources.filter { $0.origin != scenario.name }
  }

  private func noteResult(taken: Int, dropped: Int, failedCount: Int) {
    let name = CatalogLocator.display(catalog.url)
    if taken + dropped > 0 {
      Console.note("Took \(Plural.of(taken, "stub")) into \(name), dropped \(dropped).")
    } else if failedCount == 0 {
      Console.note("Nothing was taken into \(name), and nothing was dropped.")
    }
    guard failedCount > 0 else { return }
    Console.note("Dropped \(Plural.of(failedCount, "run")) of failed tests.")
  }
}

extension ReviewDecision {
  /// Whether the stub may match what another one was to answer.
  fileprivate var mayHide: Bool {
    switch self {
    case .free, .edit: true
    case .take, .drop, .leave: false
    }
  }
}
