/// Queries about the file rather than its content.
enum SchemaQueries {
  /// Every object of the schema, by type and name: packing a file changes their order.
  ///
  /// Columns: type, name, table and SQL joined by `|`.
  static let schema = """
    SELECT type || '|' || name || '|' || tbl_name || '|' || coalesce(sql, '')
    FROM sqlite_schema ORDER BY type, name
    """

  /// Columns: name; every table, in the order in which they were made.
  static let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid"

  /// Columns: one text, `ok` or a problem of the file's structure.
  static let integrityCheck = "PRAGMA integrity_check(20)"

  /// Columns: the table that has a row that refers to nothing, and more.
  static let foreignKeyCheck = "PRAGMA foreign_key_check"
}
