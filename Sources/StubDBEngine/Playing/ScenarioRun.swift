import HTTPTypes
package import StubDBModel

/// One live use of a loaded scenario: what was given so far, and the journal.
///
/// Safe to use from any number of threads. Deciding does no I/O and does not wait: the caller carries the
/// ``ResponsePlan`` out.
public final class ScenarioRun: Sendable {
  /// The scenario that is played.
  public let scenario: LoadedScenario
  /// How the times of the scenario relate to real time.
  public let pace: Pace
  private let state = Locked(RunState())

  init(scenario: LoadedScenario, pace: Pace) {
    self.scenario = scenario
    self.pace = pace
  }

  /// Decides what answers the request, and writes it into the journal.
  ///
  /// Two requests at the same time never take the same turn of a sequence of responses. The cost of a match
  /// does not grow with the number of stubs; a request that nothing matches is compared with all of them.
  public func respond(to request: StubRequest) -> Outcome {
    let stubs = scenario.stubs
    let prepared = PreparedRequest(request)
    var usedUp: [Int] = []
    search: for rank in stubs.index.candidates(for: prepared)
    where stubs.matches(rank, prepared) {
      switch state.withLock({ $0.claim(rank, of: stubs, for: request) }) {
      case .answered(let event):
        let response = stubs.sources[rank].stub.responses[event.responseIndex ?? 0]
        return .respond(plan(for: response, to: request), event)
      case .passed:
        usedUp.append(rank)
      case .refused:
        usedUp.append(rank)
        break search
      }
    }
    let number = state.withLock { $0.appendUnmatched(request) }
    let given = state.withLock(\.given)
    let nearMisses = NearMissSearch(
      stubs: stubs, request: prepared, given: given, usedUp: usedUp
    ).nearest()
    state.withLock { $0.setNearMisses(nearMisses, of: number) }
    return .unmatched(nearMisses)
  }

  /// What giving a response to a request means: what to send and when.
  package func plan(for response: StubResponse, to request: StubRequest) -> ResponsePlan {
    ResponsePlan(response)
  }

  /// The requests so far and what answered them, in order of arrival.
  public var journal: [ServeEvent] { state.withLock(\.journal) }

  /// What did not go as the scenario says, so far.
  ///
  /// Requests that no stub answered in order of arrival, then required stubs that answered nothing and unfinished
  /// sequences in the order in which stubs answer; empty when all went well.
  public func problems() -> [VerificationProblem] {
    let (journal, given) = state.withLock { ($0.journal, $0.given) }
    let unmatched = journal.filter { !$0.isMatched }.map { event in
      VerificationProblem(
        kind: .unmatchedRequest, message: report(on: event).text, scenario: scenario.name,
        stubKey: nil, request: event.request)
    }
    let stubs = scenario.stubs
    let unused = stubs.required.filter { given[$0] == nil }.map { rank in
      (rank, problem(.unusedStub, rank, "is required, but no request reached it"))
    }
    let unfinished = given.compactMap { rank, count in
      unfinishedSequence(rank, given: count).map { (rank, $0) }
    }
    return unmatched + (unused + unfinished).sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// What a person reads about a request of the journal that no stub answered.
  ///
  /// Asks the catalog for other scenarios in which a stub matches, which may take a moment.
  public func report(on event: ServeEvent) -> UnmatchedReport {
    UnmatchedReport(
      request: event.request, scenario: scenario.name, nearMisses: event.nearMisses,
      otherScenarios: scenario.otherScenarios?.scenarios(matching: event.request) ?? [])
  }

  private func unfinishedSequence(_ rank: Int, given count: Int) -> VerificationProblem? {
    guard scenario.stubs.sources[rank].stub.responses.count > 1,
      let total = scenario.stubs.sequences[rank]?.total, count < total
    else { return nil }
    return problem(
      .unfinishedSequence, rank,
      "gave \(count) of its \(total) responses, so \(total - count) requests that the scenario "
        + "foresees did not come")
  }

  private func problem(
    _ kind: VerificationProblem.Kind, _ rank: Int, _ predicate: String
  ) -> VerificationProblem {
    let source = scenario.stubs.sources[rank]
    return VerificationProblem(
      kind: kind,
      message: "stub \"\(source.stub.key)\" of scenario \"\(source.origin)\" \(predicate)",
      scenario: source.origin, stubKey: source.stub.key, request: nil)
  }
}
