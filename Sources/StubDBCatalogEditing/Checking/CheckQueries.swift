import StubDBCatalog

// Queries of whole catalogs, which loading a scenario does not need.

extension ReadQueries {
  /// Every scenario without its stubs and includes; ordered by name.
  ///
  /// Columns: those of ``ScenarioColumn``.
  static let scenarioList = "SELECT \(ScenarioColumn.names) FROM scenario ORDER BY name"

  /// Columns: included name, including name; ordered by the including name and by position.
  static let allIncludes = """
    SELECT include.name, scenario.name FROM include JOIN scenario ON scenario.id = scenario_id
    ORDER BY scenario.name, include.position
    """

  /// Every scenario with the stubs that name a host and a path; without any, one row whose host is null.
  ///
  /// Columns: scenario, method, scheme, host, port, path, the rest of the pattern or an empty text.
  static let requestOrigins = """
    SELECT scenario.name, method, scheme, host, port, path, coalesce(pattern, '')
    FROM scenario LEFT JOIN stub
      ON scenario_id = scenario.id AND host IS NOT NULL AND path IS NOT NULL
    """

  /// Columns: bytes, SHA-256, id; every body.
  static let allBodies = "SELECT bytes, sha256, id FROM body ORDER BY id"
}

extension SchemaQueries {
  /// Columns: one text, either `ok` or a problem of the file's structure.
  static let integrityCheck = "PRAGMA integrity_check(20)"

  /// Columns: the table of a row whose foreign key has no target, and more.
  static let foreignKeyCheck = "PRAGMA foreign_key_check"
}
