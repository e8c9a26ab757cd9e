import ArgumentParser
import StubDBChanges
import StubDBDocuments
import StubDBJSON
import StubDBJobs
import StubDBPublishing
import StubDBTransfer

extension RootCommand {
  struct Diff: CatalogCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "Compare two catalogs, two scenarios, or a catalog with a git revision of it.",
      discussion: """
        Scenarios are compared by name and stubs by key; a renamed one is recognised by its \
        content. Inside a stub each value that differs is named by its JSON pointer.

        Exits with 0, whether there are differences or not. With --exit-code it exits with 2 if \
        there are differences; with --quiet too, and prints nothing.

        Without --rev and a second argument the catalog is compared with the last commit.

        --shape compares what clients see of the answers: status, media type, members and types, but \
        no values; see stubdb verify.

        Examples:
          stubdb diff                                 what is not committed yet
          stubdb diff checkout/paid                   of one scenario only
          stubdb diff --rev HEAD~3                    since three commits ago
          stubdb diff --rev main..HEAD --markdown     for a comment on a pull request
          stubdb diff --rev main --quiet || echo 'the catalog changed'
          stubdb diff old.stubdb new.stubdb
          stubdb diff checkout/paid checkout/declined
          stubdb diff --shape --rev main              did an answer change its shape?
        """)

    @Argument(
      help: ArgumentHelp("A catalog file, or a scenario.", valueName: "a"),
      completion: .scenarioNames)
    var first: String?

    @Argument(
      help: ArgumentHelp("What to compare it with, of the same kind.", valueName: "b"),
      completion: .scenarioNames)
    var second: String?

    @Option(
      name: .customLong("rev"),
      help: ArgumentHelp(
        "Compare with the catalog at this git revision, or between two: A..B.",
        valueName: "revision"))
    var revision: String?

    @Flag(help: "Print a JSON array of {change, scenario, key, pointer, before, after}.")
    var json = false

    @Flag(help: "Print Markdown, for a comment on a pull request.")
    var markdown = false

    @Flag(help: "Compare the shapes of answers; --json prints what verify --json prints.")
    var shape = false

    @Flag(help: "Exit with 2 if there are differences.")
    var exitCode = false

    @Flag(name: .shortAndLong, help: "Print nothing; exit with 2 if there are differences.")
    var quiet = false

    @OptionGroup var catalog: CatalogOptions

    func run() throws {
      if json && markdown { throw UsageError("Give --json or --markdown, not both.") }
      if shape {
        if markdown { throw UsageError("--markdown does not go with --shape.") }
        return try compareShapes()
      }
      let differences = try sides().differences()
      if !quiet { try write(differences) }
      if !differences.isEmpty && (exitCode || quiet) { throw ExitCode(2) }
    }

    private func write(_ differences: [ScenarioDifference]) throws {
      if json {
        try Console.write(OrderedJSON.differences(differences).text)
      } else if markdown {
        try Console.write(DifferenceMarkdown.text(differences))
      } else if differences.isEmpty {
        Console.note("No differences.")
      } else {
        try Console.write(DifferenceView(style: .output).text(differences))
      }
    }

    private func sides() throws -> ComparedSides {
      try ComparedSides(first, second, revision: revision, of: catalog.path)
    }

    private func compareShapes() throws {
      var comparison = StoredShapes()
      switch try sides() {
      case .scenarios(let old, let new): comparison.compare(old, new)
      case .catalogs(let old, let new, let name): try comparison.compare(old, new, only: name)
      }
      let view = ShapeReportView(report: comparison.report)
      let isSame = view.report.differences.isEmpty
      if json, !quiet {
        try Console.write(view.json.text)
      } else if !quiet {
        try Console.write(view.text)
        view.noteGaps()
        if isSame { Console.note("No differences.") }
      }
      if !isSame && (exitCode || quiet) { throw ExitCode(2) }
    }
  }
}
