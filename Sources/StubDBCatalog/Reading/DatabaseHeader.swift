package import Foundation

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
