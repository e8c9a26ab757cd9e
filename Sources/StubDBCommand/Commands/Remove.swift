import ArgumentParser
import StubDBCatalog
import StubDBCatalogEditing
import StubDBChanges
import StubDBEditing
import StubDBEngine
import StubDBGit
import StubDBModel
import StubDBSupport

extension RootCommand {
  /// Removes scenarios, or some stubs of one.
  struct Remove: CatalogCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove scenarios, or some stubs of one.",
      discussion: """
        A name that ends with / means everything below it. Words after a scenario's name are keys of its \
        stubs, or further scenarios. A scenario whose name could be meant as a key is refused there.

        Asks first on a terminal, unless --force. Without a terminal to ask on, as in a script or \
        with a pipe at its input, it removes without asking, as rm does. What the last commit of git has can be \
        brought back with `stubdb restore`.

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

    @OptionGroup var catalog: CatalogOptions

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

/// What is removed: scenarios, or stubs of one.
private struct Removal {
  /// The number of scenarios or includers that are named one by one.
  private static let maximumNames = 5

  let scenarios: [Scenario]
  /// The keys of stubs; empty if the scenarios go as a whole.
  let keys: [String]
  private let selections: [ScenarioSelection]

  init(_ first: ScenarioSelection, _ words: [String], in catalog: Catalog) throws {
    if case .scenario(let name) = first, !words.isEmpty {
      let scenario = try catalog.existing(name)
      let isKey = words.map { word in
        scenario.stubs.contains { $0.key == Stub.Key(unchecked: word) }
      }
      // A word that is neither is more likely a key, whose nearest is then named.
      let names = Set(try catalog.scenarios().map(\.name.rawValue))
      let areNames = words.allSatisfy { names.contains($0) || $0.hasSuffix("/") }
      if isKey.contains(true) || !areNames {
        for word in words { _ = try scenario.existing(word) }
        (scenarios, keys, selections) = ([scenario], words, [first])
        return
      }
      // A name without a slash looks like a key, and a whole scenario is much more than a stub.
      if let word = words.first(where: { !$0.contains("/") }) {
        throw Self.ambiguous(word, after: name, words, in: catalog)
      }
    }
    selections = [first] + (try words.map(ScenarioSelection.init(argument:)))
    keys = []
    scenarios = try catalog.names(of: selections, for: "remove").map(catalog.existing)
  }

  private static func ambiguous(
    _ word: String, after name: ScenarioName, _ words: [String], in catalog: Catalog
  ) -> CommandError {
    let word = TerminalText.line(word)
    let commands = ([name.rawValue] + words).map {
      FollowUp.command("remove", on: [$0], catalog: catalog.url)
    }
    return CommandError(
      "\(name) has no stub \(word), but there is a scenario \(word); nothing was removed",
      hints: [
        "To see the stubs of \(name): "
          + FollowUp.command("show", on: [name.rawValue], catalog: catalog.url),
        "To remove the scenarios: \(commands.joined(separator: " && "))",
      ])
  }

  /// What it is, for the question and the report.
  var description: String {
    guard keys.isEmpty else {
      let list = keys.map(TerminalText.line).joined(separator: ", ")
      return "\(keys.count == 1 ? "stub" : "stubs") \(list) of \(scenarios[0].name)"
    }
    let stubs = Plural.of(scenarios.reduce(0) { $0 + $1.stubs.count }, "stub")
    guard scenarios.count > 1 else { return "scenario \(scenarios[0].name) (\(stubs))" }
    let names = scenarios.map(\.name.rawValue).listed(upTo: Self.maximumNames)
    return "\(scenarios.count) scenarios (\(stubs)): \(names)"
  }

  /// Throws if scenarios that stay include one, with the commands that change them.
  func requireNoIncluder(in catalog: Catalog) throws {
    guard keys.isEmpty else { return }
    let gone = Set(scenarios.map(\.name))
    let summaries = try catalog.scenarios().filter { !gone.contains($0.name) }
    for name in scenarios.map(\.name) {
      let includers = summaries.filter { $0.includes.contains(name) }
      guard let first = includers.first else { continue }
      throw CommandError(
        "scenario \(name) is included by "
          + (includers.count == 1 ? "\(first.name)" : "\(includers.count) scenarios"),
        hints: ["To take it out there first:"]
          + includers.map {
            "  "
              + FollowUp.command(
                "set", on: [$0.name.rawValue], CommandWords.option("--no-include", name.rawValue),
                catalog: catalog.url)
          })
    }
  }

  /// How to bring back what the last commit of git has, and what it has not.
  func wayBack(to catalog: Catalog) -> [String] {
    // Outside a repository, and in one without commits, there is no way back.
    guard let source = try? ComparedCatalog.revision("HEAD", of: catalog.url).scenarios(),
      let names = try? source.entries.map(\.name)
    else { return [] }
    let known = Set(names)
    let kept = scenarios.map(\.name).filter(known.contains)
    let lost = lost(from: source, known: known)
    let gone =
      lost.isEmpty
      ? []
      : [
        "The last commit does not have \(lost.listed(upTo: Self.maximumNames)), which cannot be brought back from there."
      ]
    guard !kept.isEmpty else { return gone }
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

  /// The scenarios, or the keys, that were never committed.
  private func lost(from source: any ScenarioSource, known: Set<ScenarioName>) -> [String] {
    if keys.isEmpty { return scenarios.map(\.name).filter { !known.contains($0) }.map(\.rawValue) }
    let committed = try? scenarios.first.flatMap { scenario in
      known.contains(scenario.name) ? try source.scenario(named: scenario.name) : nil
    }
    let stubs = Set((committed?.stubs ?? []).map(\.key.rawValue))
    return keys.filter { !stubs.contains($0) }.map(TerminalText.line)
  }
}
