import Foundation
package import StubDBCatalog

// What writing a catalog needs of a database, and reading does not.

extension Connection {
  /// Copies all rows of all tables into a database with the same tables.
  ///
  /// The columns are those of the target; tables of the source may have additional ones.
  func copyRows(to other: Connection) throws {
    let tables = try CatalogFormat.tables(of: other)
    try other.execute("BEGIN")
    for table in tables {
      let columns = try other.names("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid")
      let list = columns.joined(separator: ", ")
      let source = try prepare("SELECT \(list) FROM \(table)")
      let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
      let target = try other.prepare("INSERT INTO \(table) (\(list)) VALUES (\(places))")
      while try source.step() {
        for column in columns.indices { try target.bind(Int32(column + 1), source, Int32(column)) }
        try target.run()
      }
    }
    try other.execute("COMMIT")
  }

  private func names(_ sql: String) throws -> [String] {
    let statement = try prepare(sql)
    var names: [String] = []
    while try statement.step() { names.append(try statement.text(0)) }
    return names
  }

  /// Sets how much memory pages may take before some are dropped.
  func setCacheSize(kibibytes: Int) throws(SQLiteError) {
    try execute("PRAGMA cache_size = -\(kibibytes)")
  }
}

extension CatalogFormat {
  /// An empty catalog in memory.
  package func emptyCatalog() throws(SQLiteError) -> Connection {
    let connection = try Connection.inMemory()
    try connection.execute(
      """
      PRAGMA page_size = 4096; PRAGMA encoding = 'UTF-8'; PRAGMA auto_vacuum = NONE;
      PRAGMA application_id = \(Self.applicationID)
      """)
    try migrate(connection, from: 0)
    return connection
  }
}

/// The offsets are those of https://www.sqlite.org/fileformat2.html#the_database_header
extension Data {
  /// The part of the header that describes the layout of pages: their size and reserved bytes, schema format, vacuum
  /// mode and text encoding.
  var databaseLayout: [Data] {
    count < 100
      ? [] : [self[16..<18], self[20..<21], self[44..<60], self[64..<68]].map { Data($0) }
  }

  /// The header without the number of pages.
  ///
  /// It is the same for every file that one version of stubdb wrote with one version of SQLite.
  var databaseStamp: [Data] {
    count < 100 ? [] : [self[..<28], self[32..<100]].map { Data($0) }
  }
}
