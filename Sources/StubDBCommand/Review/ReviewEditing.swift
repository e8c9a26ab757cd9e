import StubDBCatalog
import StubDBCatalogEditing
import StubDBEditing
import StubDBEngine
import StubDBModel
import StubDBSupport

/// Lets the user edit what a draft proposes, as `edit` does with a scenario.
struct ReviewEditing {
  let catalog: Catalog

  /// The stubs that the user makes of a proposal, with their text.
  ///
  /// - Throws: ``CommandError`` if the editor fails, or if the text has a mistake, and then it is kept.
  func stubs(
    _ review: ScenarioReview, _ index: Int, _ decisions: [Stub.Key: ReviewDecision] = [:]
  ) throws -> ([Stub], DocumentDraft) {
    let proposal = review.proposals[index].choosing(decisions[review.proposals[index].stub.key])
    let editor = try TextEditor()
    let draft = try DocumentDraft(proposal.stub, in: review.name, of: catalog)
    let editing = DocumentEditing(
      draft: draft, subject: "\(review.name)/\(TerminalText.line(proposal.stub.key.rawValue))",
      savingWords: ["add"]
        + CommandWords.arranged(
          [review.name.rawValue], ["--file", "-"] + (proposal.isKnown ? ["--replace"] : [])),
      catalog: catalog
    ) { () throws -> [Stub] in
      let stubs = try draft.stubs().map(\.stub)
      try Self.requireOwnKeys(stubs, of: index, in: review, decisions)
      return stubs
    }
    return (try editing.edited(with: editor), draft)
  }

  /// The scenario that the user makes of all proposals, with its text.
  func scenario(_ review: ScenarioReview) throws -> (CheckedScenario, DocumentDraft) {
    let editor = try TextEditor()
    let draft = try DocumentDraft(
      ReviewResolution(review, review.allTaken).scenario, known: review.existing?.stubs ?? [],
      of: catalog)
    let editing = DocumentEditing(
      draft: draft, subject: review.name.rawValue,
      savingWords: ["add", "--file", "-", "--replace"], catalog: catalog
    ) { try draft.scenario() }
    return (try editing.edited(with: editor), draft)
  }

  /// Throws if a key is that of another stub.
  private static func requireOwnKeys(
    _ stubs: [Stub], of index: Int, in review: ScenarioReview,
    _ decisions: [Stub.Key: ReviewDecision]
  ) throws {
    let own = review.proposals[index].stub.key
    var taken = Set((review.existing?.stubs ?? []).map(\.key))
    taken.formUnion(review.proposals.map(\.stub.key))
    taken.remove(own)
    for (key, decision) in decisions where key != own {
      if case .edit(let others) = decision { taken.formUnion(others.map(\.key)) }
    }
    for stub in stubs where !taken.insert(stub.key).inserted {
      throw CommandError(
        "another stub of \(review.name) has the key \(TerminalText.quoted(stub.key.rawValue))")
    }
  }
}
