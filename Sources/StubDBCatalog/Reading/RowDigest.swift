internal import Foundation
package import StubDBSupport

/// The SHA-256 of rows, independent of how SQLite stores them.
package struct RowDigest {
  /// What was hashed; nil for nothing.
  private var hash: SHA256Digest?
  /// Rows to be hashed; hashing many small ones at once is faster.
  private var buffer = [UInt8](repeating: 0, count: 4_096)
  private var used = 0

  package init() {}

  /// Adds columns of the statement's current row.
  package mutating func update(_ row: Statement, columns: Range<Int32>) {
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

  /// The digest of everything since the last call.
  package mutating func finish() -> SHA256Digest.Value {
    defer { (hash, used) = (nil, 0) }
    // Few rows are all in the buffer, as those of a scenario.
    guard var hash else { return waiting(SHA256Digest.value(of:)) }
    waiting { hash.update($0) }
    return hash.finalizedValue()
  }

  private mutating func hashBuffer() {
    var hash = self.hash ?? SHA256Digest()
    self.hash = nil
    waiting { hash.update($0) }
    (self.hash, used) = (hash, 0)
  }

  /// Calls the closure with the rows that are not hashed yet.
  private func waiting<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<used])) }
  }
}

/// The contents of the digests in a catalog.
///
/// They form a tree: the catalog's digest covers those of the scenarios, which cover those of their stubs, which cover
/// those of the bodies. A migration that changes a column below has to update them.
extension RowDigest {
  /// Adds a row of ``ReadQueries/scenario``, without its digest.
  package mutating func update(scenario row: Statement) {
    update(row, columns: ScenarioColumn.digested)
  }

  /// Adds a row of ``ReadQueries/includes``, or of the query for all includes.
  package mutating func update(include row: Statement) { update(row, columns: 0..<1) }

  /// Adds a row of ``ReadQueries/conflicts``.
  package mutating func update(conflict row: Statement) {
    update(row, columns: 0..<Int32(ConflictColumn.allCases.count))
  }

  /// Adds the digest and the name of a row of ``ReadQueries/scenarioNames``.
  package mutating func update(name row: Statement) {
    update(row, columns: 0..<Int32(ScenarioColumn.listed.count))
  }

  /// The digest of a scenario's stubs, whose rows have been read.
  package static func ofStubs(_ stubs: HashedRows, responses: HashedRows) -> SHA256Digest.Value {
    var hash = SHA256Digest()
    hash.update(stubs.digest())
    hash.update(responses.digest())
    return hash.finalizedValue()
  }
}
