import StubDBCatalog
import StubDBCatalogEditing
import StubDBJSON
import StubDBModel
import StubDBSupport

/// What `prune` removes from a catalog: what no run of the ledger used.
struct PrunePlan {
  /// A whole scenario, or some of its stubs.
  struct Removal {
    let scenario: ScenarioName
    /// The keys of the stubs; nil for the whole scenario.
    let keys: [String]?
    /// How many stubs leave.
    let stubCount: Int
  }

  /// The removals, ordered by scenario.
  let removals: [Removal]

  /// Plans what to remove.
  ///
  /// A scenario stays if a run loaded it, or if one that stays includes it. Stubs are removed from scenarios that
  /// a run loaded, except those that are kept for other reasons and what they include, since their use is unknown.
  /// Only scenarios whose names begin with the prefix change; those in `kept` stay as they are, with all that they
  /// include.
  init(_ coverage: UsageCoverage, prefix: String, kept: Set<String>) {
    let isUsed = coverage.scenarios.reduce(into: [:]) { $0[$1.name.rawValue] = $1.runCount > 0 }
    let outside = isUsed.keys.filter { !$0.hasPrefix(prefix) }
    let untouched = coverage.closure(of: kept.union(outside.filter { isUsed[$0] == false }))
    let staying = coverage.closure(of: isUsed.keys.filter { isUsed[$0] == true })
      .union(untouched).union(outside)
    removals = coverage.scenarios.compactMap { scenario in
      let name = scenario.name.rawValue
      guard staying.contains(name) else {
        return Removal(scenario: scenario.name, keys: nil, stubCount: scenario.stubs.count)
      }
      guard name.hasPrefix(prefix), !untouched.contains(name) else { return nil }
      let keys = scenario.stubs.filter { $0.runCount == 0 }.map(\.key)
      return keys.isEmpty
        ? nil : Removal(scenario: scenario.name, keys: keys, stubCount: keys.count)
    }
  }

  /// Removes everything planned, in one edit.
  func carryOut(_ editor: inout CatalogEditor) throws {
    for removal in removals {
      guard let keys = removal.keys else {
        try editor.removeScenario(removal.scenario)
        continue
      }
      for key in keys {
        try editor.removeStub(Stub.Key(unchecked: key), from: removal.scenario)
      }
    }
  }

  /// The sums, such as `2 scenarios and 3 stubs of others`.
  var sums: String {
    let whole = removals.filter { $0.keys == nil }
    let stubs = removals.filter { $0.keys != nil }.reduce(0) { $0 + $1.stubCount }
    return [
      whole.isEmpty ? nil : Plural.of(whole.count, "scenario"),
      stubs == 0 ? nil : Plural.of(stubs, "stub") + (whole.isEmpty ? "" : " of other scenarios"),
    ].compactMap(\.self).joined(separator: " and ")
  }

  /// A line for each whole scenario and each stub.
  var lines: [String] {
    removals.flatMap { removal -> [String] in
      guard let keys = removal.keys else {
        return ["\(removal.scenario) (\(Plural.of(removal.stubCount, "stub")))"]
      }
      return keys.map { "\(removal.scenario) \(TerminalText.line($0))" }
    }
  }

  /// An array of `{scenario, keys}`, with `null` for a whole scenario.
  var json: OrderedJSON {
    .array(
      removals.map { removal in
        .object([
          ("scenario", .string(removal.scenario.rawValue)),
          ("keys", removal.keys.map(OrderedJSON.strings) ?? .json(.null)),
        ])
      })
  }
}
