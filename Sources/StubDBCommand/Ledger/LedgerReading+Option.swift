import Foundation
import StubDBCatalog
import StubDBEditing
import StubDBPlayback
import StubDBPublishing

extension LedgerReading {
  /// Reads the ledger that an option names, else the one that tests write to from this folder.
  ///
  /// - Throws: ``CommandError`` if there is none, or if it has no run of the catalog.
  static func find(_ path: String?, of catalog: Catalog) throws -> LedgerReading {
    let locator = CatalogLocator()
    let located =
      path.map { locator.resolve($0).path }
      ?? LedgerFolder.locate(
        environment: locator.environment, currentFolder: locator.currentFolder.path,
        alsoAbove: [catalog.url.deletingLastPathComponent().path])
    var isFolder: ObjCBool = false
    guard let located,
      FileManager.default.fileExists(atPath: located, isDirectory: &isFolder), isFolder.boolValue
    else { throw missing(located) }
    let reading = try LedgerReading(URL(fileURLWithPath: located, isDirectory: true), of: catalog)
    guard reading.entries.isEmpty else { return reading }
    let name = TerminalText.path(catalog.url)
    throw CommandError(
      "the usage ledger in \(reading.displayedFolder) has no run of \(name)",
      hints: reading.otherCatalogs.prefix(5).map { "It has runs of \(TerminalText.line($0))." }
        + ["To fill it: run the tests"])
  }

  /// The folder for messages.
  var displayedFolder: String { TerminalText.line(TerminalText.path(folder)) }

  private static func missing(_ path: String?) -> CommandError {
    let problem =
      path.map { "there is no usage ledger in \(TerminalText.line($0))" }
      ?? "there is no usage ledger: no folder \(LedgerFolder.path) is here or above, and "
      + "$\(LedgerFolder.variable) is not set"
    return CommandError(
      problem,
      hints: [
        "To keep one: mkdir -p \(LedgerFolder.path), then run the tests",
        "To read one elsewhere: --ledger PATH",
      ])
  }
}
