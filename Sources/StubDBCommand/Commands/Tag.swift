import ArgumentParser
import StubDBCatalog
import StubDBEngine
import StubDBModel

extension RootCommand {
  /// Adds and removes tags.
  struct Tag: CatalogCommand {
    static let configuration = CommandConfiguration.subcommand(
      commandName: "tag",
      abstract: "Add tags to a scenario, or remove them.",
      discussion: """
        Examples:
          stubdb tag checkout/paid --add smoke --add payments
          stubdb tag checkout/paid --remove wip
          stubdb list --tag smoke
        """)

    @Argument(
      help: "The scenario.", completion: .scenarioNames, transform: ScenarioName.argument)
    var scenario: ScenarioName

    @Argument(help: .hidden)
    var words: [String] = []

    @Option(help: ArgumentHelp("A tag to add; repeatable.", valueName: "tag"))
    var add: [String] = []

    @Option(help: ArgumentHelp("A tag to remove; repeatable.", valueName: "tag"))
    var remove: [String] = []

    @OptionGroup var catalog: CatalogOptions

    func validate() throws {
      guard words.isEmpty else {
        try ScenarioOptions.requireTags(words)
        let options = words.flatMap { CommandWords.option("--add", $0) }
        let file = catalog.path.map { ["--catalog", $0] } ?? []
        let command = FollowUp.command("tag", on: [scenario.rawValue], options + file)
        throw ValidationError("Tags follow --add or --remove; to add them: \(command)")
      }
      if add.isEmpty && remove.isEmpty {
        throw ValidationError("Say what to do: --add TAG, --remove TAG, or both.")
      }
      if let tag = add.first(where: remove.contains) {
        throw ValidationError("\(TerminalText.quoted(tag)) is to be added and removed; choose one.")
      }
      try ScenarioOptions.requireTags(add)
    }

    func run() throws {
      let catalog = try catalog.open()
      let tags = try catalog.edit { editor in
        var scenario = try editor.existing(scenario, in: catalog)
        if let missing = remove.first(where: { !scenario.tags.contains($0) }) {
          throw CommandError(
            "scenario \(scenario.name) has no tag \(TerminalText.quoted(missing))",
            hints: [
              scenario.tags.isEmpty
                ? "It has no tags." : "It has: \(scenario.tags.joined(separator: ", "))"
            ])
        }
        scenario.tags = Set(scenario.tags).subtracting(remove).union(add).sorted()
        try editor.replace(scenario)
        return scenario.tags
      }
      let list = tags.isEmpty ? "none" : tags.map(TerminalText.line).joined(separator: ", ")
      Console.note("Tags of \(scenario): \(list).")
    }
  }
}
