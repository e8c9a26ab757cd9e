import StubDBEditing
import StubDBJobs
import StubDBModel
import StubDBSupport

/// The coverage of a catalog as text and as JSON.
struct CoverageView {
  let coverage: UsageCoverage
  let reading: LedgerReading
  let catalogName: String

  /// A line for each stub: scenario, key, number of runs, tests.
  func table(unusedOnly: Bool, columns: Int?, style: Style) -> String {
    var table = Table([.left, .left, .right, .left], names: 2)
    if columns != nil { table.add(["SCENARIO", "STUB", "RUNS", "TESTS"], style: style.dim) }
    for scenario in coverage.scenarios {
      let name = scenario.name.rawValue
      guard scenario.runCount > 0, !scenario.stubs.isEmpty else {
        guard !unusedOnly || scenario.runCount == 0 else { continue }
        let tests = scenario.runCount == 0 ? "(not loaded)" : list(scenario.tests)
        table.add([name, "-", String(scenario.runCount), tests])
        continue
      }
      for stub in scenario.stubs where !unusedOnly || stub.runCount == 0 {
        let tests = stub.runCount == 0 ? "(not used)" : list(stub.tests)
        table.add([name, TerminalText.line(stub.key), String(stub.runCount), tests])
      }
    }
    return table.text(fitting: columns)
  }

  /// A line for each test and each scenario whose stubs it used: test, scenario, keys.
  func tableByTest(columns: Int?, style: Style) -> String {
    var table = Table([.left, .left, .left], names: 2)
    if columns != nil { table.add(["TEST", "SCENARIO", "STUBS"], style: style.dim) }
    for test in coverage.tests {
      let keys = Dictionary(grouping: test.stubs, by: \.scenario)
      for scenario in test.scenarios.union(keys.keys).sorted() {
        let stubs = (keys[scenario] ?? []).map(\.key).sorted().map(TerminalText.line)
        table.add([
          TerminalText.line(test.test), TerminalText.line(scenario),
          stubs.isEmpty ? "-" : stubs.joined(separator: ", "),
        ])
      }
    }
    return table.text(fitting: columns)
  }

  private func list(_ tests: Set<String>) -> String {
    tests.isEmpty
      ? "(no test named)" : tests.sorted().map(TerminalText.line).joined(separator: ", ")
  }

  /// The sums, and what the ledger cannot say.
  var notes: [String] {
    let runs = Plural.of(reading.entries.count, "run")
    let period = reading.period.map { range in
      range.lowerBound == range.upperBound
        ? ", begun \(TerminalText.line(range.lowerBound))"
        : ", begun from \(TerminalText.line(range.lowerBound)) to \(TerminalText.line(range.upperBound))"
    }
    let sums =
      "\(coverage.usedStubCount) of \(Plural.of(coverage.stubCount, "stub")) and "
      + "\(coverage.usedScenarioCount) of \(Plural.of(coverage.scenarios.count, "scenario")) of "
      + "\(catalogName) were used, in \(runs) of \(Plural.of(coverage.tests.count, "test"))"
      + "\(period ?? "")."
    return [sums] + doubts + remarks
  }

  /// Why something that looks unused may be used.
  var doubts: [String] {
    var doubts: [String] = []
    if reading.unfinishedCount > 0 {
      let count = reading.unfinishedCount
      doubts.append(
        "Not known: \(Plural.of(count, "process", "processes")) did not end in good "
          + "order, killed or still running; what the last runs there used is missing.")
    }
    if reading.unreadableCount > 0 {
      doubts.append(
        "Not known: \(Plural.of(reading.unreadableCount, "line")) of the ledger cannot be read.")
    }
    if reading.staleCount > 0 {
      doubts.append(
        reading.staleCount == reading.entries.count
          ? "The catalog has changed since these runs; run the tests again."
          : "The catalog has changed since \(reading.staleCount) of these runs.")
    }
    return doubts
  }

  private var remarks: [String] {
    var remarks: [String] = []
    if !coverage.gone.isEmpty {
      let names = coverage.gone.prefix(5).map { name in
        TerminalText.line(name.key.isEmpty ? name.scenario : "\(name.scenario) \(name.key)")
      }
      remarks.append(
        "Used, but no longer in the catalog: \(names.joined(separator: ", "))"
          + (coverage.gone.count > 5 ? ", …" : ""))
    }
    if !reading.copies.isEmpty {
      let paths = reading.copies.prefix(3).map(TerminalText.line).joined(separator: ", ")
      remarks.append("Runs of a file of the same name count too: \(paths)")
    }
    return remarks
  }
}
