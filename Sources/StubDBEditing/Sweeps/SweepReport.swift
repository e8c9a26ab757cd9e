package import StubDBModel
package import StubDBPlayback
package import StubDBVariations

/// What the sweeps of a suite have tried, by test and by stub.
package struct SweepReport: Sendable {
  /// What was tried in a test.
  package struct TestSweep: Sendable {
    package let test: String
    /// The scenarios that it loaded, sorted.
    package let scenarios: [String]
    /// What became of its variations, in the order in which they were tried.
    package let outcomes: [SweepOutcome]

    /// The outcomes of each stub, in the order in which they were varied first, and those of orders.
    package var parts: [Part] {
      let groups = Dictionary(grouping: outcomes, by: \.stub)
      return outcomes.map(\.stub).unique.map { Part(stub: $0, outcomes: groups[$0] ?? []) }
    }
  }

  /// What was tried in a test with one stub, or with the order of answers.
  package struct Part: Sendable {
    /// The stub; nil for orders.
    package let stub: StubName?
    package let outcomes: [SweepOutcome]

    /// How many variations of a kind were tried.
    package func tried(_ kind: Variation.Kind) -> Int {
      outcomes.count { $0.line.kind == kind && $0.wasTried }
    }

    /// How many outcomes have one of these states.
    package func count(_ states: SweepOutcome.State...) -> Int {
      outcomes.count { states.contains($0.state) }
    }
  }

  /// What was tried with a stub of the catalog.
  package struct StubSweep: Sendable {
    package let scenario: String
    package let key: String
    /// The tests that it answered, by the usage ledger and by what was varied, sorted.
    package let answered: [String]
    /// The tests that it was varied in, sorted.
    package let varied: [String]
    /// The failures that were tried.
    package let failures: Set<FailureKind>
    /// The failures that were survived by all tests that tried them.
    package let survivedFailures: Set<FailureKind>
    /// The places and ways in which its answers were changed, and those that all tests survived.
    package let changes: (tried: Int, survived: Int)
  }

  /// The tests that were repeated, ordered by name.
  package let tests: [TestSweep]
  /// The stubs of all scenarios that a repeated test loaded or included, in the order of the catalog.
  package private(set) var stubs: [StubSweep] = []
  /// Stubs that answered tests and were never varied, of all scenarios.
  package private(set) var neverVaried: [StubName] = []
  /// Stubs that were varied and are not in the catalog any more, sorted.
  package private(set) var gone: [StubName] = []
  /// Whether the usage ledger says which stubs answered.
  package let knowsAnswers: Bool

  /// Puts outcomes together; `usage` has the runs of the usage ledger.
  package init(_ outcomes: [SweepOutcome], usage: [LedgerEntry], scenarios: [Scenario]) {
    tests = Dictionary(grouping: outcomes, by: \.line.test).map { test, outcomes in
      TestSweep(
        test: test, scenarios: Set(outcomes.map(\.line.scenario)).sorted(), outcomes: outcomes)
    }.sorted { $0.test < $1.test }
    knowsAnswers = !usage.isEmpty
    let coverage = UsageCoverage(usage, scenarios: scenarios)
    let byStub = Dictionary(grouping: outcomes.filter { $0.wasTried }) { $0.stub }
    let loaded = coverage.closure(
      of: outcomes.map(\.line.scenario) + outcomes.compactMap(\.line.origin))
    var known: Set<StubName> = []
    for scenario in coverage.scenarios {
      for stub in scenario.stubs {
        let name = StubName(scenario: scenario.name, key: stub.key)
        known.insert(name)
        let tried = byStub[name] ?? []
        if tried.isEmpty, !stub.tests.isEmpty { neverVaried.append(name) }
        guard loaded.contains(scenario.name.rawValue) else { continue }
        stubs.append(Self.sweep(name, answered: stub.tests, tried))
      }
    }
    gone = byStub.keys.compactMap { $0 }.filter { stub in
      // A closure has no scenario, and one of another catalog is not looked for in this one.
      guard let scenario = stub.scenario, !known.contains(stub) else { return false }
      return ScenarioReference(scenario.rawValue)?.catalog == nil
    }.sorted { ($0.scenario?.rawValue ?? "", $0.key) < ($1.scenario?.rawValue ?? "", $1.key) }
  }

  private static func sweep(
    _ stub: StubName, answered: Set<String>, _ tried: [SweepOutcome]
  ) -> StubSweep {
    let varied = Set(tried.map(\.line.test))
    let failures = Dictionary(grouping: tried.filter { $0.line.failure != nil }) { $0.line.failure }
    let changes = Dictionary(grouping: tried.filter { $0.line.kind == .evolution }, by: \.name)
    func survived(_ outcomes: [SweepOutcome]) -> Bool {
      outcomes.allSatisfy { $0.state == .survived }
    }
    return StubSweep(
      scenario: stub.scenario?.rawValue ?? "", key: stub.key,
      answered: answered.union(varied).sorted(), varied: varied.sorted(),
      failures: Set(failures.keys.compactMap { $0 }),
      survivedFailures: Set(failures.filter { survived($0.value) }.keys.compactMap { $0 }),
      changes: (changes.count, changes.values.count(where: survived)))
  }

  /// How many outcomes have one of these states.
  package func count(_ states: SweepOutcome.State...) -> Int {
    tests.reduce(0) { sum, test in sum + test.outcomes.count { states.contains($0.state) } }
  }
}

extension SweepOutcome {
  /// The stub that was varied; nil for an order.
  package var stub: StubName? {
    line.key.map { StubName(scenario: line.origin.map(ScenarioName.init(unchecked:)), key: $0) }
  }

  /// Whether it was tried to the end, or to the end of the process.
  package var wasTried: Bool { state != .skipped && state != .running }
}

extension Sequence where Element: Hashable {
  /// The elements, each once, in the order of their first places.
  var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
