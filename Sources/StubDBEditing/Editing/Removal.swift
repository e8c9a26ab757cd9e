package import StubDBCatalog
internal import StubDBCatalogEditing
package import StubDBChanges
internal import StubDBJobs
package import StubDBModel
internal import StubDBSupport

/// What is removed: scenarios, or stubs of one.
package struct Removal {
  package let scenarios: [Scenario]
  /// The keys of stubs; empty if the scenarios go as a whole.
  package let keys: [String]
  package let selections: [ScenarioSelection]

  package init(_ first: ScenarioSelection, _ words: [String], in catalog: Catalog) throws {
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
  ) -> JobError {
    let commands = words.reduce("\(command: "remove", on: [name.rawValue], catalog: catalog.url)") {
      text, word -> JobText in
      "\(text) && \(command: "remove", on: [word], catalog: catalog.url)"
    }
    return JobError(
      .refused,
      "\(name) has no stub \(word), but there is a scenario \(word); nothing was removed",
      hints: [
        "To see the stubs of \(name): \(command: "show", on: [name.rawValue], catalog: catalog.url)",
        "To remove the scenarios: \(commands)",
      ])
  }

  /// Throws if scenarios that stay include one, with the commands that change them.
  package func requireNoIncluder(in catalog: Catalog) throws {
    guard keys.isEmpty else { return }
    let gone = Set(scenarios.map(\.name))
    let summaries = try catalog.scenarios().filter { !gone.contains($0.name) }
    for name in scenarios.map(\.name) {
      let includers = summaries.filter { $0.includes.contains(name) }
      guard let first = includers.first else { continue }
      let count = includers.count
      throw JobError(
        .refused,
        "scenario \(name) is included by \(count == 1 ? "\(first.name)" : "\(count) scenarios")",
        hints: ["To take it out there first:"]
          + includers.map { includer in
            let options = CommandWords.option("--no-include", name.rawValue)
            return
              "  \(command: "set", on: [includer.name.rawValue], options, catalog: catalog.url)"
          })
    }
  }

  /// The scenarios, or the keys, that were never committed.
  package func lost(from source: any ScenarioSource, known: Set<ScenarioName>) -> [String] {
    if keys.isEmpty { return scenarios.map(\.name).filter { !known.contains($0) }.map(\.rawValue) }
    let committed = try? scenarios.first.flatMap { scenario in
      known.contains(scenario.name) ? try source.scenario(named: scenario.name) : nil
    }
    let stubs = Set((committed?.stubs ?? []).map(\.key.rawValue))
    return keys.filter { !stubs.contains($0) }
  }
}
