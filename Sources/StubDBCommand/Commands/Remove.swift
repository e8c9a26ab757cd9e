import ArgumentParser
import StubDBCatalog
import StubDBEngine
import StubDBModel

extension RootCommand {
  /// Removes a scenario or some of its stubs.
  struct Remove: CatalogCommand {
    static let configuration = CommandConfiguration.subcommand(
      commandName: "remove",
      abstract: "Remove a scenario, or some of its stubs.",
      discussion: """
        Asks first on a terminal, unless --force. Without a terminal to ask on, as in a script or \
        with a pipe at its input, it removes without asking, as rm does.

        Examples:
          stubdb remove checkout/paid
          stubdb remove checkout/paid post-v1-charges get-v1-me
          stubdb remove checkout/paid --force
        """,
      aliases: ["rm"])

    @Argument(
      help: "The scenario.", completion: .scenarioNames, transform: ScenarioName.argument)
    var scenario: ScenarioName

    @Argument(help: "The keys of stubs, to remove only those.", completion: .stubKeys)
    var keys: [String] = []

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var force = false

    @OptionGroup var catalog: CatalogOptions

    func run() throws {
      let catalog = try catalog.open()
      let what = try description(of: catalog.existing(scenario))
      if keys.isEmpty { try requireNoIncluder(in: catalog) }
      if !force && Terminal.canAsk && !Console.confirm("Remove \(what)?") {
        Console.note("Nothing was removed.")
        throw ExitCode.failure
      }
      try catalog.edit { editor in
        let current = try editor.existing(scenario, in: catalog)
        if keys.isEmpty {
          try requireNoIncluder(in: catalog)
          try editor.removeScenario(scenario)
        }
        for key in keys {
          try editor.removeStub(try current.existing(key).key, from: scenario)
        }
      }
      Console.note("Removed \(what).")
    }

    /// Throws if other scenarios include it, with the commands that change them.
    private func requireNoIncluder(in catalog: Catalog) throws {
      let includers = try catalog.scenarios().filter {
        $0.includes.contains(scenario) && $0.name != scenario
      }
      guard let first = includers.first else { return }
      let name = scenario.rawValue
      throw CommandError(
        "scenario \(scenario) is included by "
          + (includers.count == 1 ? "\(first.name)" : "\(includers.count) scenarios"),
        hints: ["To take it out there first:"]
          + includers.map {
            "  "
              + FollowUp.command(
                "set", on: [$0.name.rawValue], CommandWords.option("--no-include", name),
                catalog: catalog.url)
          })
    }

    private func description(of scenario: Scenario) throws -> String {
      guard !keys.isEmpty else {
        return "scenario \(scenario.name) (\(Plural.of(scenario.stubs.count, "stub")))"
      }
      for key in keys { _ = try scenario.existing(key) }
      let list = keys.map(TerminalText.line).joined(separator: ", ")
      return "\(keys.count == 1 ? "stub" : "stubs") \(list) of \(scenario.name)"
    }
  }
}
