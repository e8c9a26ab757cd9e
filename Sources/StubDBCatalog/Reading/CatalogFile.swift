internal import Foundation

/// A catalog's file: opens it for reading after every check that comes before the first query.
package struct CatalogFile: Sendable {
  /// How long readers and writers wait for a lock, in milliseconds.
  package static let busyTimeout = 60_000

  package let path: String
  package let format: CatalogFormat

  package init(path: String, format: CatalogFormat) {
    (self.path, self.format) = (path, format)
  }

  /// Opens the file for the duration of a closure; errors of SQLite become errors of the catalog.
  package func read<Value>(_ body: (Connection) throws -> Value) throws(CatalogError) -> Value {
    try reporting("reading") { try body(openForReading()) }
  }

  /// Runs a closure; all its errors become errors of the catalog.
  package func reporting<Value>(
    _ what: String, _ body: () throws -> Value
  ) throws(CatalogError) -> Value {
    try CatalogError.reporting(what, path: path, body)
  }

  /// Opens the file, rolls back an interrupted write, refuses a file that is not a whole catalog of a known version,
  /// and migrates an older one in memory.
  package func openForReading() throws -> Connection {
    guard let status = FileStatus(path: path) else { throw Self.missing(path, reason: errno) }
    if !status.isRegularFile || status.byteCount == 0 {
      let what = status.isFolder ? "a folder" : status.isRegularFile ? "empty" : "not a file"
      throw CatalogError(
        .notACatalog, "\(path) is not a stubdb catalog: it is \(what)", path: path)
    }
    // SQLite only says that it cannot open the file.
    guard access(path, R_OK) == 0 else { throw Self.missing(path, reason: errno) }
    let (connection, version) = try openChecked()
    guard version < format.version else { return connection }
    let copy = try Connection.inMemory(copying: connection.serialized().rollbackJournalled)
    try format.migrate(copy, from: version)
    try copy.harden()
    return copy
  }

  /// Why there is nothing to read at a path; `reason` is what the system said.
  private static func missing(_ path: String, reason: Int32) -> CatalogError {
    switch reason {
    case ENOENT, ENOTDIR:
      CatalogError(
        .notFound,
        "there is no catalog at \(path); create one with: stubdb init \(path)", path: path)
    case EACCES, EPERM:
      CatalogError(
        .inputOutput,
        "the catalog \(path) cannot be read: the permissions of the file or of a folder on its path forbid it "
          + "(see: ls -ld \(quoted(path)))", path: path)
    default:
      CatalogError(
        .inputOutput,
        "the catalog \(path) cannot be read: \(String(cString: strerror(reason)))", path: path)
    }
  }

  private func openChecked() throws -> (Connection, Int) {
    do {
      return try openChecked(.readOnly)
    } catch let error as SQLiteError where error.isReadOnly || error.isCannotOpen {
      if hasJournal {
        try undoUnfinishedWrite()
        return try openChecked(.readOnly)
      }
      if hasWriteAheadLog { throw unreadableLog }
      // A file in WAL mode in a read-only folder. It cannot change, and no other file belongs to it.
      return try openChecked(.immutable)
    }
  }

  private func openChecked(_ mode: Connection.Mode) throws -> (Connection, Int) {
    var connection = try Connection(path: path, mode: mode)
    if mode == .readOnly, try connection.header().isWALMode, !hasSidecar {
      // A connection that only reads creates a log and leaves it; one that may write removes the log when it is closed.
      connection = try Connection(path: path, mode: isWritable ? .readWrite : .immutable)
    } else if mode == .readOnly, isWritable, hasForeignLog, try isCatalogWithoutLog(connection) {
      // The same for a file beside it that is no log: SQLite makes an index for it, and ignores it.
      connection = try Connection(path: path, mode: .readWrite)
    }
    connection.waitForLocks(of: path, milliseconds: Self.busyTimeout)
    try connection.harden()
    return (connection, try checkedVersion(of: connection))
  }

  private func isCatalogWithoutLog(_ connection: Connection) throws -> Bool {
    let header = try connection.header()
    return header.applicationID == CatalogFormat.applicationID && !header.isWALMode
  }

  /// The version of the file, if it is a whole catalog of a known version.
  package func checkedVersion(of connection: Connection) throws -> Int {
    let applicationID = try connection.integer("PRAGMA application_id")
    let version = try connection.integer("PRAGMA user_version")
    guard applicationID == CatalogFormat.applicationID else {
      throw CatalogError(
        .notACatalog,
        "\(path) is not a stubdb catalog: it is an SQLite file of another application", path: path)
    }
    guard version <= format.version else {
      throw CatalogError(
        .newerVersion,
        "the catalog \(path) has version \(version), and this stubdb reads up to version "
          + "\(format.version); install a newer stubdb", path: path)
    }
    guard try format.isSchema(of: connection, ofVersion: version) else {
      throw CatalogError(
        .damaged,
        "the catalog \(path) is refused: its tables are not exactly those of version \(version), so "
          + "another program changed it; restore it, for example with git", path: path)
    }
    try checkSize(of: connection)
    return version
  }

  /// Refuses a file that was truncated or extended, which SQLite ignores.
  private func checkSize(of connection: Connection) throws {
    let pages = try connection.integer("PRAGMA page_count")
    let size = pages * (try connection.integer("PRAGMA page_size"))
    guard let status = FileStatus(path: path), status.byteCount != size, !hasSidecar else { return }
    // If another file was put at the path in the meantime, or something is writing to this one, the size that was found
    // means nothing.
    if try connection.hasMoved() { return }
    guard try connection.integer("PRAGMA page_count") == pages else { return }
    throw CatalogError(
      .damaged,
      "the catalog \(path) is damaged: it has \(status.byteCount) bytes and should have \(size); "
        + "restore it, for example with git", path: path)
  }

  /// The identity and state of the file; nil if there is no file, or if a journal beside it may have other content.
  package var identity: FileIdentity? {
    // Asked twice by every test: a file that is no link is looked at once.
    guard let status = FileStatus(path: path, followingLinks: false) else { return nil }
    guard status.isLink else { return hasSidecar(beside: path) ? nil : status.identity }
    return hasSidecar ? nil : FileStatus(path: path)?.identity
  }
}
