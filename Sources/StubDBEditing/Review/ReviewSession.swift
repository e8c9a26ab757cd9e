package import StubDBJSON
internal import StubDBModel

/// The decisions of a user who is asked about proposals one after another.
package struct ReviewSession {
  package private(set) var outcome = ReviewOutcome()
  /// What the rest of the scenario gets; nil if all of it is asked about.
  private var rest: ReviewDecision?

  package init() {}

  /// Begins with a scenario, about which everything is asked.
  package mutating func beginScenario() { rest = nil }

  /// Whether a proposal is decided, by itself or as the rest of its scenario.
  package mutating func isDecided(_ index: Int, of selection: ReviewSelection) -> Bool {
    if hasDecision(index, of: selection) { return true }
    guard let rest, !selection.isConflict(index) || rest.isDrop else { return false }
    decide(rest, index, of: selection)
    return true
  }

  private func hasDecision(_ index: Int, of selection: ReviewSelection) -> Bool {
    let key = selection.review.proposals[index].stub.key
    return outcome.decisions[selection.review.name]?[key] != nil
  }

  package mutating func decide(
    _ decision: ReviewDecision, _ index: Int, of selection: ReviewSelection
  ) {
    let key = selection.review.proposals[index].stub.key
    outcome.decisions[selection.review.name, default: [:]][key] = decision
  }

  /// Decides about a proposal and the rest of its scenario.
  ///
  /// - Returns: Whether this proposal is decided: which of several answers is right is for a person to say.
  package mutating func decideRest(
    _ decision: ReviewDecision, from index: Int, of selection: ReviewSelection
  ) -> Bool {
    rest = decision
    return isDecided(index, of: selection)
  }

  /// Takes a proposal with places left free, and all that becomes one stub with it.
  package mutating func free(
    _ places: Set<JSONPointer>, _ index: Int, of selection: ReviewSelection
  ) {
    decide(.free(places), index, of: selection)
    let decisions = outcome.decisions[selection.review.name] ?? [:]
    for freed in FreedRequests(selection.review).stubs(decisions)
    where freed.members.contains(index) {
      for member in freed.members where !hasDecision(member, of: selection) {
        decide(.take(answer: nil), member, of: selection)
      }
    }
  }
}

extension ReviewDecision {
  fileprivate var isDrop: Bool { if case .drop = self { true } else { false } }
}
