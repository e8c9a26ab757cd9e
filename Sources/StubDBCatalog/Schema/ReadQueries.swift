/// Queries that read scenarios, one statement per constant.
package enum ReadQueries {
  /// Columns: ``ScenarioColumn/listed``; ordered by name.
  package static let scenarioNames = """
    SELECT \(ScenarioColumn.listed.map(\.stored).joined(separator: ", "))
    FROM scenario ORDER BY name
    """

  /// Columns: SHA-256 of all scenarios' digests and names.
  package static let catalogDigest = "SELECT sha256 FROM catalog WHERE id = 1"

  /// One scenario without its stubs and includes.
  ///
  /// Parameter 1: the scenario's id. Columns: those of ``ScenarioColumn``.
  package static let scenario = "SELECT \(ScenarioColumn.names) FROM scenario WHERE id = ?1"

  /// The id of the scenario with a name, whatever it is.
  ///
  /// Parameter 1: the name. Columns: id.
  package static let scenarioWithName = "SELECT id FROM scenario WHERE name = ?1"

  /// The scenarios with a stub that may match a request; the others cannot match it.
  ///
  /// Parameters: 1 the request's method, 2 its path in canonical percent-encoding.
  /// Columns: name; ordered by name.
  package static let scenariosForRequest = """
    SELECT name FROM scenario WHERE EXISTS (
      SELECT 1 FROM stub WHERE scenario_id = scenario.id
        AND (method IS NULL OR method = ?1 OR ?1 = 'HEAD' AND method = 'GET')
        AND (path IS NULL OR path = ?2 OR path GLOB '*[{*]*'))
    ORDER BY name
    """

  /// The names that a scenario includes, in order.
  ///
  /// Parameter 1: the scenario's id. Columns: included name.
  package static let includes = "SELECT name FROM include WHERE scenario_id = ?1 ORDER BY position"

  /// Every conflict, in order; the key is empty for the scenario itself.
  ///
  /// Columns: those of ``ConflictColumn``.
  package static let conflicts = """
    SELECT \(ConflictColumn.names) FROM conflict
    ORDER BY \(ConflictColumn.identity.map(\.stored).joined(separator: ", "))
    """

  /// The stubs of a scenario, in order.
  ///
  /// Parameter 1: the scenario's id. Columns: position, those of ``StubColumn``.
  package static let stubs = """
    SELECT position, \(StubColumn.names)
    FROM stub WHERE scenario_id = ?1 ORDER BY position
    """

  /// The responses of a scenario's stubs with their bodies, in the order of the stubs.
  ///
  /// Parameters: 1 the scenario's id, 2 the largest body to read, in bytes.
  /// Columns: the stub's position, those of ``ResponseColumn``, the body's bytes.
  package static let responses = """
    SELECT stub_position, \(ResponseColumn.selectedList),
      CASE WHEN length(bytes) <= ?2 THEN bytes END
    FROM response LEFT JOIN body ON body.id = body_id
    WHERE scenario_id = ?1 ORDER BY stub_position, position
    """

  /// One body.
  ///
  /// Parameter 1: the body's id. Columns: bytes, SHA-256.
  package static let body = "SELECT bytes, sha256 FROM body WHERE id = ?1"
}

/// Queries about the file rather than its content.
package enum SchemaQueries {
  /// Every object of the schema, ordered by type and name, because packing a file changes the order.
  ///
  /// Columns: type, name, table and SQL joined by `|`.
  package static let schema = """
    SELECT type || '|' || name || '|' || tbl_name || '|' || coalesce(sql, '')
    FROM sqlite_schema ORDER BY type, name
    """

  /// Columns: name; every table, in the order of creation.
  package static let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid"
}
