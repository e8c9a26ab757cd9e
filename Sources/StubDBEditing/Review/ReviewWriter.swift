package import Foundation
package import StubDBCatalog
package import StubDBCatalogEditing
package import StubDBEngine
package import StubDBJSON
package import StubDBJobs
package import StubDBModel

/// What is to be written after a review.
package struct ReviewOutcome {
  /// By scenario and key; what is not there waits.
  package var decisions: [ScenarioName: [Stub.Key: ReviewDecision]]
  /// Scenarios as they were edited, in place of what the decisions make of them.
  package var documents: [ScenarioName: CheckedScenario] = [:]

  /// Whether what cannot be read leaves the draft.
  var dropsUnreadable: Bool

  package init(
    decisions: [ScenarioName: [Stub.Key: ReviewDecision]] = [:], dropsUnreadable: Bool = false
  ) {
    (self.decisions, self.dropsUnreadable) = (decisions, dropsUnreadable)
  }

  /// Whether anything is not to wait.
  package var isDecisive: Bool {
    decisions.values.contains { $0.values.contains { if case .leave = $0 { false } else { true } } }
  }
}

/// What a review wrote, and what of it does not answer as it was recorded.
package struct ReviewResult {
  /// Something that keeps a request from its recorded answer.
  package enum Unanswered {
    /// A request that does not get its answer, of the scenario as it was written.
    case request(ReviewProof.Failure, in: Scenario)
    /// A scenario that cannot be played, so that no request of it could be asked.
    case scenario(ScenarioName, EngineError)
  }

  /// How many stubs were taken and dropped.
  package fileprivate(set) var taken = 0
  package fileprivate(set) var dropped = 0
  /// How many runs of failed tests were dropped.
  package fileprivate(set) var failedRunCount = 0
  /// Stubs that are hidden by those that match more than before.
  package fileprivate(set) var hidden: [CheckProblem] = []
  /// Stubs that wait because they could not be played.
  package fileprivate(set) var refusals: [PlayableDecisions.Refusal] = []
  package fileprivate(set) var unanswered: [Unanswered] = []
  /// How many further requests do not get their answers.
  package fileprivate(set) var furtherUnansweredCount = 0
  fileprivate var settlement = DraftReading.Settlement()

  /// Whether each request that was taken gets its recorded answer.
  package var isProven: Bool {
    refusals.isEmpty && unanswered.isEmpty && furtherUnansweredCount == 0
  }
}

