internal import Foundation

/// The digest of what a catalog says, whatever SQLite made of it.
///
/// Bodies count by their own digests, so that their bytes are not read.
enum ContentDigest {
  private static let statements = [
    "SELECT name, summary, tags FROM scenario ORDER BY id",
    "SELECT scenario_id, position, name FROM include ORDER BY scenario_id, position",
    "SELECT sha256 FROM body ORDER BY id",
    ReadQueries.conflicts,
    """
    SELECT scenario_id, position, key, summary, priority, required, method, scheme, host, port,
      path, pattern, exhaustion, flow FROM stub ORDER BY scenario_id, position
    """,
    """
    SELECT scenario_id, stub_position, position, status, headers, body_kind, body_id, rest
    FROM response ORDER BY scenario_id, stub_position, position
    """,
  ]

  static func digest(of connection: Connection) throws -> Data {
    var hash = SHA256Digest()
    for sql in statements {
      let statement = try connection.prepare(sql)
      while try statement.step() {
        for column in 0..<statement.columnCount {
          // The length keeps neighbouring values apart, the mark NULL from an empty text.
          let bytes = statement.data(column)
          hash.update(statement.isNull(column) ? "-" : "\(bytes.count):")
          hash.update(bytes)
        }
      }
    }
    return hash.finalized()
  }
}
