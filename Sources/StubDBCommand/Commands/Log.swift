import ArgumentParser
import Foundation
import StubDBChanges
import StubDBDocuments
import StubDBEditing
import StubDBGit
import StubDBJSON
import StubDBJobs
import StubDBModel

extension RootCommand {
  struct Log: CatalogCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "log",
      abstract:
        "List the git commits that changed a scenario, or the catalog, and what they changed.",
      discussion: """
        Newest first, with author, date and subject. The file is followed through renames, and so \
        is a renamed scenario.

        Examples:
          stubdb log                        every change of the catalog
          stubdb log checkout/paid          of one scenario, value by value
          stubdb log --limit 5 --rev main
          stubdb log checkout/paid --json | jq -r '.[].commit'
        """)

    @Argument(
      help: "Only this scenario, which may have been removed.", completion: .scenarioNames,
      transform: ScenarioName.argument)
    var scenario: ScenarioName?

    @Option(
      name: .customLong("rev"), help: ArgumentHelp("Begin at this revision.", valueName: "revision")
    )
    var revision = "HEAD"

    @Option(name: .shortAndLong, help: "Show at most this many commits.")
    var limit: Int?

    @Flag(help: "Print a JSON array of {commit, author, date, subject, changes}.")
    var json = false

    @OptionGroup var catalog: CatalogOptions

    func checkUsage() throws {
      if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
    }

    func run() throws {
      let url = try catalog.locateForGit()
      let repository = try GitRepository(containing: url.deletingLastPathComponent())
      let history = CatalogHistory(repository: repository, path: try repository.path(of: url))
      let commits = try history.commits(from: revision)
      if commits.isEmpty {
        throw CommandError(
          "no commit has \(TerminalText.path(url)) yet",
          hints: ["To commit it: \(FollowUp.git("add", on: url)) && git commit"])
      }
      let (shown, names) = try show(commits, in: repository)
      if json {
        try Console.write(OrderedJSON.array(shown).text)
      } else if shown.isEmpty, let scenario {
        Console.note("No commit changed a scenario \(scenario).")
        if let near = NameError.nearest(
          to: scenario.rawValue, among: names.map(\.rawValue).sorted())
        {
          Console.note("Did you mean \(near)?")
        }
      }
    }

    /// Prints the commits as they are read, or returns them for JSON; also returns the names of all scenarios.
    private func show(
      _ commits: [CatalogHistory.Commit], in repository: GitRepository
    ) throws -> ([OrderedJSON], names: Set<ScenarioName>) {
      var walk = try HistoryWalk(in: repository, of: scenario)
      var shown: [OrderedJSON] = []
      let progress = ProgressLine("Reading")
      defer { progress.end() }
      for (index, commit) in commits.enumerated() {
        progress.show(index, of: commits.count, "commit")
        let (differences, problem) = try walk.changes(of: commit)
        guard !differences.isEmpty || problem != nil && scenario == nil else { continue }
        shown.append(Self.json(commit, differences))
        if !json {
          progress.end()
          try Console.write((shown.count > 1 ? "\n" : "") + text(commit, differences, problem))
        }
        if shown.count == limit { break }
      }
      return (shown, walk.names)
    }

    private func text(
      _ commit: CatalogHistory.Commit, _ differences: [ScenarioDifference], _ problem: String?
    ) -> String {
      let style = Style.output
      let day = String(commit.date.prefix(10))
      var lines = [
        "\(style.yellow(String(commit.id.prefix(10))))  \(day)  "
          + "\(TerminalText.line(commit.author))  \(TerminalText.line(commit.subject))"
      ]
      if let problem { lines.append("  " + style.red("(\(TerminalText.line(problem)))")) }
      let view = DifferenceView(style: style)
      for difference in differences {
        let all = view.lines(difference)
        // For the whole catalog, the scenarios and stubs suffice.
        let isWhole = scenario != nil
        lines += all.filter { isWhole || !$0.hasPrefix("    ") }.map { "  " + $0 }
      }
      return lines.joined(separator: "\n") + "\n"
    }

    private static func json(
      _ commit: CatalogHistory.Commit, _ differences: [ScenarioDifference]
    ) -> OrderedJSON {
      .object([
        ("commit", .string(commit.id)), ("author", .string(commit.author)),
        ("date", .string(commit.date)), ("subject", .string(commit.subject)),
        ("changes", .differences(differences)),
      ])
    }
  }
}
