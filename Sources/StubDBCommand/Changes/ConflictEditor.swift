import Foundation
import StubDBCatalog
import StubDBModel

/// Settles the conflicts of a scenario in an editor.
struct ConflictEditor {
  let catalog: Catalog
  let scenario: ScenarioName
  let conflicts: [Conflict]

  /// Shows the versions, opens the document, and settles the conflicts with the saved text.
  func run() throws {
    let original = try catalog.existing(scenario)
    let editor = try TextEditor()
    let view = ConflictView(style: .notes)
    for conflict in conflicts { Console.note(view.lines(conflict).joined(separator: "\n")) }
    let draft = try DocumentDraft(original, of: catalog)
    do {
      try editor.edit(draft.file)
      let edited = try draft.scenario()
      try catalog.edit { editor in
        guard try editor.existing(scenario, in: catalog) == original else {
          throw CommandFailure(
            "\(scenario) was changed by another process while it was being edited")
        }
        try editor.replace(edited)
        try editor.removeConflicts { conflicts.contains($0) }
      }
    } catch {
      throw CommandFailure(
        ErrorText.message(for: error),
        hints: ["Nothing was settled. Your text is in \(draft.file.path)"])
    }
    draft.discard()
    Console.note(
      "Settled \(Counted.of(conflicts.count, "conflict")) with the document as you saved it.")
  }
}
