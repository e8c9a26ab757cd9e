package import Foundation
package import StubDBCatalog
internal import StubDBFiles
internal import StubDBJobs
internal import StubDBPlayback
internal import StubDBSupport

extension LedgerReading {
  /// Reads the ledger of a folder, else the one that tests write to from the current folder.
  ///
  /// - Throws: `JobError` if there is none, or if it has no run of the catalog.
  package static func find(_ folder: URL?, of catalog: Catalog) throws -> LedgerReading {
    let reading = try LedgerReading(existing(folder, of: catalog), of: catalog)
    guard reading.entries.isEmpty else { return reading }
    throw JobError(
      .notFound, "the usage ledger in \(file: reading.folder) has no run of \(file: catalog.url)",
      hints: reading.unreadable + reading.otherCatalogs.prefix(5).map { "It has runs of \($0)." }
        + ["To fill it: run the tests"])
  }

  /// The folder of the ledger, else the one that tests write to from the current folder.
  ///
  /// - Throws: `JobError` if there is none.
  static func existing(_ folder: URL?, of catalog: Catalog) throws -> URL {
    let located =
      folder?.path
      ?? LedgerFolder.locate(
        environment: ProcessInfo.processInfo.environment,
        currentFolder: FileManager.default.currentDirectoryPath,
        alsoAbove: [catalog.url.deletingLastPathComponent().path])
    guard let located, PathStatus(located)?.isFolder == true else { throw missing(located) }
    return URL(fileURLWithPath: located, isDirectory: true)
  }

  /// What a hint says of lines that could not be read; empty if there are none.
  private var unreadable: [JobText] {
    if unreadableCount == 0 { return [] }
    return [
      "\(Plural.of(unreadableCount, "line")) of it cannot be read: damaged, or of a newer version of stubdb."
    ]
  }

  private static func missing(_ path: String?) -> JobError {
    let problem =
      path.map { "there is no usage ledger in \($0)" }
      ?? "there is no usage ledger: no folder \(LedgerFolder.path) is here or above, and "
      + "$\(LedgerFolder.variable) is not set"
    return JobError(
      .notFound, "\(problem)",
      hints: [
        "To keep one: mkdir -p \(LedgerFolder.path), then run the tests",
        "To read one elsewhere: --ledger PATH",
      ])
  }
}
