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
  /// What decides everything random.
  public let seed: UInt64
  let state = Locked(RunState())

  init(scenario: LoadedScenario, pace: Pace, seed: UInt64) {
    self.scenario = scenario
    self.pace = pace
    self.seed = seed
  }

  /// Decides what answers the request, and writes it into the journal.
  ///
  /// Two requests at the same time never take the same turn of a sequence of responses. The cost of a match
  /// does not grow with the number of stubs; a request that nothing matches is compared with all of them.
  public func respond(to request: StubRequest) -> Outcome {
    let stubs = scenario.stubs
    let prepared = PreparedRequest(request)
    var matches = StubMatches(stubs, prepared)
    while true {
      matches.findMore()
      switch state.withLock({ $0.decide(matches, of: stubs, for: request) }) {
      case .answered(let claim):
        return .respond(plan(for: claim), claim.event)
      case .undecided:
        continue
      case .unmatched(let number, let progress):
        let nearMisses = NearMissSearch(
          stubs: stubs, request: prepared, progress: progress, held: matches.ranks
        ).nearest()
        state.withLock { $0.setNearMisses(nearMisses, of: number) }
        return .unmatched(nearMisses)
      }
    }
  }

  /// What giving a response to a request means: what to send and when.
  package func plan(for response: StubResponse, to request: StubRequest) -> ResponsePlan {
    var generator = SeededGenerator(
      seed: seed, scenario: scenario.name, key: "", answer: 0, purpose: .delay)
    var slowing = Slowing()
    slowing.add(response, using: &generator)
    return ResponsePlan(response, to: request, slowing: slowing)
  }

  private func plan(for claim: Claim) -> ResponsePlan {
    var slowing = Slowing()
    for turn in claim.handovers { slow(&slowing, by: turn) }
    slow(&slowing, by: claim.turn)
    guard let index = claim.turn.response else {
      return ResponsePlan(delay: slowing.delay, action: .passthrough)
    }
    let response = scenario.stubs.sources[claim.turn.rank].stub.responses[index]
    return ResponsePlan(response, to: claim.event.request, slowing: slowing)
  }

  private func slow(_ slowing: inout Slowing, by turn: Claim.Turn) {
    guard let index = turn.response else { return }
    let response = scenario.stubs.sources[turn.rank].stub.responses[index]
    guard response.delay != nil || response.throttle != nil else { return }
    var generator = generator(for: turn, purpose: .delay)
    slowing.add(response, using: &generator)
  }

  /// The random numbers of a turn.
  func generator(
    for turn: Claim.Turn, purpose: SeededGenerator.Purpose
  ) -> SeededGenerator {
    SeededGenerator(
      seed: seed, scenario: scenario.stubs.sources[turn.rank].origin,
      key: scenario.stubs.sources[turn.rank].stub.key, answer: turn.answer, purpose: purpose)
  }

  /// Writes down a request that was answered by something on top of the scenario.
  package func record(_ request: StubRequest, answeredBy origin: String) -> ServeEvent {
    state.withLock { $0.append(request, answeredBy: origin) }
  }

  /// The requests so far and what answered them, in order of arrival.
  public var journal: [ServeEvent] { state.withLock(\.journal) }
}
