internal import CStubDBSQLite
internal import Foundation

/// The rows of a statement, each copied out of SQLite in one call, and the SHA-256 of all of them.
final class HashedRows {
  private let statement: Statement
  private let columns: Range<Int32>
  /// Whether the rows have one more column, which is read and hashed where it is not null.
  private let hasLaterColumn: Bool
  /// How many columns the current row has.
  private var columnCount = 0
  private var hash = SHA256Digest()
  /// Rows that are not hashed yet; the last one is the current row.
  private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 8)
  /// Where the current row begins and ends in the memory.
  private var row = 0..<0
  /// Where each value begins in the row: its type in a byte, its number or length in 8, its bytes.
  private let places: UnsafeMutableBufferPointer<Int64>

  /// Reads and hashes the first columns of each row.
  init(_ statement: Statement, columnCount: Int32, hasLaterColumn: Bool = false) {
    self.statement = statement
    self.hasLaterColumn = hasLaterColumn
    columns = 0..<columnCount
    places = .allocate(capacity: Int(columnCount) + 1)
    places.initialize(repeating: 0)
  }

  deinit {
    memory.deallocate()
    places.deallocate()
  }

  /// Goes to the next row; false after the last one.
  func step() throws(SQLiteError) -> Bool {
    guard try statement.step() else { return false }
    let hasLater = hasLaterColumn && !statement.isNull(columns.upperBound)
    let columns = hasLater ? 0..<columns.upperBound + 1 : columns
    columnCount = columns.count
    while true {
      let room = UnsafeMutableRawBufferPointer(rebasing: memory[row.upperBound...])
      let size = statement.writeRow(columns: columns, to: room, places: places.baseAddress)
      if size <= room.count {
        row = row.upperBound..<row.upperBound + size
        return true
      }
      hashMemory()
      if size > memory.count {
        memory.deallocate()
        memory = .allocate(byteCount: size, alignment: 8)
      }
    }
  }

  /// The digest of all rows, 32 bytes; there is no current row any more.
  func digest() -> Data {
    hashMemory()
    return hash.finalized()
  }

  func isNull(_ column: Int) -> Bool {
    memory[place(of: column)] == UInt8(truncatingIfNeeded: SQLITE_NULL)
  }

  /// The integer of a column; the number of bytes of one that holds something else.
  func integer(_ column: Int) -> Int {
    Int(
      truncatingIfNeeded: UInt64(
        littleEndian: memory.loadUnaligned(fromByteOffset: place(of: column) + 1, as: UInt64.self)))
  }

  /// The bytes of a column; gone with the next step.
  func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    let start = place(of: column) + 9
    return UnsafeRawBufferPointer(rebasing: memory[start..<start + integer(column)])
  }

  /// The text of a column; throws where it is not UTF-8.
  func text(_ column: Int) throws(SQLiteError) -> String {
    isNull(column) ? "" : try Statement.text(bytes(column))
  }

  func optionalText(_ column: Int) throws(SQLiteError) -> String? {
    isNull(column) ? nil : try Statement.text(bytes(column))
  }

  /// The text of the column that only some rows have; nil for the others.
  func laterText(_ column: Int) throws(SQLiteError) -> String? {
    column < columnCount ? try Statement.text(bytes(column)) : nil
  }

  private func place(of column: Int) -> Int { row.lowerBound + Int(places[column]) }

  private func hashMemory() {
    hash.update(UnsafeRawBufferPointer(rebasing: memory[..<row.upperBound]))
    row = 0..<0
  }
}
