import ArgumentParser
import StubDBCatalog
import StubDBCatalogEditing
import StubDBJobs

extension RootCommand {
  /// Rewrites a catalog in the newest format.
  struct Upgrade: WritingCommand {
    static let configuration = CommandConfiguration(
      commandName: "upgrade",
      abstract: "Rewrite a catalog of an older version in the format of this one.",
      discussion: """
        A catalog of an older version can be read without upgrading; editing upgrades it too. After the \
        upgrade, older versions of stubdb refuse the file, so have your team install this one first.

        Example:
          stubdb upgrade --catalog Tests/Fixtures/shop.stubdb
        """)

    @OptionGroup var writing: WritingOptions

    func run() throws {
      let catalog = try catalog.open()
      try catalog.upgrade()
      Console.note("\(TerminalText.path(catalog.url)) is in the newest format.")
    }
  }
}
