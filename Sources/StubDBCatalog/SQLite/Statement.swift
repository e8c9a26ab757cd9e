internal import CStubDBSQLite
package import Foundation
package import StubDBSupport

/// A prepared statement, to be used by one thread at a time, like its connection.
package final class Statement {
  private let handle: OpaquePointer
  private let connection: Connection

  package init(_ sql: String, on connection: Connection) throws(SQLiteError) {
    var pointer: OpaquePointer?
    try connection.check(
      sqlite3_prepare_v3(connection.handle, sql, -1, 0, &pointer, nil))
    guard let pointer else {
      throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "the statement is empty")
    }
    handle = pointer
    self.connection = connection
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Advances to the next row; false after the last one.
  package func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw connection.lastError()
    }
  }

  /// Resets the statement so that it can run again; bound values stay.
  package func reset() {
    sqlite3_reset(handle)
  }

  package func bind(_ index: Int32, _ value: Int64?) throws(SQLiteError) {
    guard let value else { return try connection.check(sqlite3_bind_null(handle, index)) }
    try connection.check(sqlite3_bind_int64(handle, index, value))
  }

  package func bind(_ index: Int32, _ value: Int?) throws(SQLiteError) {
    try bind(index, value.map(Int64.init))
  }

  package func bind(_ index: Int32, _ text: String?) throws(SQLiteError) {
    guard let text else { return try connection.check(sqlite3_bind_null(handle, index)) }
    // A C string has a terminating zero, so the pointer is never nil.
    try connection.check(
      text.withCString { stubdb_bind_text(handle, index, $0, UInt64(text.utf8.count)) })
  }

  package func bind(_ index: Int32, _ bytes: Data) throws(SQLiteError) {
    let result = bytes.withUnsafeBytes { buffer in
      buffer.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : stubdb_bind_blob(handle, index, buffer.baseAddress, UInt64(buffer.count))
    }
    try connection.check(result)
  }

  package func bind(_ index: Int32, _ digest: SHA256Digest.Value) throws(SQLiteError) {
    try bind(index, SHA256Digest.data(digest))
  }

  /// Binds the value of a column in another statement's current row.
  package func bind(_ index: Int32, _ row: Statement, _ column: Int32) throws(SQLiteError) {
    try connection.check(
      sqlite3_bind_value(handle, index, sqlite3_column_value(row.handle, column)))
  }

  /// Encodes columns of the row so that different rows have different bytes, as far as they fit.
  ///
  /// `places`, if given, has room for the offset of every column's value.
  /// - Returns: The number of bytes needed; if the buffer is smaller, its content is not usable.
  package func writeRow(
    columns: Range<Int32>, to buffer: UnsafeMutableRawBufferPointer,
    places: UnsafeMutablePointer<Int64>? = nil
  ) -> Int {
    Int(
      stubdb_row_bytes(
        handle, columns.lowerBound, Int32(columns.count),
        buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), sqlite3_int64(buffer.count),
        places))
  }

  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  package func integer(_ column: Int32) -> Int {
    Int(sqlite3_column_int64(handle, column))
  }

  /// The text of a column; throws if it is not UTF-8.
  package func text(_ column: Int32) throws(SQLiteError) -> String {
    guard let pointer = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return try Self.text(UnsafeRawBufferPointer(start: pointer, count: count))
  }

  /// Decodes bytes as UTF-8; throws if they are not.
  package static func text(_ bytes: UnsafeRawBufferPointer) throws(SQLiteError) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    // Decoding replaces invalid bytes, so the result is compared.
    if text.hasBytes(bytes) { return text }
    throw .damage("a text is not valid UTF-8")
  }

  package func optionalText(_ column: Int32) throws(SQLiteError) -> String? {
    isNull(column) ? nil : try text(column)
  }

  package func data(_ column: Int32) -> Data {
    guard let pointer = sqlite3_column_blob(handle, column) else { return Data() }
    return Data(bytes: pointer, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// The digest in a column; nil if what is there has another size.
  package func digest(_ column: Int32) -> SHA256Digest.Value? {
    guard let pointer = sqlite3_column_blob(handle, column),
      sqlite3_column_bytes(handle, column) == MemoryLayout<SHA256Digest.Value>.size
    else { return nil }
    return pointer.loadUnaligned(as: SHA256Digest.Value.self)
  }
}

extension String {
  /// Whether these bytes are the UTF-8 form of the text.
  package func hasBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { own in
      guard own.count == bytes.count else { return false }
      guard let left = own.baseAddress, let right = bytes.baseAddress else { return true }
      return memcmp(left, right, bytes.count) == 0
    }
    return isSame ?? utf8.elementsEqual(bytes)
  }
}
