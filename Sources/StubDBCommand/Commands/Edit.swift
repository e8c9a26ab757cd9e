import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBModel

extension RootCommand {
  /// Opens a scenario's document in an editor.
  struct Edit: CatalogCommand {
    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract: "Change a scenario's document in your editor.",
      discussion: """
        Opens the document in $VISUAL or $EDITOR. When the editor ends, the document is checked and \
        saved. If it has a mistake, nothing is saved, the mistake is reported, and your text is kept \
        in its file.

        Examples:
          stubdb edit checkout/paid
          EDITOR='code --wait' stubdb edit checkout/paid
        """)

    @Argument(
      help: "The scenario.", completion: .scenarioNames, transform: ScenarioName.argument)
    var scenario: ScenarioName

    @Flag(help: "Read files that a document names outside the current folder.")
    var allowOutside = false

    @OptionGroup var catalog: CatalogOptions

    func run() throws {
      let catalog = try catalog.open()
      let original = try catalog.existing(scenario)
      let editor = try TextEditor()
      let draft = try DocumentDraft(original, known: original.stubs, of: catalog)
      let editing = DocumentEditing(
        draft: draft, subject: scenario.rawValue,
        savingWords: ["add", "--file", "-", "--replace"]
          + (allowOutside ? ["--allow-outside"] : []),
        catalog: catalog
      ) { try draft.scenario(allowsOutside: allowOutside) }
      let edited = try editing.edited(with: editor)
      if edited.hasSameText(as: original) {
        draft.discard()
        Console.note("\(scenario) is unchanged.")
        return
      }
      do {
        try save(edited, over: original, in: catalog)
      } catch {
        throw editing.kept(error)
      }
      draft.discard()
      Console.note("Saved \(scenario) in \(CatalogLocator.display(catalog.url)).")
      let secrets = try SecretNotes.lines(on: edited, before: original, in: catalog)
      for note in HiddenStubs.notes(on: edited, before: original) + secrets { Console.note(note) }
    }

    private func save(_ edited: Scenario, over original: Scenario, in catalog: Catalog) throws {
      try catalog.edit { editor in
        guard try editor.existing(scenario, in: catalog).hasSameText(as: original) else {
          throw CommandError(
            "\(scenario) was changed by another process while it was being edited")
        }
        try catalog.requireIncludable(
          edited.includes.filter { !original.includes.contains($0) }, by: scenario)
        try editor.replace(edited)
      }
    }
  }
}