/// Writes what was decided about a draft, in one transaction.
package struct ReviewWriter {
  /// The most items of one kind that a result names.
  package static let maximumFailureCount = 20

  package let catalog: Catalog
  package let draft: DraftReading

  package init(catalog: Catalog, draft: DraftReading) {
    (self.catalog, self.draft) = (catalog, draft)
  }

  /// What the draft proposes, by scenario.
  package func reviews(_ existing: (ScenarioName) throws -> Scenario?) throws -> [ScenarioReview] {
    let named = Dictionary(grouping: draft.runs, by: \.scenario)
    return try named.sorted { $0.key < $1.key }.compactMap { name, runs in
      guard let name = ScenarioName(name) else { return nil }
      return try ScenarioReview(name, runs, of: draft, existing: existing(name))
    }
  }

  /// The same with the scenarios that the catalog has now.
  package func reviews() throws -> [ScenarioReview] {
    let scenarios = Dictionary(try catalog.allScenarios().map { ($0.name, $0) }) { $1 }
    return try reviews { scenarios[$0] }
  }

  /// - Throws: ``ReviewRefusal`` while a process still records.
  package func requireNoProcess() throws {
    guard let process = draft.livingProcess else { return }
    throw ReviewRefusal.recording(process: process)
  }

  /// Writes what is decided about reviews that were shown.
  ///
  /// - Throws: ``ReviewRefusal`` if a scenario about which something is decided has changed since.
  package func write(_ outcome: ReviewOutcome, shown: [ScenarioReview]) throws -> ReviewResult {
    try write { reviews in
      for (now, before) in zip(reviews, shown)
      where !(outcome.decisions[now.name] ?? [:]).isEmpty
        && now.existing != before.existing
      {
        throw ReviewRefusal.changed(now.name)
      }
      return outcome
    }
  }

  /// Writes what the closure decides about the reviews of the catalog, which no other process changes meanwhile.
  ///
  /// What could not be played waits.
  package func write(_ decide: ([ScenarioReview]) throws -> ReviewOutcome) throws -> ReviewResult {
    try requireNoProcess()
    return try draft.exclusively { try writeAlone(decide) }
  }

  /// - Throws: ``ReviewRefusal`` if a scenario cannot be read: what is taken would be lost with a catalog that has to be
  /// restored, and be in the draft no more.
  private func requireWholeCatalog() throws {
    do {
      _ = try catalog.allScenarios()
    } catch {
      throw ReviewRefusal.unreadableCatalog(error)
    }
  }

  private func writeAlone(
    _ decide: ([ScenarioReview]) throws -> ReviewOutcome
  ) throws -> ReviewResult {
    try requireWholeCatalog()
    var written: [(resolution: ReviewResolution, scenario: Scenario)] = []
    var result = try catalog.edit { editor in
      let reviews = try reviews { try editor.scenario(named: $0) }
      let outcome = try decide(reviews)
      var result = ReviewResult()
      result.settlement.dropsUnreadable = outcome.dropsUnreadable
      if outcome.dropsUnreadable {
        result.settlement.removed += draft.failedRuns.flatMap(\.entries)
        result.failedRunCount = draft.failedRuns.count
      }
      for review in reviews {
        let playable = PlayableDecisions(outcome, on: review)
        result.refusals += playable.refusals
        let resolution = playable.resolution
        result.taken += resolution.taken
        result.dropped += resolution.dropped
        result.settlement.removed += resolution.settlement.removed
        result.settlement.marked += resolution.settlement.marked
        if outcome.dropsUnreadable { result.settlement.removed += review.damaged }
        guard resolution.hasChanged else { continue }
        let document = outcome.documents[review.name]
        let scenario = document?.scenario ?? resolution.scenario
        if let document { try editor.replace(document) } else { try editor.replace(scenario) }
        written.append((resolution, scenario))
        if playable.decisions.values.contains(where: \.mayHide) {
          result.hidden += HiddenStubs.problems(in: scenario, before: review.existing)
        }
      }
      return result
    }
    try ask(written, &result)
    try draft.settle(result.settlement)
    return result
  }

  /// Finds the requests that were taken and do not get their answers, while they are still in the draft.
  private func ask(
    _ written: [(resolution: ReviewResolution, scenario: Scenario)], _ result: inout ReviewResult
  ) throws {
    var namedCount = 0
    for (resolution, scenario) in written {
      let made: ReviewProof?
      do throws(EngineError) {
        made = try ReviewProof(
          resolution.sources, resolved: resolution.scenario, written: scenario,
          included: included(by: scenario))
      } catch {
        result.unanswered.append(.scenario(scenario.name, error))
        continue
      }
      guard let proof = made else { continue }
      let (named, further) = try proof.failures(
        in: draft, limit: Self.maximumFailureCount - namedCount)
      result.unanswered += named.map { .request($0, in: scenario) }
      namedCount += named.count
      result.furtherUnansweredCount += further
    }
  }

  /// The stubs of the scenarios that one includes; none if one of these is missing, which `check` says.
  private func included(by scenario: Scenario) -> [LoadedScenario.Source] {
    guard !scenario.includes.isEmpty, let loaded = try? catalog.load(scenario.name) else {
      return []
    }
    let sources = loaded.run(seed: 0).stubUses.map(\.source)
    return sources.filter { $0.origin != scenario.name }
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

/// Why a review decides or writes nothing.
package enum ReviewRefusal: Error {
  /// The draft has nothing of this name.
  case unknownName(String)
  /// The request of a stub does not have this place, but those.
  case unknownPlace(String, of: String, among: [JSONPointer])
  /// A stub was named without the place that is to be left free.
  case missingPlace(String)
  /// A process still records.
  case recording(process: String)
  /// The scenario changed after its proposals were shown.
  case changed(ScenarioName)
  /// A scenario cannot be read: what is taken would be lost with a catalog that has to be restored.
  case unreadableCatalog(any Error)
  /// A file of the draft cannot be removed, written or replaced, as the verb says.
  case file(String, URL)
}

extension ReviewRefusal {
  /// The refusal with what to do next.
  package var error: JobError {
    switch self {
    case .unknownName(let name):
      JobError(
        .notFound, "the draft has nothing for \(quoted: name); nothing was changed",
        hints: ["To see what it has: \(command: ["review"])"])
    case .unknownPlace(let place, let stub, let places):
      JobError(
        .notFound, "the request of \(stub) has no place \(quoted: place); nothing was changed",
        hints: places.isEmpty
          ? ["It has none that could be left free."]
          : ["It has: \(places.prefix(20).map(\.description).joined(separator: ", "))"])
    case .missingPlace(let stub):
      JobError(.invalidArgument, "a place of \(stub) is missing, such as /body/timestamp")
    case .recording(let process):
      JobError(
        .refused, "the process \(process) still writes to the draft; nothing was changed",
        hints: ["\(again: "To decide once it has ended")"])
    case .changed(let name):
      JobError(
        .changed,
        "\(name) was changed by another process while you decided; nothing was changed")
    case .unreadableCatalog(let error):
      JobError(
        .unusable, "\(lines: "\(error)")",
        hints: ["Nothing was taken or dropped; the draft is as it was."])
    case .file(let verb, let url): JobError(.inputOutput, "cannot \(verb) \(file: url)")
    }
  }
}
