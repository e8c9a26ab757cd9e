internal import CStubDBSQLite
package import Foundation
internal import StubDBSupport

/// The rows of a statement, each copied out of SQLite in one call, with the SHA-256 of all of them.
package final class HashedRows {
  private let statement: Statement
  /// The number of columns that every row has.
  private let requiredCount: Int32
  /// The number of optional columns after them, which are read and hashed up to the last one that is not null.
  private let laterCount: Int32
  /// The number of columns in the current row.
  private var columnCount = 0
  private var hash = SHA256Digest()
  /// Rows that are not hashed yet; the current row is the last.
  private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 8)
  /// The range of the current row in the buffer.
  private var row = 0..<0
  /// The offset of each value in the row: a byte for its type, 8 for its number or length, then its bytes.
  private let places: UnsafeMutableBufferPointer<Int64>

  /// Reads and hashes the required columns of each row, and the optional ones up to the last that is not null.
  package init(_ statement: Statement, columnCount: Int, laterColumnCount: Int = 0) {
    self.statement = statement
    requiredCount = Int32(columnCount)
    laterCount = Int32(laterColumnCount)
    places = .allocate(capacity: columnCount + laterColumnCount)
    places.initialize(repeating: 0)
  }

  deinit {
    memory.deallocate()
    places.deallocate()
  }

  /// Advances to the next row; false after the last one.
  package func step() throws(SQLiteError) -> Bool {
    guard try statement.step() else { return false }
    var count = requiredCount + laterCount
    while count > requiredCount, statement.isNull(count - 1) { count -= 1 }
    let columns = 0..<count
    columnCount = Int(count)
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

  /// The digest of all rows, 32 bytes; after this call there is no current row.
  package func digest() -> Data {
    hashMemory()
    return hash.finalized()
  }

  package func isNull(_ column: Int) -> Bool {
    column >= columnCount
      || memory[place(of: column)] == UInt8(truncatingIfNeeded: SQLITE_NULL)
  }

  /// The integer in a column; the number of bytes for values of other types.
  package func integer(_ column: Int) -> Int {
    Int(
      truncatingIfNeeded: UInt64(
        littleEndian: memory.loadUnaligned(fromByteOffset: place(of: column) + 1, as: UInt64.self)))
  }

  /// The bytes of a column; valid until the next step.
  package func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    let start = place(of: column) + 9
    return UnsafeRawBufferPointer(rebasing: memory[start..<start + integer(column)])
  }

  /// The text of a column; throws if it is not UTF-8.
  package func text(_ column: Int) throws(SQLiteError) -> String {
    isNull(column) ? "" : try Statement.text(bytes(column))
  }

  package func optionalText(_ column: Int) throws(SQLiteError) -> String? {
    isNull(column) ? nil : try Statement.text(bytes(column))
  }

  /// The encoded values of neighbouring columns, valid until the next step; the same bytes mean the same values.
  ///
  /// Empty if the row ends before the last of them.
  package func encoding(of columns: ClosedRange<Int>) -> UnsafeRawBufferPointer {
    guard columns.upperBound < columnCount else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    let last = columns.upperBound
    let end = last + 1 < columnCount ? place(of: last + 1) : row.upperBound
    return UnsafeRawBufferPointer(rebasing: memory[place(of: columns.lowerBound)..<end])
  }

  private func place(of column: Int) -> Int { row.lowerBound + Int(places[column]) }

  private func hashMemory() {
    hash.update(UnsafeRawBufferPointer(rebasing: memory[..<row.upperBound]))
    row = 0..<0
  }
}
