import ArgumentParser
import Foundation
import StubDBCatalog
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
      let draft = try DocumentDraft(original, of: catalog)
      let edited = try edited(draft, with: editor, of: catalog)
      if edited == original {
        draft.discard()
        Console.note("\(scenario) is unchanged.")
        return
      }
      do {
        try save(edited, over: original, in: catalog)
      } catch {
        throw kept(error, in: draft, of: catalog)
      }
      draft.discard()
      Console.note("Saved \(scenario) in \(CatalogLocator.display(catalog.url)).")
      for note in HiddenStubs.notes(on: edited, before: original) { Console.note(note) }
    }

    /// Returns the edited scenario; offers to open the document again if it has an error.
    private func edited(
      _ draft: DocumentDraft, with editor: TextEditor, of catalog: Catalog
    ) throws -> Scenario {
      while true {
        do {
          try editor.edit(draft.file)
        } catch {
          draft.discard()
          throw error
        }
        do {
          return try draft.scenario(allowsOutside: allowOutside)
        } catch {
          guard Terminal.canAsk else { throw kept(error, in: draft, of: catalog) }
          Console.note("\(Style.notes.red("Error:")) \(ErrorText.message(for: error))")
          guard Console.confirm("Open it again?") else {
            throw kept(CommandError("\(scenario) was not changed"), in: draft, of: catalog)
          }
        }
      }
    }

    private func save(_ edited: Scenario, over original: Scenario, in catalog: Catalog) throws {
      try catalog.edit { editor in
        guard try editor.existing(scenario, in: catalog) == original else {
          throw CommandError(
            "\(scenario) was changed by another process while it was being edited")
        }
        try editor.replace(edited)
      }
    }

    private func kept(
      _ error: any Error, in draft: DocumentDraft, of catalog: Catalog
    ) -> CommandError {
      // From standard input: files that the document names are then read from the current folder, as here.
      let words =
        ["add", "--file", "-", "--replace"] + (allowOutside ? ["--allow-outside"] : [])
      let save =
        FollowUp.command(words, catalog: catalog.url)
        + " < \(ShellWord.quoted(draft.file.path))"
      return CommandError(
        ErrorText.message(for: error),
        hints: [
          "Nothing was saved. Your text is in \(draft.file.path)",
          "To save it once it is mended: \(save)",
        ])
    }
  }
}
