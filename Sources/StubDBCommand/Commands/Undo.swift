import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBChanges
import StubDBGit
import StubDBJobs

extension RootCommand {
  struct Undo: WritingCommand {
    static let configuration = CommandConfiguration(
      commandName: "undo",
      abstract: "Take back what the last command changed in a catalog.",
      discussion: """
        Every command that changes a catalog keeps the file that it replaces, one for each catalog, where \
        only you can read it: beside the cache of published catalogs. undo says what it will change, and asks on a \
        terminal, unless --force. A second undo takes the first one back.

        It is refused if something else changed the catalog since, such as git; with --force it brings back \
        the older file all the same, and keeps the present one. redact keeps nothing, \
        so that what it takes out is gone, and neither does a command with --no-undo; $STUBDB_UNDO=never is the same \
        for all commands. A catalog that a command made anew has nothing before it.

        Examples:
          stubdb remove imported/ && stubdb undo
          stubdb tag checkout/paid --add smoke && stubdb undo --dry-run
          stubdb remove imported/ --no-undo
        """)

    @Flag(help: "Change nothing; say what would be brought back.")
    var dryRun = false

    @Flag(
      name: .shortAndLong, help: "Do not ask, and do it even if the catalog was changed since.")
    var force = false

    @OptionGroup var writing: WritingOptions

    /// The number of lines of differences that are shown.
    private static let maximumLines = 20

    func run() throws {
      let catalog = try catalog.open()
      let name = TerminalText.path(catalog.url)
      guard let root = UndoKeeping.root, let write = try catalog.undoableWrite(in: root) else {
        throw CommandError(
          "there is nothing to undo in \(name): no command has kept another state of it",
          hints: [
            "To bring back what git has: \(FollowUp.command(["restore"], catalog: catalog.url)) SCENARIO"
          ])
      }
      let date = write.record.date.formatted(.iso8601)
      Console.note("Undoing \(write.record.command) (\(date)) changes \(name):")
      for line in try lines(from: catalog, to: write.copy) { Console.note(line) }
      guard write.isCurrent || force else { throw changed(name) }
      if dryRun { return }
      if !force && Terminal.canAsk && !Console.confirm("Undo it?") {
        Console.note("Nothing was changed.")
        throw ExitCode.failure
      }
      try catalog.undo(write, requiringCurrent: !force)
      Console.note("Undone.")
      if UndoSettings.current?.keeps == true {
        Console.note("To have it again: \(FollowUp.command(["undo"], catalog: catalog.url))")
      }
    }

    private func lines(from catalog: Catalog, to copy: URL) throws -> [String] {
      let progress = ProgressLine("Comparing")
      defer { progress.end() }
      let differences = try CatalogDifferences.between(
        ComparedCatalog.file(catalog.url).scenarios(), ComparedCatalog.file(copy).scenarios()
      ) { done, count in progress.show(done, of: count, "scenario") }
      let view = DifferenceView(style: .notes)
      return differences.prefix(Self.maximumLines).flatMap(view.lines).cut(to: Self.maximumLines)
        + CutList.end(differences.count - Self.maximumLines)
    }

    private func changed(_ name: String) -> CommandError {
      CommandError(
        "\(name) was changed since by something that keeps no copy, such as git; nothing was brought back",
        hints: [
          FollowUp.again(
            "To bring the older file back, and keep the present one", adding: "--force")
        ])
    }
  }
}
