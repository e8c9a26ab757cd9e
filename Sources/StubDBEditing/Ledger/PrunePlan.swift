package import StubDBCatalogEditing
package import StubDBDocuments
internal import StubDBJSON
package import StubDBModel

/// What `prune` removes from a catalog: what no run of the ledger used.
package struct PrunePlan {
  /// A whole scenario, or some of its stubs.
  package struct Removal {
    package let scenario: ScenarioName
    /// The keys of the stubs; nil for the whole scenario.
    package let keys: [String]?
    /// How many stubs leave.
    package let stubCount: Int
  }

  /// The removals, ordered by scenario.
  package let removals: [Removal]

  /// Plans what to remove.
  ///
  /// A scenario stays if a run loaded it, or if one that stays includes it. Stubs are removed from scenarios that
  /// a run loaded, except those that are kept for other reasons and what they include, since their use is unknown.
  /// Only scenarios whose names begin with the prefix change; those in `kept` stay as they are, with all that they
  /// include.
  package init(_ coverage: UsageCoverage, prefix: String, kept: Set<String>) {
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
  package func carryOut(_ editor: inout CatalogEditor) throws {
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
}

extension PrunePlan {
  /// An array of `{scenario, keys}`, with `null` for a whole scenario.
  package var json: OrderedJSON {
    .array(
      removals.map { removal in
        .object([
          ("scenario", .string(removal.scenario.rawValue)),
          ("keys", removal.keys.map(OrderedJSON.strings) ?? .json(.null)),
        ])
      })
  }
}
