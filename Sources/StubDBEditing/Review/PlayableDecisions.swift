internal import StubDBCatalogEditing
package import StubDBJSON
package import StubDBModel

/// Decisions about a scenario without those whose stubs could not be played, which wait.
///
/// One such stub keeps the whole scenario from answering.
package struct PlayableDecisions {
  /// A stub that is not written.
  package struct Refusal {
    package let scenario: ScenarioName
    package let stub: Stub.Key
    /// The stub of the draft that waits.
    package let proposal: Stub.Key
    /// The place in the stub.
    package let place: JSONPointer
    package let reason: String
  }

  package private(set) var decisions: [Stub.Key: ReviewDecision]
  /// The result of the decisions.
  private(set) var resolution: ReviewResolution
  package private(set) var refusals: [Refusal] = []

  /// An edited document was checked when it was saved.
  package init(_ outcome: ReviewOutcome, on review: ScenarioReview) {
    decisions = outcome.decisions[review.name] ?? [:]
    resolution = ReviewResolution(review, decisions)
    guard resolution.hasChanged, outcome.documents[review.name] == nil else { return }
    let known = Set(review.existing?.stubs ?? [])
    // Without some of them, what is left may become other stubs.
    while true {
      let written = resolution.scenario.stubs.filter { !known.contains($0) }
      let problems = ScenarioProblems.unplayable(in: Scenario(name: review.name, stubs: written))
      var isChanged = false
      for problem in problems { isChanged = leave(problem, in: review) || isChanged }
      guard isChanged else { return }
      resolution = ReviewResolution(review, decisions)
    }
  }

  /// Lets wait what a stub is made of; false if nothing is decided about that.
  private mutating func leave(_ problem: CheckProblem, in review: ScenarioReview) -> Bool {
    guard let key = problem.key.map(Stub.Key.init(unchecked:)) else { return false }
    let entries = resolution.sources.filter { $0.stub == key }.map(\.entry)
    let proposals = review.proposals.filter { proposal in
      switch decisions[proposal.stub.key] {
      case .leave?, .drop?: return false
      case .edit(let stubs)?: return stubs.contains { $0.key == key }
      case .take? where proposal.stub.key == key, .free? where proposal.stub.key == key:
        return true
      case .take?, .free?, nil:
        return proposal.entries.contains { own in
          entries.contains { $0.file == own.file && $0.offset == own.offset }
        }
      }
    }
    guard let first = proposals.first else { return false }
    for proposal in proposals { decisions[proposal.stub.key] = .leave }
    refusals.append(
      Refusal(
        scenario: review.name, stub: key, proposal: first.stub.key,
        place: JSONPointer(Array((problem.pointer?.tokens ?? []).dropFirst(2))),
        reason: problem.problem))
    return true
  }
}
