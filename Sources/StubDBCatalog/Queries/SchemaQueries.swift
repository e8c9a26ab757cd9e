/// Queries about the file rather than its content.
enum SchemaQueries {
  /// Every object of the schema, ordered by type and name, because packing a file changes the order.
  ///
  /// Columns: type, name, table and SQL joined by `|`.
  static let schema = """
    SELECT type || '|' || name || '|' || tbl_name || '|' || coalesce(sql, '')
    FROM sqlite_schema ORDER BY type, name
    """

  /// Columns: name; every table, in the order of creation.
  static let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid"

  /// Columns: one text, either `ok` or a problem of the file's structure.
  static let integrityCheck = "PRAGMA integrity_check(20)"

  /// Columns: the table of a row whose foreign key has no target, and more.
  static let foreignKeyCheck = "PRAGMA foreign_key_check"
}
