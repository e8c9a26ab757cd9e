import StubDBCatalog
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
  /// - Throws: ``CommandError`` if a scenario about which something is decided has changed since.
  func write(_ outcome: ReviewOutcome, shown: [ScenarioReview]) throws {
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
  /// Says how much was taken, and which stubs are hidden by those that match more than before.
  func write(_ decide: ([ScenarioReview]) throws -> ReviewOutcome) throws {
    try requireNoProcess()
    try draft.exclusively { try writeAlone(decide) }
  }

  private func writeAlone(_ decide: ([ScenarioReview]) throws -> ReviewOutcome) throws {
    var notes: [String] = []
    let (taken, dropped, settlement) = try catalog.edit { editor in
      let reviews = try reviews { try editor.scenario(named: $0) }
      let outcome = try decide(reviews)
      var result = (taken: 0, dropped: 0, settlement: DraftReading.Settlement())
      result.settlement.dropsUnreadable = outcome.dropsUnreadable
      for review in reviews {
        let decisions = outcome.decisions[review.name] ?? [:]
        let resolution = ReviewResolution(review, decisions)
        result.taken += resolution.taken
        result.dropped += resolution.dropped
        result.settlement.removed += resolution.settlement.removed
        result.settlement.marked += resolution.settlement.marked
        if outcome.dropsUnreadable { result.settlement.removed += review.damaged }
        guard resolution.hasChanged else { continue }
        let scenario = outcome.documents[review.name] ?? resolution.scenario
        try editor.replace(scenario)
        if decisions.values.contains(where: \.mayHide) {
          notes += HiddenStubs.notes(on: scenario, before: review.existing)
        }
      }
      return result
    }
    try draft.settle(settlement)
    let name = CatalogLocator.display(catalog.url)
    Console.note(
      taken + dropped == 0
        ? "Nothing was taken into \(name), and nothing was dropped."
        : "Took \(Plural.of(taken, "stub")) into \(name), dropped \(dropped).")
    for note in notes { Console.note(note) }
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
