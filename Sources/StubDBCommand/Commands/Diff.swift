import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBChanges
import StubDBEditing
import StubDBGit
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBPublishing
import StubDBSupport
import StubDBTransfer

extension RootCommand {
  /// Compares catalogs or scenarios by meaning.
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
      let differences = try differences(between: sides())
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

    /// What is compared.
    private enum Sides {
      /// Two catalogs, or one scenario of them.
      case catalogs(any ScenarioSource, any ScenarioSource, only: ScenarioName?)
      case scenarios(Scenario, Scenario)
    }

    private func sides() throws -> Sides { try CatalogLocator().finding(read) }

    private func read() throws -> Sides {
      guard let first else { return try revisions(of: catalogURL(), only: nil) }
      if Self.isCatalog(first) {
        guard let second else {
          return try revisions(of: CatalogLocator().resolve(first), only: nil)
        }
        guard Self.isCatalog(second) else { throw mixed(first, second) }
        try refuseRevision("two catalogs")
        return .catalogs(
          try ComparedCatalog.file(CatalogLocator().resolve(first)).scenarios(),
          try ComparedCatalog.file(CatalogLocator().resolve(second)).scenarios(), only: nil)
      }
      guard let second else {
        try refuseRevision(inPlaceOfScenario: first)
        return try revisions(of: catalogURL(), only: Self.name(first))
      }
      let name = try Self.name(first)
      if Self.isCatalog(second) { throw mixed(second, first) }
      try refuseRevision("two scenarios")
      let catalog = try catalog.openForReading()
      return .scenarios(try catalog.existing(name), try catalog.existing(Self.name(second)))
    }

    /// The catalog and the given revision of it, or two revisions.
    private func revisions(of url: URL, only name: ScenarioName?) throws -> Sides {
      let revisions = (revision ?? "HEAD").components(separatedBy: "..")
      guard revisions.count <= 2, revisions.allSatisfy({ !$0.hasPrefix(".") }) else {
        throw UsageError("--rev takes a revision, or two as A..B.")
      }
      let ends = revisions.map { $0.isEmpty ? "HEAD" : $0 }
      let after = ends.count == 2 ? ComparedCatalog.revision(ends[1], of: url) : .file(url)
      let (old, new) = (
        try ComparedCatalog.revision(ends[0], of: url).scenarios(), try after.scenarios()
      )
      if let name {
        let isKnown = try (old.entries + new.entries).contains { $0.name == name }
        guard isKnown else {
          throw NameError.scenario(
            name, in: url, among: try new.entries.map(\.name))
        }
      }
      return .catalogs(old, new, only: name)
    }

    private func differences(between sides: Sides) throws -> [ScenarioDifference] {
      switch sides {
      case .scenarios(let old, let new):
        let difference = ScenarioDifference(from: old, to: new)
        return difference.isEmpty ? [] : [difference]
      case .catalogs(let old, let new, let name):
        let all = try compare(old, new)
        guard let name else { return all }
        return all.filter { $0.before == name || $0.after == name }
      }
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

    private func compare(
      _ before: any ScenarioSource, _ after: any ScenarioSource
    ) throws -> [ScenarioDifference] {
      let progress = ProgressLine("Comparing")
      defer { progress.end() }
      return try CatalogDifferences.between(before, after) { done, count in
        progress.show(done, of: count, "scenario")
      }
    }

    private func catalogURL() throws -> URL {
      try catalog.locateForGit()
    }

    /// Git takes a revision without an option; here a word is a scenario.
    private func refuseRevision(inPlaceOfScenario word: String) throws {
      let url = try catalogURL()
      let names = try catalog.openForReading().scenarios().map(\.name.rawValue)
      if names.contains(word) { return }
      guard let repository = try? GitRepository(containing: url.deletingLastPathComponent()),
        try repository.has(word, as: "commit")
      else { return }
      throw CommandError(
        "there is no scenario \(TerminalText.quoted(word)), but a git revision",
        hints: ["To compare with it: \(FollowUp.program) diff --rev \(ShellWord.quoted(word))"])
    }

    private func refuseRevision(_ what: String) throws {
      if revision != nil { throw UsageError("--rev does not go with \(what).") }
    }

    private func mixed(_ catalog: String, _ scenario: String) -> UsageError {
      UsageError(
        "\(TerminalText.quoted(catalog)) is a catalog and \(TerminalText.quoted(scenario)) is not; "
          + "compare two catalogs or two scenarios.")
    }

    /// Whether the argument is a file rather than the name of a scenario.
    private static func isCatalog(_ argument: String) -> Bool {
      var isFolder: ObjCBool = false
      let path = CatalogLocator().resolve(argument).path
      return argument.hasSuffix(".\(CatalogLocator.fileExtension)")
        || FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
          && !isFolder.boolValue
    }

    private static func name(_ argument: String) throws -> ScenarioName {
      if let reason = ScenarioName.reasonAgainst(argument) {
        throw UsageError(
          "\(TerminalText.quoted(argument)) is neither a file nor a scenario name: \(reason).")
      }
      return ScenarioName(unchecked: argument)
    }
  }
}
