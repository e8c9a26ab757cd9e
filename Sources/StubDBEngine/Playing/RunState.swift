import StubDBModel
import StubDBSupport
import StubDBTemplates

/// The mutable state of a run: how often each stub answered, the states of flows, and the journal.
package struct RunState {
  /// The result of an attempt to decide about a request.
  enum Attempt {
    /// Nil once the run has ended, which records nothing any more.
    case decided(Outcome<Claim>?)
    /// None of the given stubs answers, and there may be more.
    case needsMoreStubs
    /// A stub compares with these kept values, and was not compared with them yet.
    case needsComparison(CapturedValues)
    /// The captures of the answer must be evaluated first.
    case needsCaptures(CaptureDraft)
  }

  /// The state that decides which stub answers.
  package struct Progress {
    /// The number of each stub's answers, by rank.
    var given = AnswerCounts()
    /// The states of flows that have left their first state, by name.
    package var states: [String: String] = [:]
    /// The values that are kept.
    var captured = CapturedValues()
    /// The items of resources that were used, by the rank of their stub.
    var items: [Int: ResourceItems] = [:]

    func state(ofFlow name: String) -> String { states[name] ?? FlowStep.initialState }

    /// Whether the flow of a stub, if it has one, is in the required state.
    func allows(_ flow: FlowStep?) -> Bool {
      guard let flow, let needed = flow.requires else { return true }
      return ByteText.isEqual(state(ofFlow: flow.name), needed)
    }
  }

  /// Whether the run has ended.
  var isEnded = false
  /// Whether there was a request that no stub answered, also if the journal does not have it any more.
  private(set) var hadUnmatched = false
  package var progress = Progress()
  /// The ranks of stubs that answered before the counters were reset.
  private(set) var usedBefore: Set<Int> = []
  /// The requests, in order of arrival.
  package var journal: Journal
  /// How often the counters of templates were used, by name.
  private var counts: [String: Int] = [:]
  /// The problems in making answers.
  private(set) var problems: [VerificationProblem] = []
  /// The number of problems that were dropped because there were too many.
  private(set) var droppedProblemCount = 0
  private let mostProblems: Int
  private let seed: UInt64

  init(limit: JournalLimit, seed: UInt64) {
    self.seed = seed
    journal = Journal(limit: limit)
    mostProblems = limit.entryCount
  }

  /// Takes the turn of the first stub that has one for the request, and records it.
  ///
  /// Nothing is compared, rendered or selected here: the caller does what is needed outside the lock, and passes the
  /// results in `matches` and `draft`. Until then nothing changes.
  mutating func decide(
    _ matches: StubMatches, for request: PreparedRequest, of stubs: CompiledStubs,
    draft: CaptureDraft? = nil
  ) -> Attempt {
    guard !isEnded else { return .decided(nil) }
    var delegations: [Claim.Turn] = []
    for rank in matches.ranks {
      guard progress.allows(stubs.sources[rank].stub.flow) else { continue }
      guard let isMatch = matches.verdict(rank, at: progress.captured.revision) else {
        return .needsComparison(progress.captured)
      }
      guard isMatch else { continue }
      let count = progress.given[rank] ?? 0
      var turn = Claim.Turn(rank: rank, answer: count, response: nil)
      switch stubs.sequences[rank]?.turn(after: count) ?? .response(0) {
      case .response(let index):
        turn.response = index
        if stubs.sources[rank].stub.responses[index].delegation == .next {
          delegations.append(turn)
          continue
        }
        return answer(turn, delegations, request, stubs, draft)
      case .passthrough:
        return answer(turn, delegations, request, stubs, draft)
      case .next:
        continue
      case .fail:
        return .decided(.unmatched(appendUnmatched(matches, request, stubs)))
      }
    }
    guard matches.isComplete else { return .needsMoreStubs }
    return .decided(.unmatched(appendUnmatched(matches, request, stubs)))
  }

  /// Records a request that a stub answers.
  private mutating func append(
    _ turn: Claim.Turn, _ request: PreparedRequest, _ stubs: CompiledStubs, _ reply: ResourceReply?
  ) -> ServeEvent {
    var status = reply?.status
    if reply == nil, let index = turn.response {
      status = stubs.sources[turn.rank].stub.responses[index].sentStatus
    }
    var event = ServeEvent(
      number: number(for: request), request: request.request, arrival: request.context.arrival,
      scenario: stubs.sources[turn.rank].origin,
      stubKey: stubs.sources[turn.rank].stub.key.rawValue, responseIndex: turn.response,
      status: status)
    if let reply { event = event.with(remark: reply.remark) }
    journal.enter(event)
    return event
  }

  /// Carries the request out on the items of the stub's resource; nil if another response answers.
  private mutating func reply(
    _ turn: Claim.Turn, _ request: PreparedRequest, _ stubs: CompiledStubs
  ) -> ResourceReply? {
    let source = stubs.sources[turn.rank]
    guard let resource = source.stub.resource, let begin = stubs.resources[turn.rank],
      turn.response == source.stub.responses.count - 1
    else { return nil }
    var generator = SeededGenerator(
      seed: seed, scenario: source.origin, key: source.stub.key.rawValue, answer: turn.answer,
      purpose: .template)
    return ResourceReply(
      to: request, of: resource, source.stub.request,
      &progress.items[turn.rank, default: begin]
    ) { RandomUUID.text { generator.next() } }
  }

  /// Takes the turns, unless the result of their captures is missing.
  private mutating func answer(
    _ turn: Claim.Turn, _ delegations: [Claim.Turn], _ request: PreparedRequest,
    _ stubs: CompiledStubs,
    _ draft: CaptureDraft?
  ) -> Attempt {
    var kept: Claim.TemplateState?
    var counts = self.counts
    let needsNothing =
      stubs.answers.isEmpty || (delegations + [turn]).allSatisfy { stubs.answers[$0.rank] == nil }
    if !needsNothing {
      let steps = (delegations + [turn]).map { step($0, &counts, stubs) }
      kept = Claim.TemplateState(captured: progress.captured, counts: steps.last?.counts ?? [:])
      if steps.contains(where: { stubs.answers[$0.turn.rank]?.captures.isEmpty == false }) {
        guard let draft, draft.holds(steps, progress.captured) else {
          return .needsCaptures(CaptureDraft(steps, from: progress.captured))
        }
        kept?.captured = draft.captured
        kept?.generator = draft.generator
      }
    }
    let reply = stubs.resources.isEmpty ? nil : reply(turn, request, stubs)
    let event = append(turn, request, stubs, reply)
    for turn in delegations { take(turn, stubs) }
    take(turn, stubs)
    self.counts = counts
    if let kept {
      progress.captured = kept.captured
      let origin = stubs.sources[turn.rank].origin
      for error in draft?.errors ?? [] { note(error.problem(of: event, in: origin)) }
    }
    let claim = Claim(
      turn: turn, delegations: delegations, event: event, state: kept, reply: reply)
    return .decided(.respond(claim))
  }

  /// The turn with the values of its counters, which it increments.
  private func step(
    _ turn: Claim.Turn, _ counts: inout [String: Int], _ stubs: CompiledStubs
  ) -> Claim.Step {
    var used: [String: Int] = [:]
    for counter in turn.response.flatMap({ stubs.answers[turn.rank]?.counters[$0] }) ?? [] {
      counts[counter, default: 0] += 1
      used[counter] = counts[counter]
    }
    return Claim.Step(turn: turn, counts: used)
  }

  /// Counts the turn and advances the flow.
  private mutating func take(_ turn: Claim.Turn, _ stubs: CompiledStubs) {
    progress.given[turn.rank] = turn.answer + 1
    if let flow = stubs.sources[turn.rank].stub.flow, let state = flow.becomes {
      progress.states[flow.name] = state
    }
  }

  package mutating func remark(_ text: String, onEntry number: Int) {
    journal.update(number) { $0.with(remark: text) }
  }

  package mutating func removeEntries(_ numbers: Set<Int>) {
    journal.remove(numbers)
  }

  package mutating func note(_ problem: VerificationProblem) {
    if problems.count < mostProblems {
      problems.append(problem)
    } else {
      droppedProblemCount += 1
    }
  }

  /// Forgets parts of what was kept.
  mutating func reset(_ parts: RunParts) {
    if parts.contains(.counters) {
      usedBefore.formUnion(progress.given.ranks)
      (progress.given, counts) = (AnswerCounts(), [:])
    }
    if parts.contains(.flows) { progress.states = [:] }
    if parts.contains(.captures) {
      progress.captured.forgetAll()
      progress.items = [:]
    }
    if parts.contains(.journal) {
      journal.empty()
      (problems, droppedProblemCount) = ([], 0)
    }
  }

  /// Ends, and goes on as the state of a run of other stubs.
  ///
  /// Counters and items are kept of the stubs that are the same.
  mutating func handOver(from stubs: CompiledStubs, to others: CompiledStubs) -> RunState {
    var next = self
    isEnded = true
    (next.progress.given, next.progress.items, next.usedBefore) = (AnswerCounts(), [:], [])
    let used = progress.items.keys.reduce(into: Set(progress.given.ranks)) { $0.insert($1) }
    guard !used.isEmpty else { return next }
    var ranks: [LoadedScenario.Source: Int] = [:]
    for rank in used { ranks[stubs.sources[rank]] = rank }
    for (rank, source) in others.sources.enumerated() {
      guard let old = ranks[source] else { continue }
      if let count = progress.given[old] { next.progress.given[rank] = count }
      next.progress.items[rank] = progress.items[old]
    }
    return next
  }

  private func number(for request: PreparedRequest) -> Int {
    request.reservedNumber ?? journal.nextNumber
  }

  /// Reserves the next entry for a request that is decided later; returns its number, nil once the run has ended.
  mutating func reserve(_ request: PreparedRequest) -> Int? {
    guard !isEnded else { return nil }
    return journal.reserve(request.request, arrival: request.context.arrival)
  }

  /// Records a request that something in front of the scenario answers; nil once the run has ended.
  mutating func enter(
    _ request: WaitingRequest, answeredBy origin: String, status: Int?
  ) -> ServeEvent? {
    guard !isEnded else { return nil }
    let event = ServeEvent(
      number: request.number, request: request.request, arrival: request.arrival, stubKey: origin,
      status: status)
    journal.enter(event)
    return event
  }

  private mutating func appendUnmatched(
    _ matches: StubMatches, _ request: PreparedRequest, _ stubs: CompiledStubs
  ) -> ServeEvent {
    hadUnmatched = true
    let explanation = UnmatchedExplanation(
      stubs, matches.earlier ?? request, progress: progress, held: matches.ranks)
    let event = ServeEvent(
      number: number(for: request), request: request.request, arrival: request.context.arrival,
      explanation: explanation)
    journal.enter(event)
    return event
  }
}
