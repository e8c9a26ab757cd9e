internal import CStubDBSQLite
package import Foundation

extension Connection {
  /// The bytes of the main database, as a file would contain them.
  ///
  /// Reads through the connection: opening and closing the file separately would drop the locks that POSIX keeps per
  /// process. https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
  package func serialized() throws(SQLiteError) -> Data {
    var size: sqlite3_int64 = 0
    guard let bytes = sqlite3_serialize(handle, "main", &size, 0) else {
      // Serializing does not give the reason for a failure; reading the pages does.
      _ = try integer("PRAGMA page_count")
      throw SQLiteError(extendedCode: SQLITE_NOMEM, message: "the database does not fit in memory")
    }
    return Data(
      bytesNoCopy: bytes, count: Int(size),
      deallocator: .custom { pointer, _ in sqlite3_free(pointer) })
  }

  /// Opens a database in memory with these bytes; changes stay in memory.
  package static func inMemory(copying bytes: Data) throws(SQLiteError) -> Connection {
    let connection = try inMemory()
    guard let copy = sqlite3_malloc64(UInt64(max(bytes.count, 1))) else {
      throw SQLiteError(extendedCode: SQLITE_NOMEM, message: "out of memory")
    }
    bytes.withUnsafeBytes { source in
      if let base = source.baseAddress { copy.copyMemory(from: base, byteCount: source.count) }
    }
    let size = sqlite3_int64(bytes.count)
    // SQLite owns the copy from here on, even if the call fails.
    try connection.check(
      sqlite3_deserialize(
        connection.handle, "main", copy.assumingMemoryBound(to: UInt8.self), size, size,
        UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE)))
    // SQLite's default limit is 1 GiB; exceeding it would look like a full disk.
    var limit = sqlite3_int64.max / 2
    try connection.check(
      sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_SIZE_LIMIT, &limit))
    return connection
  }
}

/// The first 100 bytes of a database. https://www.sqlite.org/fileformat2.html#the_database_header
package struct DatabaseHeader {
  package static let byteCount = 100

  /// Whether the file is in WAL mode.
  package let isWALMode: Bool
  /// The application that the file belongs to.
  package let applicationID: Int

  /// Reads ``byteCount`` bytes.
  package init(_ bytes: [UInt8]) {
    isWALMode = bytes[18] == 2 || bytes[19] == 2
    applicationID = bytes[68..<72].reduce(0) { $0 << 8 | Int($1) }
  }
}

/// The header of a database that is in memory as a whole.
///
/// The offsets are those of https://www.sqlite.org/fileformat2.html#the_database_header
extension Data {
  /// The bytes of a database, with its header changed to rollback mode.
  ///
  /// A database in memory cannot be in WAL mode.
  package var rollbackJournalled: Data {
    guard count > 19, self[startIndex + 18] == 2 else { return self }
    var copy = Data(self)
    copy[18] = 1
    copy[19] = 1
    return copy
  }
}
