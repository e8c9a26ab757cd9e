import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBChanges
import StubDBModel
import StubDBSupport

extension RootCommand {
  /// Restores a scenario from git.
  struct Restore: CatalogCommand {
    static let configuration = CommandConfiguration.subcommand(
      commandName: "restore",
      abstract: "Restore a scenario from a git revision, even if it was removed.",
      discussion: """
        Only this scenario changes; the rest of the catalog stays as it is. `stubdb log SCENARIO` \
        lists the revisions that changed it.

        Examples:
          stubdb restore checkout/paid                  as the last commit has it
          stubdb restore checkout/paid --rev HEAD~3
          stubdb restore checkout/paid --rev v1.2 --as checkout/paid-before
        """)

    @Argument(help: "The scenario.", completion: .scenarioNames, transform: ScenarioName.argument)
    var scenario: ScenarioName

    @Option(
      name: .customLong("rev"), help: ArgumentHelp("The git revision.", valueName: "revision"))
    var revision = "HEAD"

    @Option(
      name: .customLong("as"),
      help: ArgumentHelp(
        "Restore it under this name, beside the existing scenario.", valueName: "name"),
      transform: ScenarioName.argument)
    var newName: ScenarioName?

    @OptionGroup var catalog: CatalogOptions

    func run() throws {
      let catalog = try catalog.open()
      let source = try ComparedCatalog.revision(revision, of: catalog.url).scenarios()
      let names = try source.entries.map(\.name)
      guard names.contains(scenario) else {
        throw try NameError.scenario(scenario, at: revision, of: catalog, among: names)
      }
      var restored = try source.scenario(named: scenario)
      if let newName { restored.name = newName }
      let before = try catalog.edit { editor in
        try put(restored, into: &editor, of: catalog)
      }
      let place = TerminalText.line(revision)
      let name = restored.name == scenario ? "" : " as \(restored.name)"
      Console.note(
        before.hasSameText(as: restored)
          ? "\(scenario) is already as in \(place)." : "Restored \(scenario) from \(place)\(name).")
      let notes = WriteCheck.notes(on: [restored], besides: before?.stubs ?? [])
      for note in notes { Console.note(note) }
    }

    /// Puts the scenario into the catalog, and returns what it replaces.
    private func put(
      _ restored: Scenario, into editor: inout CatalogEditor, of catalog: Catalog
    ) throws -> Scenario? {
      let before = try editor.scenario(named: restored.name)
      let known = Set(try editor.scenarioNames())
      let missing = restored.includes.ownNames.filter {
        !known.contains($0) && $0 != restored.name
      }
      guard missing.isEmpty else {
        throw CommandError(
          "\(scenario) includes \(missing.map(\.rawValue).joined(separator: ", ")), which the "
            + "catalog no longer has",
          hints: missing.map {
            "To bring it back first: "
              + FollowUp.command(
                "restore", on: [$0.rawValue], ["--rev", revision], catalog: catalog.url)
          })
      }
      if newName != nil {
        do throws(CatalogError) {
          try editor.insert(restored)
        } catch {
          throw NameError.taken(error, restored.name, in: catalog)
        }
      } else {
        try editor.replace(restored)
      }
      return before
    }
  }
}
