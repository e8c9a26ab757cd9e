import ArgumentParser
import Foundation
import StubDBGit
import StubDBJobs
import StubDBPublishing
import StubDBSupport
import StubDBTransfer

extension RootCommand {
  struct Merge: CommonCommand {
    static let configuration = CommandConfiguration(
      commandName: "merge",
      abstract: "Merge two versions of a catalog by meaning, given what both began with.",
      discussion: """
        Scenarios are merged by name, stubs by key, then value by value; edits of different places \
        never conflict, and the result is the same in both directions. It is written to OURS, or \
        to the file given with --output; a file that is no catalog is never replaced. An empty BASE \
        is a catalog without scenarios.

        If both sides changed a place differently, the result has our version there (their \
        version of a scenario or stub that we removed) and keeps all versions; `stubdb resolve` lists and settles them. Exits with 2 if there are \
        such conflicts.

        `stubdb git install` makes git call this by itself.

        Examples:
          stubdb merge base.stubdb ours.stubdb theirs.stubdb
          stubdb merge base.stubdb ours.stubdb theirs.stubdb --output merged.stubdb
        """)

    @Argument(
      help: "What both versions began with.", completion: .file(extensions: ["stubdb"]))
    var base: String

    @Argument(help: "Our version.", completion: .file(extensions: ["stubdb"]))
    var ours: String

    @Argument(help: "Their version.", completion: .file(extensions: ["stubdb"]))
    var theirs: String

    @Option(
      name: .shortAndLong, help: ArgumentHelp("Write here, not to OURS.", valueName: "path"),
      completion: .file(extensions: ["stubdb"]))
    var output: String?

    @Flag(help: "Print a JSON array of {scenario, key, pointer, base, ours, theirs}.")
    var json = false

    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
      let locator = CatalogLocator()
      try output.map(OutputFile.init)?.requireNoOtherThanCatalog()
      let merger = CatalogMerger(
        base: locator.resolve(base), ours: locator.resolve(ours), theirs: locator.resolve(theirs))
      let target = output ?? ours
      let merged = try locator.finding { try merger.merge(into: locator.resolve(target)) }
      for note in UnplayableView.lines(ofMerged: merged.written) { Console.note(note) }
      let conflicts = merged.conflicts
      DamageNote.showAfterMerge(
        into: locator.resolve(target), name: TerminalText.line(target),
        check: FollowUp.command(["check", "--catalog", target]))
      try ConflictView.write(conflicts, json: json)
      let file = TerminalText.line(target)
      guard !conflicts.isEmpty else { return Console.note("Merged into \(file).") }
      Console.note("Merged into \(file), but for \(Plural.of(conflicts.count, "conflict")).")
      Console.note("To see them: " + FollowUp.command(["resolve", "--catalog", target]))
      throw ExitCode(2)
    }
  }
}
