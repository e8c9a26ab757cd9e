import ArgumentParser
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBEditing
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBSupport

extension RootCommand {
  struct Prune: WritingCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "prune",
      abstract: "Remove scenarios and stubs that no test used.",
      discussion: """
        Goes by the usage ledger, as stubdb coverage shows it. Without --yes it only lists what it \
        would remove. A scenario stays if a test loaded it, or if one that stays includes it. \
        Everything is removed in one step.

        The ledger must be of a run of all tests, on the catalog as it is: --yes is refused if the \
        catalog has changed since, or if a test process was killed before it could write its runs.

        Examples:
          stubdb prune
          stubdb prune checkout/
          stubdb prune --keep session/signed-in --yes
        """)

    @Argument(
      help: "Change only scenarios whose name begins with this.", completion: .scenarioNames)
    var prefix: String?

    @Option(
      name: .customLong("keep"),
      help: ArgumentHelp(
        "A scenario that stays as it is, with all that it includes. Repeatable.",
        valueName: "scenario"),
      completion: .scenarioNames, transform: ScenarioName.argument)
    var kept: [ScenarioName] = []

    @OptionGroup var ledger: LedgerOptions

    @Flag(help: "Remove what is listed.")
    var yes = false

    @Flag(help: "With --yes, remove it even if the ledger is incomplete or out of date.")
    var force = false

    @Flag(help: "Print a JSON array of {scenario, keys}; keys is null for a whole scenario.")
    var json = false

    @OptionGroup var writing: WritingOptions

    func run() throws {
      let catalog = try catalog.open()
      for name in kept { _ = try catalog.existing(name) }
      let reading = try LedgerReading.find(ledger.folder, of: catalog)
      let name = TerminalText.path(catalog.url)
      let plan: PrunePlan
      if yes {
        plan = try catalog.edit { editor in
          let scenarios = try editor.scenarioNames().compactMap { try editor.scenario(named: $0) }
          let view = view(reading, scenarios, name)
          if !force, !view.doubts.isEmpty { throw doubtful(view) }
          let plan = self.plan(view.coverage)
          try plan.carryOut(&editor)
          return plan
        }
      } else {
        let view = view(reading, try catalog.allScenarios(), name)
        for doubt in view.doubts { Console.note(doubt) }
        plan = self.plan(view.coverage)
      }
      try report(plan, name)
    }

    private func view(
      _ reading: LedgerReading, _ scenarios: [Scenario], _ name: String
    ) -> CoverageView {
      CoverageView(
        coverage: UsageCoverage(reading.entries, scenarios: scenarios), reading: reading,
        catalogName: name)
    }

    private func plan(_ coverage: UsageCoverage) -> PrunePlan {
      PrunePlan(coverage, prefix: prefix ?? "", kept: Set(kept.map(\.rawValue)))
    }

    private func doubtful(_ view: CoverageView) -> CommandError {
      CommandError(
        "nothing was removed, because the ledger does not say what all tests use",
        hints: view.doubts + [
          "To begin anew: rm -r \(ShellWord.quoted(TerminalText.path(view.reading.folder)))/*, then run all "
            + "tests",
          FollowUp.again("To remove it nevertheless", adding: "--force"),
        ])
    }

    private func report(_ plan: PrunePlan, _ name: String) throws {
      if json {
        try Console.write(plan.json.text)
      } else {
        for line in plan.lines { try Console.line(line) }
      }
      guard !plan.removals.isEmpty else {
        Console.note("Nothing in \(name) is unused.")
        return
      }
      guard !yes else {
        Console.note("Removed \(plan.sums) from \(name).")
        return
      }
      Console.note("Would remove \(plan.sums) from \(name). Nothing was changed.")
      Console.note(FollowUp.again("To remove it", adding: "--yes"))
    }
  }
}

// What `prune` removes, as text.
extension PrunePlan {
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
}
