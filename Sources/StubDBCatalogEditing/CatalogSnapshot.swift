package import Foundation
package import StubDBCatalog
package import StubDBChanges
package import StubDBModel

/// The state of a catalog at one moment, kept open while many scenarios are read.
///
/// If the file is replaced in the meantime, that is not noticed. To be used by one thread at a time.
package final class CatalogSnapshot {
  /// How much of the file is kept in memory at most, in KiB.
  private static let cacheSize = 64 * 1024

  private let file: CatalogFile
  private let reader: ScenarioReader
  /// The catalog's name in errors: its path, or the name it was opened with.
  package var name: String { file.path }
  /// The scenarios, ordered by name.
  package let scenarios: [ScenarioSummary]
  /// The conflicts that merges left, in order; usually empty.
  package let conflicts: [Conflict]

  /// Opens a file.
  ///
  /// - Throws: A ``CatalogError`` if there is no file, or if it is not a catalog, is damaged, or was written by a newer
  /// version.
  package convenience init(contentsOf url: URL) throws(CatalogError) {
    let file = CatalogFile(path: url.path, format: .current)
    try self.init(file) { try file.openForReading() }
  }

  /// Opens the bytes of a file, such as one that git keeps under the name `HEAD~1:shop.stubdb`.
  ///
  /// - Throws: A ``CatalogError`` if the bytes are not a catalog, are damaged, or were written by a newer version.
  package convenience init(bytes: Data, name: String) throws(CatalogError) {
    let file = CatalogFile(path: name, format: .current)
    try self.init(file) { try file.open(bytes) }
  }

  private init(
    _ file: CatalogFile, _ open: () throws -> Connection
  ) throws(CatalogError) {
    self.file = file
    (reader, scenarios, conflicts) = try file.reporting("reading") {
      let connection = try open()
      // The bodies of one scenario are on pages all over the file, and so are those of the next.
      try connection.setCacheSize(kibibytes: Self.cacheSize)
      let reader = ScenarioReader(connection: connection, path: file.path)
      return (reader, try reader.summaries(), try reader.conflicts())
    }
  }

  /// The scenario, with all bodies in memory; nil if the catalog has no scenario of this name.
  package func scenario(named name: ScenarioName) throws(CatalogError) -> Scenario? {
    try file.reporting("reading") { try reader.scenario(name) }
  }
}

extension CatalogFile {
  /// Does the same as ``openForReading()`` for a file in memory.
  fileprivate func open(_ bytes: Data) throws -> Connection {
    guard !bytes.isEmpty else {
      throw CatalogError(
        .notACatalog, "\(path) is not a stubdb catalog: it is empty", path: path)
    }
    let connection = try Connection.inMemory(copying: bytes.rollbackJournalled)
    try connection.restrict()
    let version = try checkedVersion(of: connection)
    let size =
      try connection.integer("PRAGMA page_count") * connection.integer("PRAGMA page_size")
    guard size == bytes.count else {
      throw CatalogError(
        .damaged,
        "the catalog \(path) is damaged: it has \(bytes.count) bytes and should have \(size)",
        path: path)
    }
    if version < format.version { try format.migrate(connection, from: version) }
    try connection.harden()
    return connection
  }
}
