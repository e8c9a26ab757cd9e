import StubDBModel

/// What changes in a run: how often each stub answered, the states of the flows, and the journal.
struct RunState {
  /// What came of a request.
  enum Decision {
    case answered(Claim)
    /// Nothing answers; the number of the entry in the journal, and how the run stood.
    case unmatched(number: Int, Progress)
    /// None of the stubs that were given answers, and there may be more.
    case undecided
  }

  /// How far a run has come, as far as it decides what answers.
  struct Progress {
    /// How many answers each stub gave, by rank; stubs without any are not in it.
    var given: [Int: Int] = [:]
    /// The states of the flows that have left their first one, by name.
    var states: [String: String] = [:]

    func state(ofFlow name: String) -> String { states[name] ?? FlowStep.initialState }

    /// Whether the flow of a stub, if it has one, is where the stub needs it.
    func allows(_ flow: FlowStep?) -> Bool {
      guard let flow, let needed = flow.requires else { return true }
      return ByteText.isEqual(state(ofFlow: flow.name), needed)
    }
  }

  private(set) var progress = Progress()
  private(set) var journal: [ServeEvent] = []

  /// Takes the turn of the first stub that has one for the request, and writes it down.
  ///
  /// `ranks` are the stubs that match, in the order in which they answer: all of them if `isComplete`. Changes nothing
  /// while it is undecided.
  mutating func decide(
    _ matches: StubMatches, of stubs: CompiledStubs, for request: StubRequest
  ) -> Decision {
    var handovers: [Claim.Turn] = []
    search: for rank in matches.ranks where progress.allows(stubs.sources[rank].stub.flow) {
      let count = progress.given[rank] ?? 0
      var turn = Claim.Turn(rank: rank, answer: count, response: nil)
      switch stubs.sequences[rank]?.turn(after: count) ?? .response(0) {
      case .response(let index):
        turn.response = index
        if stubs.sources[rank].stub.responses[index].handover == .next {
          handovers.append(turn)
          continue
        }
        return .answered(commit(turn, handovers, of: stubs, for: request))
      case .passthrough:
        return .answered(commit(turn, handovers, of: stubs, for: request))
      case .next:
        continue
      case .fail:
        return appendUnmatched(request)
      }
    }
    return matches.isComplete ? appendUnmatched(request) : .undecided
  }

  private mutating func commit(
    _ turn: Claim.Turn, _ handovers: [Claim.Turn], of stubs: CompiledStubs,
    for request: StubRequest
  ) -> Claim {
    for handover in handovers { take(handover, of: stubs) }
    take(turn, of: stubs)
    let event = ServeEvent(
      number: journal.count + 1, request: request, scenario: stubs.sources[turn.rank].origin,
      stubKey: stubs.sources[turn.rank].stub.key, responseIndex: turn.response, nearMisses: [])
    journal.append(event)
    return Claim(turn: turn, handovers: handovers, event: event)
  }

  private mutating func take(_ turn: Claim.Turn, of stubs: CompiledStubs) {
    progress.given[turn.rank] = turn.answer + 1
    if let flow = stubs.sources[turn.rank].stub.flow, let state = flow.becomes {
      progress.states[flow.name] = state
    }
  }

  /// Writes down a request that something on top of the scenario answers.
  mutating func append(_ request: StubRequest, answeredBy origin: String) -> ServeEvent {
    let event = ServeEvent(
      number: journal.count + 1, request: request, scenario: nil, stubKey: origin,
      responseIndex: nil, nearMisses: [])
    journal.append(event)
    return event
  }

  private mutating func appendUnmatched(_ request: StubRequest) -> Decision {
    journal.append(
      ServeEvent(
        number: journal.count + 1, request: request, scenario: nil, stubKey: nil,
        responseIndex: nil, nearMisses: []))
    return .unmatched(number: journal.count, progress)
  }

  mutating func setNearMisses(_ nearMisses: [NearMiss], of number: Int) {
    journal[number - 1].nearMisses = nearMisses
  }
}
