import ArgumentParser
import Foundation
import StubDBCatalog

/// The option that selects the catalog.
struct CatalogOptions: ParsableArguments {
  @Option(
    name: .customLong("catalog"),
    help: ArgumentHelp(
      "The catalog file (default: $STUBDB_CATALOG, else the *.stubdb here or above).",
      valueName: "path"),
    completion: .file(extensions: ["stubdb"]))
  var path: String?

  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  /// Opens the catalog for reading.
  func open() throws -> Catalog {
    try CatalogLocator().open(path)
  }
}
