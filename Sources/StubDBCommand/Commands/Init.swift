import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBFiles
import StubDBJobs
import StubDBPublishing
import StubDBSupport

extension RootCommand {
  struct Init: CommonCommand {
    static let configuration = CommandConfiguration(
      commandName: "init",
      abstract: "Create an empty catalog.",
      discussion: """
        Without PATH the catalog is $STUBDB_CATALOG, else stubs.stubdb in this folder, unless that has \
        another catalog already. A name without an extension gets .stubdb; missing folders are created. An \
        existing file is never changed.

        Examples:
          stubdb init
          stubdb init Tests/ShopTests/Fixtures/shop.stubdb
        """)

    @Argument(help: "The file to create.", completion: .file(extensions: ["stubdb"]))
    var path: String?

    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
      let locator = CatalogLocator()
      let path =
        try path ?? locator.environment[CatalogLocator.variable].flatMap { $0.isEmpty ? nil : $0 }
        ?? Self.nameOfFirst(in: locator.currentFolder)
      guard !CatalogLocator.isURL(path) else {
        throw UsageError(
          "\(TerminalText.quoted(path)) is a URL; a catalog is made as a file, such as shop.stubdb, and published "
            + "with stubdb push.")
      }
      var url = locator.resolve(path)
      if url.pathExtension.isEmpty { url.appendPathExtension(CatalogLocator.fileExtension) }
      try Self.createFolder(url.deletingLastPathComponent())
      _ = try Catalog.create(at: url)
      let name = TerminalText.path(url)
      Console.note("Made \(name). Next, put a scenario in:\n  \(FirstScenario.command(in: url))")
      let folder = url.deletingLastPathComponent()
      let count = ((try? CatalogLocator.catalogNames(in: folder)) ?? []).count
      if count > 1 {
        let word = ShellWord.quoted(CatalogLocator.relativePath(url))
        Console.note(
          "There are \(count) catalogs in this folder now, so commands need the name of one: "
            + "--catalog \(word), or export \(CatalogLocator.variable)=\(word)")
      }
    }

    /// The name of a catalog without one; a second one in a folder makes commands ask which is meant.
    private static func nameOfFirst(in folder: URL) throws -> String {
      let name = "stubs.\(CatalogLocator.fileExtension)"
      let others = try CatalogLocator.catalogNames(in: folder).filter { $0 != name }
      guard let other = others.first else { return name }
      throw CommandError(
        "there is a catalog in this folder already: \(TerminalText.line(other))",
        hints: ["To make another one, name it: " + FollowUp.command(["init", "NAME.stubdb"])])
    }

    private static func createFolder(_ folder: URL) throws {
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      } catch {
        throw CommandError(
          "cannot make the folder \(TerminalText.quoted(folder.path)): \(FileFailure.writing(error))"
        )
      }
    }
  }
}

/// The command that `init` and `list` propose for a catalog without scenarios.
enum FirstScenario {
  static func command(in catalog: URL) -> String {
    FollowUp.command(
      [
        "add", "checkout/paid", "--method", "POST", "--url", "https://api.shop.test/v1/charges",
        "--status", "201", "--json", #"{"id": "ch_1"}"#,
      ], catalog: catalog)
  }
}

extension RootCommand {
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
