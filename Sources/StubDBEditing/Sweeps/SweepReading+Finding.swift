package import Foundation
package import StubDBCatalog
internal import StubDBJobs
package import StubDBPlayback

extension SweepReading {
  /// Reads the sweep files in the ledger of a folder, else in the one that tests write to from the current folder.
  ///
  /// - Throws: `JobError` if there is no ledger, or if no test of the catalog was repeated.
  package static func find(_ folder: URL?, of catalog: Catalog) throws -> SweepReading {
    let reading = try SweepReading(LedgerReading.existing(folder, of: catalog), of: catalog)
    guard reading.outcomes.isEmpty else { return reading }
    throw JobError(
      .notFound,
      "the ledger in \(file: reading.folder) has no sweep of a test with \(file: catalog.url)",
      hints: reading.otherCatalogs.prefix(5).map { "It has sweeps of tests with \($0)." }
        + [
          "To fill it: run tests with the trait .everyFailure, .everyEvolution or .everyOrder of StubDBSweeps"
        ])
  }

  /// The runs of the usage ledger in the same folder; none if there are none.
  package func usage(of catalog: Catalog) throws -> [LedgerEntry] {
    try LedgerReading(folder, of: catalog).entries
  }
}
