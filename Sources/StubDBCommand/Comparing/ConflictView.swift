import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBChanges
import StubDBDocuments
import StubDBEditing
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBSupport

/// Conflicts as text for a terminal.
struct ConflictView {
  let style: Style

  /// Writes conflicts to standard output.
  static func write(_ conflicts: [Conflict], json: Bool) throws {
    if json { return try Console.write(OrderedJSON.array(conflicts.map(\.json)).text) }
    let view = ConflictView(style: .output)
    for conflict in conflicts {
      try Console.write(view.lines(conflict).joined(separator: "\n") + "\n")
    }
  }

  /// A conflict on four lines: its place and the three versions.
  func lines(_ conflict: Conflict) -> [String] {
    let indent = 14
    let limit = ValueExcerpt.room(beside: indent)
    func shown(_ value: JSONValue?, _ text: String) -> String {
      value == nil ? Self.absent(at: conflict.pointer) : text
    }
    let (ours, theirs) = ValueExcerpt.pair(
      conflict.ours?.canonicalText, conflict.theirs?.canonicalText, limit: limit)
    let base = ValueExcerpt.of(conflict.base?.canonicalText, limit: limit)
    return [
      style.bold(TerminalText.line(conflict.description)) + style.dim(note(conflict)),
      "    base    \(shown(conflict.base, base))",
      "    ours    \(style.red(shown(conflict.ours, ours)))",
      "    theirs  \(style.green(shown(conflict.theirs, theirs)))",
    ]
  }

  /// What a version has that does not write the value: documents leave out a status of 200.
  private static func absent(at pointer: JSONPointer) -> String {
    let isStatus =
      pointer.tokens.last == "status" && pointer.tokens.dropLast(2).last == "responses"
    return isStatus ? "200, the default" : "(nothing)"
  }

  private func note(_ conflict: Conflict) -> String {
    guard conflict.pointer.tokens.isEmpty else { return "" }
    let what = conflict.key == nil ? "the whole scenario" : "the whole stub"
    switch (conflict.ours, conflict.theirs) {
    case (nil, _) where conflict.base == nil:
      return "  (\(what): theirs added it, under a key that ours has for another)"
    case (_, nil) where conflict.base == nil:
      return "  (\(what): ours added it, under a key that theirs has for another)"
    case (nil, _): return "  (\(what): ours removed it, theirs changed it)"
    case (_, nil): return "  (\(what): ours changed it, theirs removed it)"
    default: return "  (\(what))"
    }
  }
}

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
    let draft = try DocumentDraft(original, known: original.stubs, of: catalog)
    do {
      try editor.edit(draft.file)
      let edited = try draft.scenario()
      try catalog.changing { editor in
        try editor.save(edited, over: original, of: catalog)
        try editor.removeConflicts { conflicts.contains($0) }
      }
    } catch {
      let isKept = FileManager.default.fileExists(atPath: draft.file.path)
      throw CommandError(
        ErrorText.message(for: error),
        hints: [
          "Nothing was settled." + (isKept ? " Your text is in \(draft.file.path)" : "")
        ])
    }
    draft.discard()
    Console.note(
      "Settled \(Plural.of(conflicts.count, "conflict")) with the document as you saved it.")
  }
}
