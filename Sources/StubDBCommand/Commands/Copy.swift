import ArgumentParser
import StubDBCatalog
import StubDBModel

extension RootCommand {
  /// Copies a scenario.
  struct Copy: CatalogCommand {
    static let configuration = CommandConfiguration.subcommand(
      commandName: "copy",
      abstract: "Copy a scenario under a new name.",
      discussion: """
        Examples:
          stubdb copy checkout/paid checkout/paid-slowly
          stubdb set checkout/paid-slowly post-v1-charges --delay 3s
        """,
      aliases: ["cp"])

    @Argument(
      help: "The scenario to copy.", completion: .scenarioNames, transform: ScenarioName.argument)
    var scenario: ScenarioName

    @Argument(help: "The name of the copy.", transform: ScenarioName.argument)
    var new: ScenarioName

    @OptionGroup var catalog: CatalogOptions

    func run() throws {
      let catalog = try catalog.open()
      try catalog.edit { editor in
        _ = try editor.existing(scenario, in: catalog)
        if new == scenario {
          throw CommandError(
            "the copy of scenario \(scenario) has the same name",
            hints: [
              "To give it another one: "
                + FollowUp.command(
                  "copy", on: [scenario.rawValue, "\(scenario)-copy"], catalog: catalog.url)
            ])
        }
        do throws(CatalogError) {
          try editor.copy(scenario, to: new)
        } catch {
          throw NameError.taken(error, new, in: catalog)
        }
      }
      Console.note("Copied \(scenario) to \(new).")
    }
  }
}
