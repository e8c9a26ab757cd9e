import ArgumentParser
import StubDBCatalog
import StubDBJSON
import StubDBModel
import StubDBSupport

extension RootCommand {
  /// Renames a scenario or a stub.
  struct Rename: CatalogCommand {
    static let configuration = CommandConfiguration.subcommand(
      commandName: "rename",
      abstract: "Rename a scenario, or with --key one of its stubs.",
      discussion: """
        Scenarios that include the renamed one include it under its new name. Tests that name it \
        have to be changed by hand.

        Examples:
          stubdb rename checkout/paid checkout/accepted
          stubdb rename checkout/accepted --key post-v1-charges charge
        """,
      aliases: ["mv"])

    @Argument(
      help: "The scenario.", completion: .scenarioNames, transform: ScenarioName.argument)
    var scenario: ScenarioName

    @Option(
      help: ArgumentHelp("The key of a stub: rename that, not the scenario.", valueName: "key"),
      completion: .stubKeys)
    var key: String?

    @Argument(help: "The new name, or with --key the stub's new key.")
    var new: String

    @OptionGroup var catalog: CatalogOptions

    func validate() throws {
      guard key == nil, let reason = ScenarioName.reasonAgainst(new) else { return }
      throw ValidationError("\(TerminalText.quoted(new)) is not a scenario name: \(reason)")
    }

    func run() throws {
      if let key { try renameStub(key) } else { try renameScenario() }
    }

    private func renameScenario() throws {
      let catalog = try catalog.open()
      let new = ScenarioName(unchecked: new)
      try catalog.edit { editor in
        _ = try editor.existing(scenario, in: catalog)
        if scenario == new { return }
        do throws(CatalogError) {
          try editor.rename(scenario, to: new)
        } catch {
          throw NameError.taken(error, new, in: catalog)
        }
      }
      Console.note(
        scenario == new
          ? "\(scenario) has that name already; nothing was changed."
          : "Renamed \(scenario) to \(new).")
    }

    private func renameStub(_ key: String) throws {
      let catalog = try catalog.open()
      let (old, isRenamed) = try catalog.edit { editor in
        var scenario = try editor.existing(scenario, in: catalog)
        let index = try scenario.index(of: key)
        // The key may have been typed with its characters composed otherwise.
        let old = scenario.stubs[index].key.rawValue
        if old.hasSameText(as: new) { return (old, false) }
        if old != new, scenario.stubs.contains(where: { $0.key.rawValue == new }) {
          throw CommandError(
            "scenario \(scenario.name) already has a stub \(TerminalText.quoted(new))",
            hints: [
              "To see it: "
                + FollowUp.command(
                  "show", on: [scenario.name.rawValue, new], catalog: catalog.url),
              "To remove it first: "
                + FollowUp.command(
                  "rm", on: [scenario.name.rawValue, new], catalog: catalog.url),
            ])
        }
        var draft = StubDraft(scenario.stubs[index])
        draft.set("key", to: .string(new))
        scenario.stubs[index] = try draft.stub(in: self.scenario)
        try editor.replace(scenario)
        try editor.moveConflicts(of: old, to: new, in: self.scenario)
        return (old, true)
      }
      let (shown, shownNew) = ValueExcerpt.distinct(old, new)
      let stub = "stub \(TerminalText.line(shown)) of \(scenario)"
      Console.note(
        isRenamed
          ? "Renamed \(stub) to \(TerminalText.line(shownNew))."
          : "The \(stub) has that key already; nothing was changed.")
    }
  }
}
