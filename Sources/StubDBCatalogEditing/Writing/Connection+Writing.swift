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

  /// Writes the database to an empty file, with rows in key order and without free pages.
  ///
  /// Takes no locks of SQLite: no other program knows the file, and on network file systems they would interfere with
  /// the writer's own lock.
  func pack(into path: String) throws(SQLiteError) {
    isPacking = true
    defer { isPacking = false }
    let statement = try prepare("VACUUM INTO ?1")
    try statement.bind(1, "file:" + Self.escaped(path) + "?nolock=1")
    do {
      try statement.run()
    } catch {
      // Either the disk is full, or a page names one that cannot exist.
      guard error.isDiskFull, try !isWhole() else { throw error }
      throw Self.impossiblePage
    }
  }

  /// Whether SQLite finds no damage in the pages.
  private func isWhole() throws(SQLiteError) -> Bool {
    let row = try prepare("PRAGMA quick_check(1)")
    guard try row.step() else { return false }
    return try row.text(0) == "ok"
  }
}

extension CatalogFormat {
  /// The names of a database's tables in the order of their creation.
  static func tables(of connection: Connection) throws(SQLiteError) -> [String] {
    let statement = try connection.prepare(SchemaQueries.tables)
    var names: [String] = []
    while try statement.step() { names.append(try statement.text(0)) }
    return names
  }

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

extension Statement {
  /// Runs a statement that returns no rows, and resets it.
  func run() throws(SQLiteError) {
    defer { reset() }
    _ = try step()
  }
}
