import StubDBModel

/// What changes in a run: how often each stub answered, and the journal.
struct RunState {
  /// What came of a stub that matches.
  enum Claim {
    case answered(ServeEvent)
    /// The stub is used up, and the request counts as unmatched.
    case refused
    /// The stub is used up and leaves the request to the next one.
    case passed
  }

  /// How many answers each stub gave, by rank; stubs without any are not in it.
  private(set) var given: [Int: Int] = [:]
  private(set) var journal: [ServeEvent] = []

  /// Takes the next turn of the stub for the request.
  mutating func claim(_ rank: Int, of stubs: CompiledStubs, for request: StubRequest) -> Claim {
    let count = given[rank] ?? 0
    let response: Int
    switch stubs.sequences[rank]?.turn(after: count) ?? .response(0) {
    case .response(let index): response = index
    case .fail: return .refused
    case .next: return .passed
    }
    given[rank] = count + 1
    let event = ServeEvent(
      number: journal.count + 1, request: request, scenario: stubs.sources[rank].origin,
      stubKey: stubs.sources[rank].stub.key, responseIndex: response, nearMisses: [])
    journal.append(event)
    return .answered(event)
  }

  /// Writes down a request that nothing answers, and gives its number.
  mutating func appendUnmatched(_ request: StubRequest) -> Int {
    journal.append(
      ServeEvent(
        number: journal.count + 1, request: request, scenario: nil, stubKey: nil,
        responseIndex: nil, nearMisses: []))
    return journal.count
  }

  mutating func setNearMisses(_ nearMisses: [NearMiss], of number: Int) {
    journal[number - 1].nearMisses = nearMisses
  }
}
