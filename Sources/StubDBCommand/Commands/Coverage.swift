import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBDocuments
import StubDBEditing
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBPublishing
import StubDBTransfer

extension RootCommand {
  struct Coverage: CatalogCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "coverage",
      abstract: "Show which tests used which stubs, and what none used.",
      discussion: """
        Reads the usage ledger, which tests write where there is a folder .stubdb/ledger, or to \
        the folder in $STUBDB_LEDGER. The ledgers of several machines are put together by copying \
        their files into one folder.

        Lists scenario, stub, number of runs and tests. A scenario counts as used if a test loaded \
        it, itself or through another one. Exits with 2 if no scenario has that prefix, and with \
        --exit-code also if something was not used.

        Examples:
          stubdb coverage                    every stub, with the tests that used it
          stubdb coverage checkout/ --unused
          stubdb coverage --by-test          every test, with what it used
          stubdb coverage --format junit > coverage.xml
          stubdb coverage --json | jq '.scenarios[] | select(.runs == 0)'
        """)

    @Argument(help: "Only scenarios whose name begins with this.", completion: .scenarioNames)
    var prefix: String?

    @OptionGroup var ledger: LedgerOptions

    @Flag(help: "Only what was not used.")
    var unused = false

    @Flag(help: "List by test.")
    var byTest = false

    @Flag(help: "Exit with 2 if something was not used.")
    var exitCode = false

    @Flag(
      help: """
        Print a JSON object {runs, tests, unfinishedProcesses, unreadableLines, staleRuns, scenarios, \
        byTest}.
        """)
    var json = false

    @OptionGroup var output: FindingOptions

    @OptionGroup var catalog: CatalogOptions

    func checkUsage() throws {
      try output.checkUsage(json: json)
      if output.format != nil, byTest {
        throw ValidationError("--format and --by-test exclude each other.")
      }
      if unused && byTest { throw ValidationError("--unused and --by-test exclude each other.") }
    }

    func run() throws {
      let catalog = try output.opening(self.catalog, for: "coverage") {
        try self.catalog.openForReading()
      }
      let (reading, whole) = try output.preparing(self.catalog, for: "coverage") {
        let reading = try LedgerReading.find(ledger.folder, of: catalog)
        return (reading, UsageCoverage(reading.entries, scenarios: try catalog.allScenarios()))
      }
      let coverage = prefix.map(whole.limited) ?? whole
      let missing = coverage.scenarios.isEmpty ? prefix : nil
      let problem = missing.map { "No scenario begins with \(TerminalText.quoted($0))." }
      let view = CoverageView(
        coverage: coverage, reading: reading, catalogName: TerminalText.path(catalog.url))
      let isPrinted = try output.print(
        "coverage",
        problem.map { [.failure($0)] } ?? coverage.findings(exitCode ? .error : .warning),
        rules: FindingReport.Finding.coverageRules, of: catalog
      ) { $0.rawValue.hasPrefix(prefix ?? "") }
      let (columns, style) = (Terminal.current.columns, Style.output)
      if json {
        try Console.write(coverage.json(reading).text)
      } else if byTest {
        try Console.write(view.tableByTest(columns: columns, style: style))
      } else if !isPrinted {
        try Console.write(view.table(unusedOnly: unused, columns: columns, style: style))
      }
      if !json { for note in view.notes { Console.note(note) } }
      if let problem {
        if !json { Console.note(problem) }
        throw ExitCode(2)
      }
      if exitCode, coverage.hasUnused { throw ExitCode(2) }
    }
  }
}

/// The option that selects the usage ledger.
struct LedgerOptions: ParsableArguments {
  @Option(
    name: .customLong("ledger"),
    help: ArgumentHelp(
      "The folder of the ledger (default: $STUBDB_LEDGER, else .stubdb/ledger here or above).",
      valueName: "path"),
    completion: .directory, transform: CatalogLocator().resolve)
  var folder: URL?
}
