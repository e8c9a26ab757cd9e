import StubDBModel
import StubDBTemplates

/// What changes in a run: how often each stub answered, the states of the flows, and the journal.
struct RunState {
  /// What came of a request.
  enum Decision {
    case answered(Claim)
    /// Nothing answers; the number of the entry in the journal, and how the run stood.
    case unmatched(number: Int, Progress)
    /// None of the stubs that were given answers, and there may be more.
    case undecided
    /// The run has ended, and nothing is written down any more.
    case ended
  }

  /// How far a run has come, as far as it decides what answers.
  struct Progress {
    /// How many answers each stub gave, by rank; stubs without any are not in it.
    var given: [Int: Int] = [:]
    /// The states of the flows that have left their first one, by name.
    var states: [String: String] = [:]
    /// What is kept of requests.
    var captured = CapturedValues()

    func state(ofFlow name: String) -> String { states[name] ?? FlowStep.initialState }

    /// Whether the flow of a stub, if it has one, is where the stub needs it.
    func allows(_ flow: FlowStep?) -> Bool {
      guard let flow, let needed = flow.requires else { return true }
      return ByteText.isEqual(state(ofFlow: flow.name), needed)
    }
  }

  /// Whether requests are no longer decided about.
  var isEnded = false
  private(set) var progress = Progress()
  private(set) var journal: [ServeEvent] = []
  /// How often the counters of templates were used, by name.
  private var counts: [String: Int] = [:]
  /// What went wrong while answers were made.
  private(set) var failures: [VerificationProblem] = []

  /// Takes the turn of the first stub that has one for the request, and writes it down.
  ///
  /// Changes nothing while it is undecided.
  mutating func decide(
    _ matches: StubMatches, for request: PreparedRequest, of run: ScenarioRun
  ) -> Decision {
    guard !isEnded else { return .ended }
    let stubs = run.scenario.stubs
    var handovers: [Claim.Turn] = []
    for rank in matches.ranks where progress.allows(stubs.sources[rank].stub.flow) {
      guard stubs.matches(rank, request, with: progress.captured) else { continue }
      let count = progress.given[rank] ?? 0
      var turn = Claim.Turn(rank: rank, answer: count, response: nil)
      switch stubs.sequences[rank]?.turn(after: count) ?? .response(0) {
      case .response(let index):
        turn.response = index
        if stubs.sources[rank].stub.responses[index].handover == .next {
          handovers.append(turn)
          continue
        }
        return .answered(commit(turn, handovers, for: request, of: run))
      case .passthrough:
        return .answered(commit(turn, handovers, for: request, of: run))
      case .next:
        continue
      case .fail:
        return appendUnmatched(request.request)
      }
    }
    return matches.isComplete ? appendUnmatched(request.request) : .undecided
  }

  private mutating func commit(
    _ turn: Claim.Turn, _ handovers: [Claim.Turn], for request: PreparedRequest,
    of run: ScenarioRun
  ) -> Claim {
    let sources = run.scenario.stubs.sources
    let event = ServeEvent(
      number: journal.count + 1, request: request.request, scenario: sources[turn.rank].origin,
      stubKey: sources[turn.rank].stub.key, responseIndex: turn.response)
    journal.append(event)
    for handover in handovers { _ = take(handover, event, request, run) }
    let kept = take(turn, event, request, run)
    return Claim(turn: turn, handovers: handovers, event: event, kept: kept)
  }

  /// Counts the turn, moves the flow, and keeps what the stub captures.
  private mutating func take(
    _ turn: Claim.Turn, _ event: ServeEvent, _ request: PreparedRequest, _ run: ScenarioRun
  ) -> Claim.Kept? {
    let stubs = run.scenario.stubs
    progress.given[turn.rank] = turn.answer + 1
    if let flow = stubs.sources[turn.rank].stub.flow, let state = flow.becomes {
      progress.states[flow.name] = state
    }
    guard !stubs.answers.isEmpty, let answer = stubs.answers[turn.rank] else { return nil }
    var used: [String: Int] = [:]
    for counter in turn.response.flatMap({ answer.counters[$0] }) ?? [] {
      counts[counter, default: 0] += 1
      used[counter] = counts[counter]
    }
    var kept = Claim.Kept(
      captured: progress.captured, counts: used,
      generator: run.generator(for: turn, purpose: .template))
    guard !answer.captures.isEmpty else { return kept }
    var renderer = TemplateRenderer(run.environment(for: turn, kept, request))
    for capture in answer.captures {
      do throws(TemplateFailure) {
        try capture.carryOut(&renderer)
      } catch {
        failures.append(error.problem(of: event, in: run.scenario.name))
      }
    }
    if let environment = renderer.environment as? AnswerEnvironment {
      kept.captured = environment.captured
      kept.generator = environment.generator
      progress.captured = kept.captured
    }
    return kept
  }

  mutating func note(_ failure: VerificationProblem) {
    failures.append(failure)
  }

  /// Writes down a request that something on top of the scenario answers.
  mutating func append(_ request: StubRequest, answeredBy origin: String) -> ServeEvent {
    let event = ServeEvent(number: journal.count + 1, request: request, stubKey: origin)
    journal.append(event)
    return event
  }

  private mutating func appendUnmatched(_ request: StubRequest) -> Decision {
    journal.append(ServeEvent(number: journal.count + 1, request: request))
    return .unmatched(number: journal.count, progress)
  }

  mutating func setNearMisses(_ nearMisses: [NearMiss], of number: Int) {
    journal[number - 1].nearMisses = nearMisses
  }
}
