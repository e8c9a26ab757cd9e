package import Foundation
import HTTPTypes
package import StubDBModel
package import StubDBSupport

/// One use of a loaded scenario, with its state and its journal.
///
/// Safe to use from any number of threads. Decisions do no I/O and do not wait.
package final class ScenarioRun: Sendable {
  /// The scenario that is played.
  package let scenario: LoadedScenario
  /// The seed that decides everything random.
  package let seed: UInt64
  package let state: Locked<RunState>

  /// By how many seconds the dates of answers are later than recorded.
  package var shift: Int { scenario.shift }

  /// Returns the current time.
  let clock: @Sendable () -> Date
  /// Called with each entry of the journal, once it is decided.
  let observer: Observer?

  /// Called with each entry of the journal on the thread of its request, which waits for it.
  ///
  /// Entries of concurrent requests may come in another order than that of their numbers.
  package typealias Observer = @Sendable (ServeEvent) -> Void

  /// Goes on with another scenario, whose dates are moved as before, or a later version of it, where a run is: with its
  /// journal, flows and captured values, and with the counters of the stubs that have not changed.
  ///
  /// The other run ends in the same moment, so that every request is decided by one of the two.
  package init(continuing other: ScenarioRun, with scenario: LoadedScenario) {
    self.scenario = scenario
    (seed, clock, observer) = (other.seed, other.clock, other.observer)
    state = Locked(
      other.state.withLock { $0.handOver(from: other.scenario.stubs, to: scenario.stubs) })
  }

  init(
    scenario: LoadedScenario, seed: UInt64, clock: @escaping @Sendable () -> Date,
    limit: JournalLimit, observer: Observer?
  ) {
    self.clock = clock
    self.scenario = scenario
    self.seed = seed
    self.observer = observer
    state = Locked(RunState(limit: limit, seed: seed))
  }

  /// The time of the run.
  package var now: Date { clock() }

  /// Decides what answers the request, and records it in the journal.
  ///
  /// Two concurrent requests never take the same turn of a sequence of responses. The cost of a match does not depend
  /// on the number of stubs. Nil once the run has ended: the journal then stays as it is.
  package func respond(to request: StubRequest) -> Outcome<Selection>? {
    respond(to: prepare(request))
  }

  /// Parses a request that arrives now, for everything that is compared with it.
  ///
  /// The URL by which a client reached a server is what templates see as the base of all URLs.
  /// The work ends early if its front end says so, and the outcome is then as if the run had ended.
  package func prepare(
    _ request: StubRequest, at url: ServedURL? = nil, work: RequestWork? = nil
  ) -> PreparedRequest {
    let prepared = PreparedRequest(request, context: MatchContext(arrival: clock(), work: work))
    prepared.servedURL = url
    return prepared
  }

  /// Decides what answers a request that is parsed already.
  package func respond(to prepared: PreparedRequest) -> Outcome<Selection>? {
    switch outcome(of: prepared) {
    case .respond(let claim): .respond(selection(claim, prepared))
    case .unmatched(let event): .unmatched(event)
    case nil: nil
    }
  }

  /// The rank of the stub that answers a request; nil if none does.
  ///
  /// Counts the answer and records the request, but does not make the response.
  func rank(answering prepared: PreparedRequest) -> Int? {
    guard case .respond(let claim) = outcome(of: prepared) else { return nil }
    return claim.turn.rank
  }

  /// Takes the turn of the stub that answers; nil once the run has ended.
  private func outcome(of prepared: PreparedRequest) -> Outcome<Claim>? {
    let stubs = scenario.stubs
    var matches = StubMatches(stubs, prepared, earlier: scenario.earlier(prepared))
    var draft: CaptureDraft?
    // Parsed before the lock, where resources need it.
    if !stubs.resources.isEmpty { _ = prepared.body.json }
    matches.findMore()
    while true {
      guard !prepared.context.isAbandoned else { return nil }
      let attempt = state.withLock {
        $0.decide(matches, for: prepared, of: stubs, draft: draft)
      }
      switch attempt {
      case .decided(let outcome):
        switch outcome {
        case .respond(let claim): observer?(claim.event)
        case .unmatched(let event): observer?(event)
        case nil: break
        }
        return outcome
      case .needsMoreStubs:
        matches.findMore()
      case .needsComparison(let captured):
        matches.compare(with: captured)
      case .needsCaptures(let work):
        draft = carriedOut(work, prepared)
      }
    }
  }

  /// Evaluates the captures of the answers.
  private func carriedOut(_ work: CaptureDraft, _ request: PreparedRequest) -> CaptureDraft {
    var draft = work
    for step in draft.steps {
      guard let answer = scenario.stubs.answers[step.turn.rank] else { continue }
      let kept = Claim.TemplateState(captured: draft.captured, counts: step.counts)
      let environment = self.environment(for: step.turn, kept, request)
      request.context.rendering(environment) { renderer in
        for capture in answer.captures {
          do throws(RenderingError) {
            try capture.carryOut(&renderer, in: environment)
          } catch {
            draft.errors.append(error)
          }
        }
      }
      draft.captured = environment.captured
      draft.generator = environment.generator
    }
    return draft
  }

  /// Ends the run: no more requests are decided, not even those in progress.
  package func end() {
    state.withLock { $0.isEnded = true }
  }

  /// The pacing of a response that something in front of the scenario gives.
  package func pacing(of response: StubResponse) -> ResponsePacing {
    var generator = SeededGenerator(
      seed: seed, scenario: scenario.name, key: "", answer: 0, purpose: .delay)
    var pacing = ResponsePacing()
    pacing.add(response, using: &generator)
    return pacing
  }

  private func selection(_ claim: Claim, _ request: PreparedRequest) -> Selection {
    var pacing = ResponsePacing()
    for turn in claim.delegations { slow(&pacing, by: turn) }
    slow(&pacing, by: claim.turn)
    return Selection(
      event: claim.event, response: response(claim, request), pacing: pacing,
      frames: framePatterns(claim, request))
  }

  /// The response, with its templates filled in.
  private func response(_ claim: Claim, _ request: PreparedRequest) -> StubResponse {
    guard let index = claim.turn.response else { return StubResponse(delegation: .passthrough) }
    var response = scenario.stubs.sources[claim.turn.rank].stub.responses[index]
    if let reply = claim.reply,
      let resource = scenario.stubs.sources[claim.turn.rank].stub.resource
    {
      response = reply.response(insteadOf: response, to: request, of: resource)
    }
    guard let kept = claim.state, let answer = scenario.stubs.answers[claim.turn.rank],
      answer.hasTemplates(ofResponse: index)
    else { return response }
    do throws(RenderingError) {
      return try request.context.rendering(environment(for: claim.turn, kept, request)) {
        (renderer) throws(RenderingError) in
        try answer.filled(response, at: index, &renderer)
      }
    } catch {
      let problem = error.problem(of: claim.event, in: scenario.name)
      state.withLock { $0.note(problem) }
      return StubResponse(error: error.error(of: claim.event))
    }
  }

  /// The environment for the templates of an answer.
  func environment(
    for turn: Claim.Turn, _ kept: Claim.TemplateState, _ request: PreparedRequest
  ) -> AnswerEnvironment {
    AnswerEnvironment(
      request: request, path: scenario.stubs.path(turn.rank),
      queries: scenario.stubs.answers[turn.rank]?.queries ?? CompiledQueries(),
      now: request.context.arrival, answer: turn.answer + 1, captured: kept.captured,
      counts: kept.counts,
      generator: kept.generator ?? generator(for: turn, purpose: .template))
  }

  private func slow(_ pacing: inout ResponsePacing, by turn: Claim.Turn) {
    guard let index = turn.response else { return }
    let response = scenario.stubs.sources[turn.rank].stub.responses[index]
    guard response.delay != nil || response.throttle != nil else { return }
    var generator = generator(for: turn, purpose: .delay)
    pacing.add(response, using: &generator)
  }

  /// The random numbers of a turn.
  func generator(
    for turn: Claim.Turn, purpose: SeededGenerator.Purpose
  ) -> SeededGenerator {
    SeededGenerator(
      seed: seed, scenario: scenario.stubs.sources[turn.rank].origin,
      key: scenario.stubs.sources[turn.rank].stub.key.rawValue, answer: turn.answer,
      purpose: purpose)
  }

  /// Reserves the next entry of the journal for a request that something in front of the scenario may answer.
  ///
  /// Until the request is decided, the journal does not show it. Nil once the run has ended.
  package func reserve(_ prepared: PreparedRequest) -> WaitingRequest? {
    guard let number = state.withLock({ $0.reserve(prepared) }) else { return nil }
    prepared.reservedNumber = number
    return WaitingRequest(prepared, number: number)
  }

  /// Decides what answers a request that nothing in front of the scenario has answered.
  ///
  /// Reuses the arrival time, the parsed request and the remaining work budget.
  package func respond(to waiting: WaitingRequest) -> Outcome<Selection>? {
    respond(to: waiting.prepared)
  }

  /// Records a request that was answered by something in front of the scenario; nil once the run has ended.
  package func record(
    _ waiting: WaitingRequest, answeredBy origin: String, status: Int? = nil
  ) -> ServeEvent? {
    let event = state.withLock { $0.enter(waiting, answeredBy: origin, status: status) }
    if let event { observer?(event) }
    return event
  }

  /// The requests so far with what answered them, in order of arrival.
  package var journal: [ServeEvent] { state.withLock(\.journal.decided) }
}

/// A request that something in front of the scenario may answer, with its place in the journal.
package struct WaitingRequest: Sendable {
  /// The request.
  package let request: StubRequest
  let number: Int
  /// When it came.
  var arrival: Date { prepared.context.arrival }
  // Safe: ownership moves from the preparing call to the deciding call.
  nonisolated(unsafe) fileprivate let prepared: PreparedRequest

  fileprivate init(_ prepared: PreparedRequest, number: Int) {
    request = prepared.request
    self.number = number
    self.prepared = prepared
  }
}
