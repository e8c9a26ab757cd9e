import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBDocuments
import StubDBEditing
import StubDBFormats
import StubDBGit
import StubDBJSON
import StubDBJobs
import StubDBPlayback
import StubDBPublishing
import StubDBSupport

extension RootCommand {
  struct Affected: CatalogCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "affected",
      abstract: "List the tests whose answers a change of the catalog, or of the API, affects.",
      discussion: """
        Goes by the usage ledger, as stubdb coverage shows it, and compares what the scenarios of \
        each test resolve to: with includes, overlays, other catalogs and priorities. A test is \
        affected if a stub that answered it changed, or if another one may now answer instead.

        Compares with the last commit, or with --rev. --member and --openapi look for the tests \
        that a change of the API would touch. Tests that the ledger does not know are not listed; \
        with --tests they are, and --filter selects them too.

        Exits with 2 if no test is affected; --filter then prints an expression that matches none.

        Examples:
          stubdb affected                                 by what is not committed yet
          stubdb affected --rev origin/main
          swift test --filter "$(stubdb affected --rev origin/main --filter)"
          swift test list | stubdb affected --rev origin/main --tests - --filter
          stubdb affected --member '$.user.email'         if the API drops this member
          stubdb affected --openapi api-1.yaml api-2.yaml
          stubdb affected --rev main..HEAD --json | jq -r '.tests[].test'
        """)

    @Option(
      name: .customLong("rev"),
      help: ArgumentHelp(
        "Compare with the catalog at this git revision (default: HEAD), or between two: A..B.",
        valueName: "revision"))
    var revision: String?

    @Option(
      help: ArgumentHelp(
        "Tests that got a JSON answer in which this JSONPath selects something.",
        valueName: "path"))
    var member: String?

    @Option(
      name: .customLong("openapi"), parsing: .upToNextOption,
      help: ArgumentHelp(
        "Tests of the operations that differ between two descriptions.", valueName: "old new"),
      completion: .file())
    var descriptions: [String] = []

    @Option(
      name: .customLong("tests"),
      help: ArgumentHelp(
        "The output of swift test list, to tell which tests the ledger does not know; - is stdin.",
        valueName: "file"),
      completion: .file())
    var list: String?

    @Flag(help: "Print a regular expression for swift test --filter.")
    var filter = false

    @Flag(help: "Print a JSON object {tests, unknown, unnamed, stale, known}.")
    var json = false

    @OptionGroup var ledger: LedgerOptions

    @OptionGroup var catalog: CatalogOptions

    func checkUsage() throws {
      if filter && json { throw ValidationError("--filter and --json exclude each other.") }
      let modes = [revision != nil, member != nil, !descriptions.isEmpty].count { $0 }
      if modes > 1 { throw ValidationError("Give one of --rev, --member and --openapi.") }
      if ![0, 2].contains(descriptions.count) {
        throw ValidationError("--openapi takes two files: the old description and the new one.")
      }
    }

    func run() throws {
      let present = try catalog.openForReading()
      let reading = try LedgerReading.find(ledger.folder, of: present)
      let affected = try affected(reading, present)
      let listed = try list.map(listedTests)
      let view = AffectedView(
        affected: affected, reading: reading, change: change,
        unknown: TestFilter.unknown(
          in: listed ?? "", to: Set(reading.entries.compactMap(\.test))))
      if json {
        try Console.write(affected.json(unknown: view.unknown).text)
      } else if filter {
        try Console.line(TestFilter.expression(affected.tests.map(\.test) + view.unknown))
      } else {
        try Console.write(view.table(columns: Terminal.current.columns, style: .output))
      }
      for note in view.notes(isFilter: filter) { Console.note(note) }
      if affected.tests.isEmpty && view.unknown.isEmpty { throw ExitCode(2) }
    }

    private func listedTests(_ file: String) throws -> String {
      let text = try String(strictUTF8: DataArgument.contents(of: file))
      guard let text, !TestFilter.names(in: text).isEmpty else {
        throw CommandError(
          "--tests: \(file == "-" ? "the input" : file) names no test as swift test list does",
          hints: ["Has swift test list failed? Its tests would be left out."])
      }
      return text
    }

    private var change: String {
      if let member { return "an answer with \(TerminalText.line(member))" }
      guard descriptions.isEmpty else { return "operations that differ" }
      return "what differs from \(TerminalText.line(revision ?? "HEAD"))"
    }

    private func affected(_ reading: LedgerReading, _ present: Catalog) throws -> AffectedTests {
      if let member {
        return try AffectedTests(reading, in: present, with: query(member))
      }
      if descriptions.count == 2 {
        return try AffectedTests(reading, in: present, after: changes())
      }
      let given = (revision ?? "HEAD").components(separatedBy: "..")
      let ends = given.map { $0.isEmpty ? "HEAD" : $0 }
      // An empty one is a variable that is not set.
      guard ends.count <= 2, given != [""], given != ["", ""],
        ends.allSatisfy({ !$0.hasPrefix(".") })
      else {
        throw UsageError("--rev takes a revision, or two as A..B.")
      }
      let states = try ends.map { try CatalogAtRevision($0, of: present.url) }
      return try withExtendedLifetime(states) {
        try AffectedTests(
          reading, from: states[0].catalog, to: states.count == 2 ? states[1].catalog : present)
      }
    }

    private func query(_ text: String) throws -> JSONPath {
      do throws(JSONPathSyntaxError) {
        return try JSONPath(text)
      } catch {
        throw UsageError("--member is no JSONPath: \(error).")
      }
    }

    private func changes() throws -> OpenAPIChanges {
      try OpenAPIChanges(
        from: CatalogLocator().resolve(descriptions[0]), named: descriptions[0],
        to: CatalogLocator().resolve(descriptions[1]), named: descriptions[1])
    }
  }
}
