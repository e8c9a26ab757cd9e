internal import CStubDBSQLite
internal import Foundation
internal import StubDBModel

/// Replaces a catalog's file in one step: lock, edit a copy in memory, pack, rename.
///
/// Never writes into the file itself, so that nothing lies beside it and a reader, a `git checkout`
/// or a killed writer never meets half of an edit.
struct CatalogWriter {
  let file: CatalogFile

  /// Creates an empty catalog; refuses where something is at the path.
  func create() throws {
    guard FileStatus(path: file.path) == nil else {
      throw alreadyExists
    }
    try file.reporting("creating") {
      let temporary = TemporaryFile(beside: file.path)
      defer { temporary.remove() }
      try pack(file.format.emptyCatalog(), into: temporary)
      try temporary.synchronize(permissions: nil)
      guard try temporary.link(to: file.path) else { throw alreadyExists }
      try TemporaryFile.synchronizeFolder(of: file.path)
    }
  }

  private var alreadyExists: CatalogError {
    CatalogError(
      .alreadyExists, "there is a file at \(file.path) already; it was left as it is",
      path: file.path)
  }

  /// Runs an edit and replaces the file, if the content is another one afterwards.
  func edit<Value>(
    always: Bool = false, _ body: (inout CatalogEditor) throws -> Value
  ) throws -> Value {
    try file.reporting("writing") {
      let (lock, status) = try locked()
      defer { try? lock.execute("ROLLBACK") }
      TemporaryFile.removeAbandoned(beside: file.path)
      let version = try file.checkedVersion(of: lock)
      let before = try lock.serialized()
      let copy = try Connection.inMemory(copying: before.rollbackJournalled)
      try copy.execute("PRAGMA foreign_keys = OFF; BEGIN")
      if version < file.format.version { try file.format.migrate(copy, from: version) }
      let changes = copy.totalChanges
      var editor = try CatalogEditor(connection: copy, path: file.path)
      let value = try body(&editor)
      guard copy.totalChanges != changes || always else { return value }
      try copy.execute(WriteQueries.deleteUnusedBodies)
      try checkIncludes(copy)
      try copy.execute("COMMIT")
      let packed = try rebuilt(copy, from: version)
      try replace(packed, before: before, permissions: status.permissions)
      return value
    }
  }

  /// The file with an exclusive lock, and that it is still the one at the path.
  private func locked() throws -> (Connection, FileStatus) {
    while true {
      guard let status = FileStatus(path: file.path) else {
        // Opening for reading says best what is missing.
        _ = try file.openForReading()
        continue
      }
      if access(file.path, W_OK) != 0 {
        throw CatalogError(
          .readOnly, "the catalog \(file.path) cannot be written: its permissions forbid it",
          path: file.path)
      }
      let connection = try Connection(path: file.path, mode: .readWrite)
      connection.setBusyTimeout(milliseconds: CatalogFile.busyTimeout)
      // Another tool may have left the file in WAL mode, whose sidecars would outlive the file.
      try connection.execute("PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE")
      // Another writer may have replaced the file while this one waited for the old one's lock.
      if try !connection.hasMoved() { return (connection, status) }
    }
  }

  private func checkIncludes(_ connection: Connection) throws {
    let reader = ScenarioReader(connection: connection, path: file.path)
    let graph = IncludeGraph(
      names: Set(try reader.names()), includes: try reader.includesByScenario())
    if var problem = graph.problems().first {
      problem.path = file.path
      throw problem
    }
  }

  /// The database with the schema text of the current migrations; a migrated one has another.
  private func rebuilt(_ copy: Connection, from version: Int) throws -> Connection {
    guard version < file.format.version else { return copy }
    let fresh = try file.format.emptyCatalog()
    try copy.copyRows(to: fresh)
    return fresh
  }

  private func replace(_ packed: Connection, before: Data, permissions: mode_t) throws {
    let target = URL(fileURLWithPath: file.path).resolvingSymlinksInPath().path
    let temporary = TemporaryFile(beside: target)
    defer { temporary.remove() }
    try pack(packed, into: temporary)
    if try isSame(temporary, as: before) { return }
    try temporary.synchronize(permissions: permissions)
    try temporary.rename(to: target)
    try TemporaryFile.synchronizeFolder(of: target)
  }

  /// Writes the database with its rows in the order of their keys and no free pages.
  private func pack(_ connection: Connection, into temporary: TemporaryFile) throws {
    // VACUUM INTO counts the schema version up; from a fixed one it is the same every time.
    try connection.execute("PRAGMA schema_version = 1")
    let statement = try connection.prepare("VACUUM INTO ?1")
    try statement.bind(1, temporary.path)
    try statement.run()
  }

  /// Whether the new file says what the old one said.
  ///
  /// Byte by byte; where another version of SQLite wrote the old one, by the digest of the content.
  private func isSame(_ temporary: TemporaryFile, as before: Data) throws -> Bool {
    let after = try Data(contentsOf: URL(fileURLWithPath: temporary.path), options: .alwaysMapped)
    if after == before { return true }
    guard after.count > 100, before.count > 100, before[96..<100] != after[96..<100] else {
      return false
    }
    let old = try Connection.inMemory(copying: before.rollbackJournalled)
    let new = try Connection.inMemory(copying: after)
    return try CatalogFormat.schema(of: old) == CatalogFormat.schema(of: new)
      && ContentDigest.digest(of: old) == ContentDigest.digest(of: new)
  }
}
