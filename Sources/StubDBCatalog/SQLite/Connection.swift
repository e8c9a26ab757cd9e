internal import CStubDBSQLite
internal import Foundation
internal import StubDBSupport

/// A connection to a database, to be used by one thread at a time.
///
/// It is opened without SQLite's own mutex: code that shares a connection keeps it in a lock.
package final class Connection {
  /// How a file is opened.
  package enum Mode {
    /// For reading; takes and honours locks.
    case readOnly
    /// For reading a file that cannot change: takes no locks and ignores a journal.
    case immutable
    /// For writing an existing file.
    case readWrite
    /// A new file, for writing.
    case create
  }

  package let handle: OpaquePointer
  /// Whether the database is being written to a file.
  package var isPacking = false
  /// How it waits for locks; kept here because SQLite has only a pointer to it.
  private var waiter: LockWaiter?

  /// Opens the file at a path.
  package convenience init(path: String, mode: Mode) throws(SQLiteError) {
    var uri = "file:" + Self.escaped(path)
    var flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    switch mode {
    case .readOnly:
      uri += "?mode=ro"
      flags |= SQLITE_OPEN_READONLY
    case .immutable:
      uri += "?mode=ro&immutable=1"
      flags |= SQLITE_OPEN_READONLY
    case .readWrite:
      uri += "?mode=rw"
      flags |= SQLITE_OPEN_READWRITE
    case .create:
      uri += "?mode=rwc"
      flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    }
    try self.init(uri: uri, flags: flags)
  }

  /// Opens an empty database in memory.
  ///
  /// URIs are enabled for file names, which packing needs.
  package static func inMemory() throws(SQLiteError) -> Connection {
    let connection = try Connection(
      uri: ":memory:",
      flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI)
    // Some builds of SQLite reserve bytes in every page of a new database; the number varies.
    var reserved: Int32 = 0
    try connection.check(
      sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved))
    return connection
  }

  private init(uri: String, flags: Int32) throws(SQLiteError) {
    var pointer: OpaquePointer?
    let result = sqlite3_open_v2(uri, &pointer, flags, nil)
    guard result == SQLITE_OK, let pointer else {
      let error = SQLiteError(
        extendedCode: pointer.map(sqlite3_extended_errcode) ?? result,
        message: pointer.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory")
      sqlite3_close_v2(pointer)
      throw error
    }
    handle = pointer
    sqlite3_extended_result_codes(handle, 1)
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Runs statements that return no rows.
  package func execute(_ sql: String) throws(SQLiteError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    try Statement(sql, on: self)
  }

  /// The first column of the only row as an integer.
  package func integer(_ sql: String) throws(SQLiteError) -> Int {
    let statement = try prepare(sql)
    _ = try statement.step()
    return statement.integer(0)
  }

  /// Waits up to this time for the lock of another connection to the file at a path.
  package func waitForLocks(of path: String, milliseconds: Int) {
    let waiter = LockWaiter(path: path, longest: milliseconds)
    self.waiter = waiter
    sqlite3_busy_handler(
      handle,
      { waiter, count in
        guard let waiter else { return 0 }
        return Unmanaged<LockWaiter>.fromOpaque(waiter).takeUnretainedValue().wait(count)
      }, Unmanaged.passUnretained(waiter).toOpaque())
  }

  /// The number of rows that were inserted, changed or deleted since the connection was opened.
  package var totalChanges: Int64 { Int64(sqlite3_total_changes64(handle)) }

  /// Whether the path now leads to another file than the open one.
  ///
  /// SQLite compares with the file it holds open, whose inode number cannot have been given to
  /// another file. https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntlhasmoved
  package func hasMoved() throws(SQLiteError) -> Bool {
    var moved: Int32 = 0
    try check(sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved))
    return moved != 0
  }

  /// The file's header, or as much of it as exists, as it is on the disk regardless of a journal.
  ///
  /// Takes no lock. https://www.sqlite.org/fileformat2.html#the_database_header
  package func header() throws(SQLiteError) -> DatabaseHeader {
    var bytes = [UInt8](repeating: 0, count: DatabaseHeader.byteCount)
    let result = stubdb_read_header(handle, &bytes, Int32(bytes.count))
    guard result == SQLITE_OK else {
      throw SQLiteError(extendedCode: result, message: String(cString: sqlite3_errstr(result)))
    }
    return DatabaseHeader(bytes)
  }

  package static let impossiblePage = SQLiteError(
    extendedCode: SQLITE_CORRUPT, message: "a page names one that cannot exist")

  package func check(_ result: Int32) throws(SQLiteError) {
    if result != SQLITE_OK { throw lastError() }
  }

  package func lastError() -> SQLiteError {
    // No disk can be full here.
    if sqlite3_errcode(handle) == SQLITE_FULL, isInMemory, !isPacking { return Self.impossiblePage }
    return SQLiteError(
      extendedCode: sqlite3_extended_errcode(handle),
      message: String(cString: sqlite3_errmsg(handle)),
      systemError: sqlite3_system_errno(handle))
  }

  private var isInMemory: Bool {
    sqlite3_db_filename(handle, "main").map { $0.pointee == 0 } ?? true
  }

  /// A path as a `file:` URI contains it. https://www.sqlite.org/uri.html
  package static func escaped(_ path: String) -> String {
    path.replacingScalar("%", with: "%25").replacingScalar("?", with: "%3f")
      .replacingScalar("#", with: "%23")
  }
}
