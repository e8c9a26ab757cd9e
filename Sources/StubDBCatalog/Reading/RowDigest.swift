internal import Foundation

/// The SHA-256 of rows, independent of how SQLite stores them.
struct RowDigest {
  private var hash = SHA256Digest()
  /// Rows to be hashed; hashing many small ones at once is faster.
  private var buffer = [UInt8](repeating: 0, count: 4_096)
  private var used = 0

  /// Adds columns of the statement's current row.
  mutating func update(_ row: Statement, columns: Range<Int32>) {
    while true {
      let size = buffer.withUnsafeMutableBytes { bytes in
        row.writeRow(
          columns: columns, to: UnsafeMutableRawBufferPointer(rebasing: bytes[used...]))
      }
      if used + size <= buffer.count {
        used += size
        return
      }
      hashBuffer()
      if size > buffer.count { buffer = [UInt8](repeating: 0, count: size) }
    }
  }

  /// The digest of everything since the last call; 32 bytes.
  mutating func finish() -> Data {
    hashBuffer()
    defer { hash = SHA256Digest() }
    return hash.finalized()
  }

  private mutating func hashBuffer() {
    buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<used])) }
    used = 0
  }
}
