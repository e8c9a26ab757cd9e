package import StubDBCatalog
internal import StubDBCatalogEditing
internal import StubDBDescriptions
package import StubDBModel
package import StubDBPlayback
internal import StubDBSupport

/// Which scenarios and stubs of a catalog the runs of a ledger used.
package struct UsageCoverage {
  package struct StubUse {
    package let key: String
    package var runCount = 0
    /// The tests that used it; runs of no test are missing.
    package var tests: Set<String> = []
  }

  package struct ScenarioUse {
    package let name: ScenarioName
    /// The included scenarios of the same catalog.
    package let includes: [ScenarioName]
    /// The number of runs that loaded it, itself, as an overlay or as an include.
    package var runCount = 0
    package var tests: Set<String> = []
    /// The scenario's own stubs, in order.
    package var stubs: [StubUse]
  }

  /// What a test used.
  package struct TestUse {
    package let test: String
    /// The scenarios that it loaded by name, overlays included.
    package var scenarios: Set<String> = []
    /// The stubs that answered it.
    package var stubs: Set<StubName> = []
  }

  /// A stub of a scenario.
  package struct StubName: Hashable, Comparable {
    package let scenario: String
    package let key: String

    package static func < (one: StubName, other: StubName) -> Bool {
      (one.scenario, one.key) < (other.scenario, other.key)
    }
  }

  /// All scenarios of the catalog, ordered by name.
  package private(set) var scenarios: [ScenarioUse]
  /// The tests, ordered by name.
  package private(set) var tests: [TestUse] = []
  /// The stubs and scenarios that were used and are not in the catalog any more; a scenario has an empty key.
  package private(set) var gone: [StubName] = []
  private let places: [String: Int]

  package init(_ entries: [LedgerEntry], scenarios: [Scenario]) {
    // No test plays a description.
    let scenarios = scenarios.filter { !KeptDescription.isKept(in: $0) }
    self.scenarios = scenarios.map { scenario in
      ScenarioUse(
        name: scenario.name, includes: scenario.includes.ownNames,
        stubs: scenario.stubs.map { StubUse(key: $0.key.rawValue) })
    }
    places = Dictionary(
      scenarios.enumerated().map { ($1.name.rawValue, $0) }, uniquingKeysWith: { first, _ in first }
    )
    var (byTest, gone): ([String: TestUse], Set<StubName>) = ([:], [])
    for entry in entries {
      count(entry, &gone)
      guard let test = entry.test else { continue }
      var use = byTest[test] ?? TestUse(test: test)
      use.scenarios.formUnion([entry.scenario] + entry.overlays)
      for scenario in entry.used {
        use.stubs.formUnion(
          scenario.keys.map { StubName(scenario: scenario.scenario, key: $0) })
      }
      byTest[test] = use
    }
    tests = byTest.values.sorted { $0.test < $1.test }
    self.gone = gone.sorted()
  }

  private mutating func count(_ entry: LedgerEntry, _ gone: inout Set<StubName>) {
    let loaded = [entry.scenario] + entry.overlays
    for name in loaded where places[name] == nil { gone.insert(StubName(scenario: name, key: "")) }
    // What an included scenario answered counts as a use of it, even if it is not included any more.
    let names = closure(of: loaded).union(entry.used.map(\.scenario))
    for name in names {
      guard let place = places[name] else { continue }
      scenarios[place].runCount += 1
      if let test = entry.test { scenarios[place].tests.insert(test) }
    }
    for use in entry.used {
      // What is of another catalog is not looked for in this one.
      if ScenarioReference(use.scenario)?.catalog != nil { continue }
      guard let place = places[use.scenario] else {
        gone.insert(StubName(scenario: use.scenario, key: ""))
        continue
      }
      for key in use.keys {
        guard let index = scenarios[place].stubs.firstIndex(where: { $0.key.hasSameBytes(as: key) })
        else {
          gone.insert(StubName(scenario: use.scenario, key: key))
          continue
        }
        scenarios[place].stubs[index].runCount += 1
        if let test = entry.test { scenarios[place].stubs[index].tests.insert(test) }
      }
    }
  }

  /// These scenarios and all that they include; names that the catalog does not have are left out.
  func closure(of names: some Sequence<String>) -> Set<String> {
    var (closure, rest): (Set<String>, [String]) = ([], Array(names))
    while let name = rest.popLast() {
      guard let place = places[name], closure.insert(name).inserted else { continue }
      rest += scenarios[place].includes.map(\.rawValue)
    }
    return closure
  }

  /// The same for the scenarios whose names begin with a prefix, and the tests that used them.
  package func limited(to prefix: String) -> UsageCoverage {
    var coverage = self
    coverage.scenarios.removeAll { !$0.name.rawValue.hasPrefix(prefix) }
    coverage.tests = tests.compactMap { test in
      var test = test
      test.scenarios = test.scenarios.filter { $0.hasPrefix(prefix) }
      test.stubs = test.stubs.filter { $0.scenario.hasPrefix(prefix) }
      return test.scenarios.isEmpty && test.stubs.isEmpty ? nil : test
    }
    return coverage
  }

  package var stubCount: Int { scenarios.reduce(0) { $0 + $1.stubs.count } }
  package var usedStubCount: Int {
    scenarios.reduce(0) { $0 + $1.stubs.count { $0.runCount > 0 } }
  }
  package var usedScenarioCount: Int { scenarios.count { $0.runCount > 0 } }
  /// Whether a scenario or a stub was not used.
  package var hasUnused: Bool {
    usedScenarioCount < scenarios.count || usedStubCount < stubCount
  }
}

extension Catalog {
  /// All scenarios, ordered by name, as they are in one state of the file.
  package func allScenarios() throws -> [Scenario] {
    let snapshot = try CatalogSnapshot(contentsOf: url)
    return try snapshot.scenarios.compactMap { try snapshot.scenario(named: $0.name) }
  }
}
