import ArgumentParser
import StubDBCatalog
import StubDBCatalogEditing
import StubDBChanges
import StubDBEditing
import StubDBGit
import StubDBJobs
import StubDBModel
import StubDBSupport

extension RootCommand {
  struct Remove: WritingCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove scenarios, or some stubs of one.",
      discussion: """
        A name that ends with / means everything below it. Words after a scenario's name are keys of its \
        stubs, or further scenarios. A scenario whose name could be meant as a key is refused there.

        Asks first on a terminal, unless --force. Without a terminal to ask on, as in a script or \
        with a pipe at its input, it removes without asking, as rm does. `stubdb undo` brings back what the last \
        command removed, and `stubdb restore` what the last commit of git has.

        Examples:
          stubdb remove checkout/paid
          stubdb remove checkout/paid post-v1-charges get-v1-me
          stubdb remove checkout/paid orders/open imported/
          stubdb remove checkout/paid --force
        """,
      aliases: ["rm"])

    @Argument(
      help: ArgumentHelp("The scenario.", valueName: "scenario"), completion: .scenarioNames,
      transform: ScenarioSelection.init(argument:))
    var first: ScenarioSelection

    @Argument(
      help: ArgumentHelp(
        "The keys of stubs, to remove only those; or further scenarios.",
        valueName: "keys or scenarios"),
      completion: .stubKeys)
    var words: [String] = []

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var force = false

    @OptionGroup var writing: WritingOptions

    func run() throws {
      let catalog = try catalog.open()
      let removal = try Removal(first, words, in: catalog)
      try removal.requireNoIncluder(in: catalog)
      if !force && Terminal.canAsk && !Console.confirm("Remove \(removal.description)?") {
        Console.note("Nothing was removed.")
        throw ExitCode.failure
      }
      try catalog.changing { editor in
        try removal.requireNoIncluder(in: catalog)
        let keys = removal.keys.map(Stub.Key.init(unchecked:))
        for scenario in removal.scenarios { try editor.remove(keys, of: scenario.name) }
      }
      Console.note("Removed \(removal.description).")
      for line in removal.wayBack(to: catalog) { Console.note(line) }
    }
  }
}

extension Removal {
  /// The number of scenarios that are named one by one.
  private static let maximumNames = 5

  /// What it is, for the question and the report.
  fileprivate var description: String {
    guard keys.isEmpty else {
      let list = keys.map(TerminalText.line).joined(separator: ", ")
      return "\(keys.count == 1 ? "stub" : "stubs") \(list) of \(scenarios[0].name)"
    }
    let stubs = Plural.of(scenarios.reduce(0) { $0 + $1.stubs.count }, "stub")
    guard scenarios.count > 1 else { return "scenario \(scenarios[0].name) (\(stubs))" }
    let names = scenarios.map(\.name.rawValue).listed(upTo: Self.maximumNames)
    return "\(scenarios.count) scenarios (\(stubs)): \(names)"
  }

  /// How to bring back what the last commit of git has, and what it has not.
  fileprivate func wayBack(to catalog: Catalog) -> [String] {
    let undo =
      UndoSettings.current?.keeps == true
      ? ["To bring it back: \(FollowUp.command(["undo"], catalog: catalog.url))"] : []
    // Outside a repository, and in one without commits, nothing else brings it back.
    guard let source = try? ComparedCatalog.revision("HEAD", of: catalog.url).scenarios(),
      let names = try? source.entries.map(\.name)
    else { return undo }
    let known = Set(names)
    let kept = scenarios.map(\.name).filter(known.contains)
    let lost = lost(from: source, known: known).map(TerminalText.line)
    let gone =
      lost.isEmpty
      ? []
      : [
        "The last commit does not have \(lost.listed(upTo: Self.maximumNames)), which cannot be brought back from there."
      ]
    guard !kept.isEmpty else { return gone + undo }
    let words =
      kept.count == scenarios.count
      ? selections.map(\.argument) : kept.prefix(Self.maximumNames).map(\.rawValue)
    let command = FollowUp.command("restore", on: words, catalog: catalog.url)
    let what =
      keys.isEmpty
      ? (scenarios.count == 1
        ? "it back as the last commit has it" : "back what the last commit has")
      : "back the whole scenario as the last commit has it"
    return gone + ["To bring \(what): \(command)"]
  }
}
