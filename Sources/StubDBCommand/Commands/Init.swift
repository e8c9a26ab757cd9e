import ArgumentParser
import Foundation
import StubDBCatalog

extension RootCommand {
  /// Creates an empty catalog.
  struct Init: CommonCommand {
    static let configuration = CommandConfiguration(
      commandName: "init",
      abstract: "Create an empty catalog.",
      discussion: """
        Without PATH the catalog is $STUBDB_CATALOG, else stubs.stubdb in this folder. A name \
        without an extension gets .stubdb; missing folders are created. An existing file is \
        never changed.

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
        path ?? locator.environment[CatalogLocator.variable].flatMap { $0.isEmpty ? nil : $0 }
        ?? "stubs.\(CatalogLocator.fileExtension)"
      var url = locator.resolve(path)
      if url.pathExtension.isEmpty { url.appendPathExtension(CatalogLocator.fileExtension) }
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      _ = try Catalog.create(at: url)
      let name = CatalogLocator.display(url)
      Console.note(
        """
        Made \(name). Next, put a scenario in:
          \(FollowUp.program) add shop/two-items --method GET --url https://api.shop.test/v1/items \\
            --json '[{"id": 1}, {"id": 2}]'\(FollowUp.optionText(for: url))
        """)
    }
  }
}
