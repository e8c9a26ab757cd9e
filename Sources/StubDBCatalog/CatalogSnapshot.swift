package import Foundation
package import StubDBModel

/// A catalog as it is at one moment, kept open while many scenarios are read.
///
/// What replaces the file meanwhile is not seen. For one thread at a time.
package final class CatalogSnapshot {
  private let file: CatalogFile
  private let reader: ScenarioReader
  /// What an error calls the catalog: its path, or the name it was opened with.
  package var name: String { file.path }
  /// The scenarios, by name.
  package let scenarios: [ScenarioSummary]
  /// What a merge left to a person, in order; mostly empty.
  package let conflicts: [Conflict]

  /// Opens a file.
  ///
  /// - Throws: A ``CatalogError`` where there is no file, or it is no catalog, damaged, or newer.
  package convenience init(contentsOf url: URL) throws {
    let file = CatalogFile(path: url.path, format: .current)
    try self.init(file) { try file.openForReading() }
  }

  /// Opens the bytes of a file, such as one that git keeps under the name `HEAD~1:shop.stubdb`.
  ///
  /// - Throws: A ``CatalogError`` where the bytes are no catalog, damaged, or newer.
  package convenience init(bytes: Data, name: String) throws {
    let file = CatalogFile(path: name, format: .current)
    try self.init(file) { try file.open(bytes) }
  }

  private init(_ file: CatalogFile, _ open: () throws -> Connection) throws {
    self.file = file
    (reader, scenarios, conflicts) = try file.reporting("reading") {
      let reader = ScenarioReader(connection: try open(), path: file.path)
      return (reader, try reader.summaries(), try reader.conflicts())
    }
  }

  /// The scenario, with every body in memory; nil where there is none of the name.
  package func scenario(named name: ScenarioName) throws -> Scenario? {
    try file.reporting("reading") { try reader.scenario(name) }
  }
}

extension CatalogFile {
  /// The same as ``openForReading()`` for a file that is in memory.
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
