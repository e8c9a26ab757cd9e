package import Foundation
package import StubDBCatalog
internal import StubDBSupport

extension Catalog {
  /// What can be brought back of a catalog.
  package struct UndoableWrite: Sendable {
    /// The command that replaced it, and when.
    package let record: UndoSlot.Record
    /// The file that it replaced.
    package let copy: URL
    /// The digest of its content.
    fileprivate let digest: String
    /// Whether the catalog is still what the command wrote.
    package let isCurrent: Bool
  }

  /// The last write that can be taken back; nil if nothing is kept, or if the catalog has that content already.
  ///
  /// - Throws: A ``CatalogError`` if the catalog cannot be read.
  package func undoableWrite(in root: URL) throws(CatalogError) -> UndoableWrite? {
    let slot = UndoSlot(of: file.target, in: root)
    let current = try digestText()
    for record in slot.records {
      let copy = slot.copy(of: record)
      // A copy that cannot be read any more brings nothing back.
      guard let kept = try? Catalog(contentsOf: copy).digestText(), kept != current else {
        continue
      }
      return UndoableWrite(
        record: record, copy: copy, digest: kept, isCurrent: record.digest == current)
    }
    return nil
  }

  /// Puts the file before the last write in the place of the catalog, and keeps the catalog in its stead.
  ///
  /// - Parameters:
  ///   - write: What ``undoableWrite(in:)`` found.
  ///   - requiringCurrent: Whether a catalog that something else has changed since is refused.
  /// - Throws: A ``CatalogError``, with `replaced` if the catalog was changed since.
  package func undo(_ write: UndoableWrite, requiringCurrent: Bool) throws(CatalogError) {
    let expected = requiringCurrent ? write.record.digest : nil
    try file.reporting("writing") {
      try CatalogWriter(file: file).replace(
        withFile: write.copy, ofDigest: write.digest, expecting: expected)
    }
  }

  private func digestText() throws(CatalogError) -> String {
    try file.read { try $0.digestText(path: file.path) }
  }
}

extension Connection {
  /// The digest of a catalog, in hexadecimal.
  func digestText(path: String) throws -> String {
    try ScenarioReader(connection: self, path: path).digest()?.hexadecimal ?? ""
  }
}
