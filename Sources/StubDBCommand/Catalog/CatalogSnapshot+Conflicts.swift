import Foundation
import StubDBCatalog

extension CatalogSnapshot {
  /// Refuses a catalog that a merge left conflicts in.
  ///
  /// - Parameter reason: Why it cannot be gone on with.
  /// - Throws: ``CommandFailure`` that says how to settle them.
  func requireNoConflicts(_ reason: String) throws {
    guard !conflicts.isEmpty else { return }
    let file = CatalogLocator.display(URL(fileURLWithPath: name))
    throw CommandFailure(
      "\(file) has \(Counted.of(conflicts.count, "conflict")) of a merge, and \(reason)",
      hints: ["To settle them first: stubdb resolve"])
  }
}
