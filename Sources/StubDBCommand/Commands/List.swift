import ArgumentParser
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBEditing
import StubDBJSON
import StubDBJobs
import StubDBModel

extension RootCommand {
  struct List: CatalogCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List scenarios: name, number of stubs, tags, summary.",
      discussion: """
        Where a scenario includes others, 1+7 means one stub of its own and seven that it includes. \
        Exits with 2 if no scenario has that prefix or those tags. An empty catalog without a \
        prefix and tags is not an error.

        Examples:
          stubdb list                       every scenario, by name
          stubdb list checkout/             those whose name begins with checkout/
          stubdb list --tag errors --tag slow   those that have both tags
          stubdb list --json | jq -r '.[].scenario'
        """,
      aliases: ["ls"])

    @Argument(help: "List only scenarios whose name begins with this.", completion: .scenarioNames)
    var prefix: String?

    @Option(
      name: .customLong("tag"),
      help: "List only scenarios with this tag; repeatable, for scenarios with all of the tags.",
      completion: .tags)
    var tags: [String] = []

    @Flag(help: "Print a JSON array of {scenario, summary, tags, includes, stubs, includedStubs}.")
    var json = false

    @OptionGroup var catalog: CatalogOptions

    func run() throws {
      let (catalog, scenarios) = try catalog.read { catalog throws(CatalogError) in
        (catalog, try catalog.listedScenarios(prefix: prefix, tags: tags))
      }
      if json {
        try Console.write(OrderedJSON.array(scenarios.map(\.json)).text)
      } else if scenarios.isEmpty {
        Console.note(try emptyNote(catalog))
      } else {
        try Console.write(
          ScenarioTable.text(scenarios, columns: Terminal.current.columns, style: .output))
      }
      if scenarios.isEmpty && isFiltered { throw ExitCode(2) }
    }

    private var isFiltered: Bool { prefix != nil || !tags.isEmpty }

    private func emptyNote(_ catalog: Catalog) throws -> String {
      let name = TerminalText.path(catalog.url)
      guard !isFiltered else {
        let scenarios = try catalog.scenarios()
        let text = "No scenario in \(name) \(filterText)."
        if tags.isEmpty, let prefix,
          let near = NameError.nearest(
            to: prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix,
            among: scenarios.map(\.name.rawValue))
        {
          return text + "\nDid you mean \(near)?"
        }
        let known = Set(scenarios.flatMap(\.tags)).sorted()
        guard tags.contains(where: { !known.contains($0) }) else { return text }
        let list = known.prefix(20).map(TerminalText.line).joined(separator: ", ")
        return known.isEmpty
          ? text + "\nIts scenarios have no tags."
          : text + "\nIts tags: \(list)\(known.count > 20 ? ", …" : "")"
      }
      return
        "\(name) has no scenarios yet. To put one in:\n  \(FirstScenario.command(in: catalog.url))"
    }

    /// What a listed scenario has, after "No scenario".
    private var filterText: String {
      let list = tags.map { TerminalText.quoted($0) }.joined(separator: ", ")
      return [
        prefix.map { "begins with \(TerminalText.quoted($0))" },
        tags.isEmpty ? nil : "has the \(tags.count == 1 ? "tag" : "tags") \(list)",
      ].compactMap(\.self).joined(separator: " and ")
    }
  }
}

/// Scenarios in columns: name, number of stubs, tags, summary.
private enum ScenarioTable {
  /// A line for each scenario; on a terminal with a header, and shortened to its width.
  static func text(_ scenarios: [ListedScenario], columns: Int?, style: Style) -> String {
    var table = Table([.left, .right, .left, .left])
    if columns != nil { table.add(["SCENARIO", "STUBS", "TAGS", "SUMMARY"], style: style.dim) }
    for scenario in scenarios {
      table.add([
        scenario.summary.name.rawValue,
        scenario.stubsText,
        TerminalText.line(scenario.summary.tags.joined(separator: ",")),
        TerminalText.line(scenario.summary.summary ?? ""),
      ])
    }
    return table.text(fitting: columns)
  }
}
