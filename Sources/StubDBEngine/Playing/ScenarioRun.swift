import Foundation
import HTTPTypes
package import StubDBModel
internal import StubDBSupport
import StubDBTemplates

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

  /// What tells the time.
  private let clock: @Sendable () -> Date

  init(
    scenario: LoadedScenario, pace: Pace, seed: UInt64, clock: @escaping @Sendable () -> Date
  ) {
    self.clock = clock
    self.scenario = scenario
    self.pace = pace
    self.seed = seed
  }

  /// Decides what answers the request, and writes it into the journal.
  ///
  /// Two requests at the same time never take the same turn of a sequence of responses. The cost of a match
  /// does not grow with the number of stubs; a request that nothing matches is compared with all of them.
  public func respond(to request: StubRequest) -> Outcome {
    outcome(for: request) ?? .unmatched([])
  }

  /// Decides as ``respond(to:)`` does; nil once the run has ended, and the journal then stays as it is.
  package func outcome(for request: StubRequest) -> Outcome? {
    let stubs = scenario.stubs
    let prepared = PreparedRequest(request, context: MatchContext(arrival: clock()))
    var matches = StubMatches(stubs, prepared)
    var draft: CaptureDraft?
    matches.findMore()
    while true {
      let decision = state.withLock {
        $0.decide(matches, for: request, of: stubs, draft: draft)
      }
      switch decision {
      case .answered(let claim):
        return .respond(plan(for: claim, prepared), claim.event)
      case .undecided:
        matches.findMore()
      case .uncompared(let captured):
        matches.compare(with: captured)
      case .uncaptured(let work):
        draft = carriedOut(work, prepared)
      case .ended:
        return nil
      case .unmatched(let number, let progress):
        let nearMisses = NearMissSearch(
          stubs: stubs, request: prepared, progress: progress, held: matches.ranks
        ).nearest()
        state.withLock { $0.setNearMisses(nearMisses, of: number) }
        return .unmatched(nearMisses)
      }
    }
  }

  /// Carries out the captures of the answers.
  private func carriedOut(_ work: CaptureDraft, _ request: PreparedRequest) -> CaptureDraft {
    var draft = work
    for step in draft.steps {
      guard let answer = scenario.stubs.answers[step.turn.rank] else { continue }
      let kept = Claim.Kept(captured: draft.captured, counts: step.counts)
      var renderer = TemplateRenderer(environment(for: step.turn, kept, request))
      for capture in answer.captures {
        do throws(TemplateFailure) {
          try capture.carryOut(&renderer)
        } catch {
          draft.failures.append(error)
        }
      }
      guard let environment = renderer.environment as? AnswerEnvironment else { continue }
      draft.captured = environment.captured
      draft.generator = environment.generator
    }
    return draft
  }

  /// Nothing is decided from now on, not even about requests that are under way.
  package func end() {
    state.withLock { $0.isEnded = true }
  }

  /// What giving a response to a request means: what to send and when.
  package func plan(for response: StubResponse, to request: StubRequest) -> ResponsePlan {
    var generator = SeededGenerator(
      seed: seed, scenario: scenario.name, key: "", answer: 0, purpose: .delay)
    var slowing = Slowing()
    slowing.add(response, using: &generator)
    return ResponsePlan(response, to: request, slowing: slowing)
  }

  private func plan(for claim: Claim, _ request: PreparedRequest) -> ResponsePlan {
    var slowing = Slowing()
    for turn in claim.handovers { slow(&slowing, by: turn) }
    slow(&slowing, by: claim.turn)
    guard let index = claim.turn.response else {
      return ResponsePlan(delay: slowing.delay, action: .passthrough)
    }
    let response = scenario.stubs.sources[claim.turn.rank].stub.responses[index]
    guard let kept = claim.kept,
      let template = scenario.stubs.answers[claim.turn.rank]?.templates[index]
    else { return ResponsePlan(response, to: request.request, slowing: slowing) }
    var renderer = TemplateRenderer(environment(for: claim.turn, kept, request))
    do throws(TemplateFailure) {
      let filled = try template.filled(response, &renderer)
      return ResponsePlan(filled, to: request.request, slowing: slowing)
    } catch {
      let problem = error.problem(of: claim.event, in: scenario.name)
      state.withLock { $0.note(problem) }
      return ResponsePlan(delay: slowing.delay, action: .error(error.error(of: claim.event)))
    }
  }

  /// What the templates of an answer ask.
  func environment(
    for turn: Claim.Turn, _ kept: Claim.Kept, _ request: PreparedRequest
  ) -> AnswerEnvironment {
    AnswerEnvironment(
      request: request, path: scenario.stubs.template(turn.rank),
      queries: scenario.stubs.answers[turn.rank]?.queries ?? CompiledQueries(), now: clock(),
      answer: turn.answer + 1, captured: kept.captured, counts: kept.counts,
      generator: kept.generator ?? generator(for: turn, purpose: .template))
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
