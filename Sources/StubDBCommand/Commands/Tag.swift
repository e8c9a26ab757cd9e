import ArgumentParser
import StubDBEditing
import StubDBJobs
import StubDBModel
import StubDBSupport

extension RootCommand {
  struct Tag: WritingCommand {
    static let configuration = CommandConfiguration(
      commandName: "tag",
      abstract: "Add tags to scenarios, or remove them.",
      discussion: """
        A name that ends with / means everything below it. A tag to remove that only some of several \
        scenarios have is no mistake.

        Examples:
          stubdb tag checkout/paid --add smoke --add payments
          stubdb tag checkout/paid --remove wip
          stubdb tag checkout/ orders/open --add smoke
          stubdb list --tag smoke
        """)

    @Argument(
      help: ArgumentHelp("The scenarios.", valueName: "scenario"), completion: .scenarioNames)
    var words: [String]

    @Option(help: ArgumentHelp("A tag to add; repeatable.", valueName: "tag"))
    var add: [String] = []

    @Option(help: ArgumentHelp("A tag to remove; repeatable.", valueName: "tag"))
    var remove: [String] = []

    @OptionGroup var writing: WritingOptions

    func checkUsage() throws {
      if add.isEmpty && remove.isEmpty { throw try missingOption() }
      try ScenarioTargets.validateNames(words)
      if let tag = add.first(where: remove.contains) {
        throw ValidationError("\(TerminalText.quoted(tag)) is to be added and removed; choose one.")
      }
      try ScenarioOptions.requireTags(add)
    }

    /// The words after the first were meant as tags then.
    private func missingOption() throws -> ValidationError {
      guard let scenario = words.first, words.count > 1 else {
        return ValidationError("Say what to do: --add TAG, --remove TAG, or both.")
      }
      let tags = Array(words.dropFirst())
      try ScenarioOptions.requireTags(tags)
      let options = tags.flatMap { CommandWords.option("--add", $0) }
      let file = catalog.path.map { ["--catalog", $0] } ?? []
      let command = FollowUp.command("tag", on: [scenario], options + file)
      return ValidationError("Tags follow --add or --remove; to add them: \(command)")
    }

    func run() throws {
      let catalog = try catalog.open()
      let names = try catalog.names(
        of: words.map(ScenarioSelection.init(argument:)), for: "tag")
      let (tagged, secrets) = try catalog.changing { editor in
        let written = try editor.tag(names, adding: add, removing: remove)
        let changes = written.map { ($0.after.tagsAlone, $0.before?.tagsAlone) }
        return (written.map(\.after), try SecretNotes.lines(on: changes, in: catalog))
      }
      for scenario in tagged {
        let tags = scenario.tags.map(TerminalText.line).joined(separator: ", ")
        Console.note("Tags of \(scenario.name): \(tags.isEmpty ? "none" : tags).")
      }
      for line in secrets { Console.note(line) }
    }
  }
}

extension Scenario {
  /// A scenario of this name that has nothing but the tags.
  fileprivate var tagsAlone: Scenario { Scenario(name: name, tags: tags) }
}
