internal import StubDBFormats
package import StubDBJSON
package import StubDBJobs
package import StubDBModel

/// The decision about a proposal.
package enum ReviewDecision {
  /// It goes into the catalog; with one of the answers that tests saw, nil for the last one.
  case take(answer: Int?)
  /// The same, with places of the request left free.
  case free(Set<JSONPointer>)
  /// These stubs go into the catalog in its place.
  case edit([Stub])
  /// It leaves the draft.
  case drop
  /// It waits.
  case leave
}

extension ScenarioReview {
  /// Decisions that take all proposals.
  package var allTaken: [Stub.Key: ReviewDecision] {
    Dictionary(proposals.map { ($0.stub.key, .take(answer: nil)) }) { first, _ in first }
  }
}

extension ScenarioReview.Proposal {
  /// The proposal with the answer that was chosen.
  package func choosing(_ decision: ReviewDecision?) -> Self {
    guard case .take(let answer?)? = decision, answers.list.indices.contains(answer) else {
      return self
    }
    var chosen = self
    chosen.answers = answers.choosing(answer)
    chosen.propose()
    return chosen
  }
}

/// The scenario and the draft after decisions; their order does not matter.
package struct ReviewResolution {
  /// The scenario as it is then.
  package private(set) var scenario: Scenario
  private(set) var hasChanged = false
  /// How many stubs are taken.
  package private(set) var taken = 0
  package private(set) var dropped = 0
  /// The indices of the proposals about which nothing is decided.
  package private(set) var waiting: [Int] = []
  private(set) var settlement = DraftReading.Settlement()
  /// The exchanges that are taken as they were recorded, with their stubs.
  package private(set) var sources: [ReviewProof.Source] = []

  private var replaced: [Stub.Key: [Stub]] = [:]
  private var added: [(place: Int, stubs: [Stub])] = []
  private var decided: [DraftReading.Entry] = []

  package init(_ review: ScenarioReview, _ decisions: [Stub.Key: ReviewDecision]) {
    scenario = review.existing ?? Scenario(name: review.name)
    var joined = addFreed(review, decisions)
    for (index, proposal) in review.proposals.enumerated() where joined.insert(index).inserted {
      decide(proposal, index, decisions[proposal.stub.key])
    }
    scenario.stubs = scenario.stubs.flatMap { replaced[$0.key] ?? [$0] }
    scenario.stubs = RequestOrder.adding(
      added.sorted { $0.place < $1.place }.flatMap(\.stubs), to: scenario.stubs)
    if waiting.isEmpty || !review.isWhole {
      settlement.removed = decided + review.settled + review.decided
    } else {
      // What is not there would seem to be what nothing asked for.
      settlement.marked = decided
    }
  }

  /// Adds the generalized stubs and returns the indices of the proposals they replace.
  private mutating func addFreed(
    _ review: ScenarioReview, _ decisions: [Stub.Key: ReviewDecision]
  ) -> Set<Int> {
    let isFreeing = decisions.values.contains { if case .free = $0 { true } else { false } }
    guard isFreeing else { return [] }
    var joined: Set<Int> = []
    for freed in FreedRequests(review).stubs(decisions) {
      joined.formUnion(freed.members)
      let entries = freed.members.flatMap { review.proposals[$0].entries }
      decided += entries
      sources += entries.map {
        ReviewProof.Source(entry: $0, stub: freed.stub.key, hasChosenAnswer: true)
      }
      taken += 1
      hasChanged = true
      guard freed.existing != nil else {
        added.append((freed.members[0], [freed.stub]))
        continue
      }
      let key = freed.stub.key
      replaced[key] = [freed.stub]
      let unseen = review.proposals.firstIndex { $0.kind == .unseen && $0.stub.key == key }
      // Nothing asked for it only because it was not free enough.
      if let unseen, decisions[key].isTaken ?? true { joined.insert(unseen) }
    }
    return joined
  }

  private mutating func decide(
    _ proposal: ScenarioReview.Proposal, _ index: Int, _ decision: ReviewDecision?
  ) {
    switch decision {
    case .take?, .free?:
      let stubs = proposal.kind == .unseen ? [] : [proposal.choosing(decision).stub]
      write(stubs, proposal, index)
      taken += 1
      sources += proposal.entries.map {
        ReviewProof.Source(
          entry: $0, stub: proposal.stub.key, hasChosenAnswer: proposal.kind == .conflict)
      }
    case .edit(let stubs)?:
      write(stubs, proposal, index)
      if stubs.isEmpty { dropped += 1 } else { taken += stubs.count }
    case .drop?: dropped += 1
    case .leave?, nil:
      waiting.append(index)
      return
    }
    decided += proposal.entries
  }

  private mutating func write(_ stubs: [Stub], _ proposal: ScenarioReview.Proposal, _ index: Int) {
    hasChanged = true
    if proposal.isKnown {
      replaced[proposal.stub.key] = stubs
    } else {
      added.append((index, stubs))
    }
  }
}

extension ReviewDecision? {
  /// Whether the proposal is taken; nil if nothing is decided.
  fileprivate var isTaken: Bool? {
    switch self {
    case .take?, .free?, .edit?: true
    case .drop?, .leave?: false
    case nil: nil
    }
  }
}

extension ScenarioReview {
  /// Refuses stubs made of a proposal if a key is that of another stub.
  ///
  /// - Throws: `JobError` with the key.
  package func requireOwnKeys(
    _ stubs: [Stub], of index: Int, _ decisions: [Stub.Key: ReviewDecision]
  ) throws(JobError) {
    let own = proposals[index].stub.key
    var taken = Set((existing?.stubs ?? []).map(\.key))
    taken.formUnion(proposals.map(\.stub.key))
    taken.remove(own)
    for (key, decision) in decisions where key != own {
      if case .edit(let others) = decision { taken.formUnion(others.map(\.key)) }
    }
    for stub in stubs where !taken.insert(stub.key).inserted {
      throw JobError(
        .refused, "another stub of \(name) has the key \(quoted: stub.key.rawValue)")
    }
  }
}
