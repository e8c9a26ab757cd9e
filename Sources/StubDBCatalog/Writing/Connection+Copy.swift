internal import Foundation

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
}
