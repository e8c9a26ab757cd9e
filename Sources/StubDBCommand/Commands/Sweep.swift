import ArgumentParser
import StubDBCatalog
import StubDBDocuments
import StubDBEditing
import StubDBJSON
import StubDBJobs

extension RootCommand {
  struct Sweep: CatalogCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "sweep",
      abstract: "Report what tests with .everyFailure, .everyEvolution and .everyOrder have tried.",
      discussion: """
        Tests with these traits, of StubDBSweeps, are repeated under one variation after another. In the \
        folder of the usage ledger, they write what they try and what it shows. This command runs no \
        test: it reports, by test, which stubs were given which failures and changes, and \
        how many orders of answers were tried; what was survived, what found a defect, what ended the \
        process and what was left out; which stubs answered tests and were never varied; and which sweeps \
        have tried nothing, as STUBDB_SWEEP names what no test has, or left out what exceeds a limit. \
        Of several runs of a variation the latest counts.

        The files of several machines are put together as those of the ledger: by copying them into one \
        folder.

        Examples:
          stubdb sweep --report
          stubdb sweep --report --format markdown > sweeps.md
          stubdb sweep --report --format json | jq '.neverVaried'
        """)

    @Flag(help: "Print the report.")
    var report = false

    @Option(help: ArgumentHelp("text, json or markdown.", valueName: "format"))
    var format: SweepFormat = .text

    @OptionGroup var ledger: LedgerOptions

    @OptionGroup var catalog: CatalogOptions

    func checkUsage() throws {
      guard !report else { return }
      throw ValidationError(
        """
        sweep runs no test: those with the traits .everyFailure, .everyEvolution and .everyOrder are repeated by swift test. \
        To see what they have tried:
          stubdb sweep --report
        """)
    }

    func run() throws {
      let catalog = try catalog.openForReading()
      let reading = try SweepReading.find(ledger.folder, of: catalog)
      let report = SweepReport(
        reading.outcomes, usage: try reading.usage(of: catalog),
        scenarios: try catalog.allScenarios())
      let view = SweepReportView(
        report: report, reading: reading, catalogName: TerminalText.path(catalog.url))
      switch format {
      case .json: try Console.write(report.json(reading).text)
      case .markdown: try Console.write(SweepReportMarkdown(view: view).text)
      case .text:
        try Console.write(view.text(columns: Terminal.current.columns, style: .output))
        for note in view.notes { Console.note(note) }
      }
    }
  }
}

/// The forms of the report on sweeps.
enum SweepFormat: String, CaseIterable, ExpressibleByArgument {
  case text
  case json
  case markdown

  // The parser would find them out by looking for conformances, which takes a tenth of the time of a short command.
  static var allValueStrings: [String] { allCases.map(\.rawValue) }
  static var allValueDescriptions: [String: String] { [:] }
  var defaultValueDescription: String { rawValue }
}
