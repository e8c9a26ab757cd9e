import StubDBCatalog
import StubDBCatalogEditing
import StubDBEditing
import StubDBJobs
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
      try review.requireOwnKeys(stubs, of: index, decisions)
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
}
