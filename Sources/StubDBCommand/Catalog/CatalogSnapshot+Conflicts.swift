import Foundation
import StubDBCatalog

extension CatalogSnapshot {
  /// Throws if a merge left conflicts in the catalog.
  ///
  /// - Parameters:
  ///   - reason: The end of the sentence, which says why the command cannot continue.
  ///   - catalog: The file with the conflicts; nil for bytes that are not from a file.
  /// - Throws: ``CommandFailure`` with the command that settles them.
  func requireNoConflicts(_ reason: String, in catalog: URL?) throws {
    guard !conflicts.isEmpty else { return }
    let file = CatalogLocator.display(URL(fileURLWithPath: name))
    throw CommandFailure(
      "\(file) has \(Counted.of(conflicts.count, "conflict")) of a merge, \(reason)",
      hints: ["To settle them first: \(FollowUp.command(["resolve"], catalog: catalog))"])
  }
}
