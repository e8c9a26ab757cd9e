import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEditing
import StubDBJobs
import StubDBModel

extension RootCommand {
  struct Edit: WritingCommand {
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

    @OptionGroup var writing: WritingOptions

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
      if edited.scenario == original {
        draft.discard()
        Console.note("\(scenario) is unchanged.")
        return
      }
      do {
        try catalog.changing { try $0.save(edited, over: original, of: catalog) }
      } catch {
        throw editing.kept(error)
      }
      draft.discard()
      Console.note("Saved \(scenario) in \(TerminalText.path(catalog.url)).")
      let secrets = try SecretNotes.lines(on: [(edited.scenario, original)], in: catalog)
      let hidden = HiddenStubs.problems(in: edited.scenario, before: original)
      for note in HiddenStubView.lines(hidden) + secrets { Console.note(note) }
    }
  }
}
