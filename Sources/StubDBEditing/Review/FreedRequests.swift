internal import StubDBJSON
package import StubDBModel

/// A stub that leaves places free, for several proposals, and for a stub of the scenario if they are like one.
package struct FreedStub {
  /// The stub as it would be.
  package var stub: Stub
  /// The indices of the proposals that it takes the place of, ascending.
  package let members: [Int]
  /// The index of the stub that it changes; nil if it is a new one.
  package let existing: Int?
}

/// Finds which requests become one once places are left free.
package struct FreedRequests {
  private let review: ScenarioReview
  private let stubs: [Stub]
  private let known: [Int: RequestPlaces]
  private let recorded: [Int: RequestPlaces]
  /// The stubs and the proposals with the same places.
  private var groups: [RequestPattern: (known: [Int], recorded: [Int])] = [:]

  package init(_ review: ScenarioReview) {
    self.review = review
    stubs = review.existing?.stubs ?? []
    var recorded: [Int: RequestPlaces] = [:]
    for (index, proposal) in review.proposals.enumerated() where proposal.kind != .unseen {
      let places = RequestPlaces(proposal.stub.request)
      recorded[index] = places
      groups[places.skeleton, default: ([], [])].recorded.append(index)
    }
    var known: [Int: RequestPlaces] = [:]
    for (index, stub) in stubs.enumerated() {
      let places = RequestPlaces(stub.request)
      guard groups[places.skeleton] != nil else { continue }
      known[index] = places
      groups[places.skeleton]?.known.append(index)
    }
    (self.known, self.recorded) = (known, recorded)
  }

  /// The stubs for proposals with the places to be left free; the order of the decisions does not matter.
  ///
  /// Proposals that are decided otherwise join no other. Of the others, those that are equal then do; a proposal that
  /// changes a stub only does if it is taken, too.
  package func stubs(_ decisions: [Stub.Key: ReviewDecision]) -> [FreedStub] {
    var free: [Int: Set<JSONPointer>] = [:]
    var excluded: Set<Int> = []
    for (index, proposal) in review.proposals.enumerated() {
      switch decisions[proposal.stub.key] {
      case .free(let places)?: free[index] = places
      case .drop?, .edit?, .leave?: excluded.insert(index)
      case nil where proposal.isKnown: excluded.insert(index)
      case .take?, nil: continue
      }
    }
    var list: [FreedStub] = []
    for index in free.keys.sorted() where !excluded.contains(index) {
      guard let freed = stub(index, free, excluded, decisions) else { continue }
      excluded.formUnion(freed.members)
      list.append(freed)
    }
    return list
  }

  private func stub(
    _ index: Int, _ free: [Int: Set<JSONPointer>], _ excluded: Set<Int>,
    _ decisions: [Stub.Key: ReviewDecision]
  ) -> FreedStub? {
    guard let places = recorded[index], let group = groups[places.skeleton] else { return nil }
    let proposal = review.proposals[index]
    let pointers = RequestPlaces.pointers(of: proposal.stub.request)
    var wanted = free[index] ?? []
    while true {
      var isFree = pointers.map(wanted.contains)
      let existing = group.known.first { known in
        let key = stubs[known].key
        if proposal.isKnown { return key == proposal.stub.key }
        if case .edit? = decisions[key] { return false }
        return self.known[known].map { isCovered($0.values, by: places.values, isFree, open: true) }
          ?? false
      }
      let open = existing.flatMap { known[$0]?.values } ?? []
      for place in open.indices where open[place] == .free { isFree[place] = true }
      let members = group.recorded.filter { other in
        guard !excluded.contains(other), let values = recorded[other]?.values else { return false }
        let isOfOther =
          review.proposals[other].isKnown
          && review.proposals[other].stub.key != existing.map { stubs[$0].key }
        return !isOfOther && isCovered(values, by: places.values, isFree, open: false)
      }
      let all = members.reduce(into: wanted) { $0.formUnion(free[$1] ?? []) }
      if all == wanted {
        return freed(members, existing, wanted, decisions)
      }
      wanted = all
    }
  }

  private func isCovered(
    _ values: [RequestPlaces.Value], by others: [RequestPlaces.Value], _ isFree: [Bool], open: Bool
  ) -> Bool {
    values.indices.allSatisfy {
      isFree[$0] || values[$0] == others[$0] || open && values[$0] == .free
    }
  }

  private func freed(
    _ members: [Int], _ existing: Int?, _ places: Set<JSONPointer>,
    _ decisions: [Stub.Key: ReviewDecision]
  ) -> FreedStub {
    let proposals = members.map { member in
      review.proposals[member].choosing(decisions[review.proposals[member].stub.key])
    }
    var request = (existing.map { stubs[$0] } ?? proposals[0].stub).request.freeing(places)
    if proposals.contains(where: { !$0.stub.request.queryIsExact }) { request.queryIsExact = false }
    let merged = ScenarioReview.Proposal.merged(proposals, as: request).stub
    guard let existing else {
      return FreedStub(stub: merged, members: members, existing: nil)
    }
    var stub = stubs[existing]
    stub.request = request
    // What is only missing has the answer of the stub that it is like; what was recorded on purpose has its own.
    if review.isWhole || proposals.contains(where: \.isKnown) {
      (stub.responses, stub.then) = (merged.responses, merged.then)
      stub.recorded = merged.recorded
    }
    return FreedStub(stub: stub, members: members, existing: existing)
  }
}
