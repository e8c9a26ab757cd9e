/// Queries that read scenarios, one statement a constant.
enum ReadQueries {
  /// Every scenario without its stubs and includes; ordered by name.
  ///
  /// Columns: SHA-256, name, summary, tags (JSON), number of stubs, SHA-256 of the stubs.
  static let scenarioList = """
    SELECT sha256, name, summary, tags, stub_count, stubs_sha256 FROM scenario ORDER BY name
    """

  /// Columns: SHA-256, name; ordered by name.
  static let scenarioNames = "SELECT sha256, name FROM scenario ORDER BY name"

  /// Columns: SHA-256 of all scenarios' digests and names.
  static let catalogDigest = "SELECT sha256 FROM catalog WHERE id = 1"

  /// One scenario without its stubs and includes.
  ///
  /// Parameter 1: the scenario's id. Columns: as of ``scenarioList``.
  static let scenario = """
    SELECT sha256, name, summary, tags, stub_count, stubs_sha256 FROM scenario WHERE id = ?1
    """

  /// Scenarios that have a stub which may match a request: none of the others does.
  ///
  /// Parameters: 1 the request's method, 2 its path in canonical percent-encoding.
  /// Columns: name; ordered by name.
  static let scenariosForRequest = """
    SELECT name FROM scenario WHERE EXISTS (
      SELECT 1 FROM stub WHERE scenario_id = scenario.id
        AND (method IS NULL OR method = ?1 OR ?1 = 'HEAD' AND method = 'GET')
        AND (path IS NULL OR path = ?2 OR path GLOB '*[{*]*'))
    ORDER BY name
    """

  /// The names that a scenario includes, in order.
  ///
  /// Parameter 1: the scenario's id. Columns: included name.
  static let includes = "SELECT name FROM include WHERE scenario_id = ?1 ORDER BY position"

  /// Columns: included name, including name; ordered by the including name and their order there.
  static let allIncludes = """
    SELECT include.name, scenario.name FROM include JOIN scenario ON scenario.id = scenario_id
    ORDER BY scenario.name, include.position
    """

  /// Columns: scenario, key (empty for the scenario itself), pointer, base, ours, theirs; in order.
  static let conflicts = """
    SELECT scenario, key, pointer, base, ours, theirs FROM conflict ORDER BY scenario, key, pointer
    """

  /// The stubs of a scenario, in order.
  ///
  /// Parameter 1: the scenario's id. Columns: as listed, read by ``StubRows``.
  static let stubs = """
    SELECT position, key, summary, priority, required, method, scheme, host, port, path, pattern,
      exhaustion, flow, capture
    FROM stub WHERE scenario_id = ?1 ORDER BY position
    """

  /// The responses of a scenario's stubs with their bodies, in the order of the stubs.
  ///
  /// Parameters: 1 the scenario's id, 2 the largest body to read, in bytes.
  /// Columns: as listed, read by ``StubRows``.
  static let responses = """
    SELECT stub_position, status, headers, body_kind, rest, length(bytes), sha256,
      CASE WHEN length(bytes) <= ?2 THEN bytes END
    FROM response LEFT JOIN body ON body.id = body_id
    WHERE scenario_id = ?1 ORDER BY stub_position, position
    """

  /// One body.
  ///
  /// Parameter 1: the body's id. Columns: bytes, SHA-256.
  static let body = "SELECT bytes, sha256 FROM body WHERE id = ?1"

  /// Columns: bytes, SHA-256, id; every body.
  static let allBodies = "SELECT bytes, sha256, id FROM body ORDER BY id"

  /// Stubs that hold a text outside their bodies, without regard to ASCII case.
  ///
  /// Parameters: LIKE patterns with `\\` as their escape, 1 for plain columns, 2 for JSON columns.
  /// Columns: scenario, key, summary, method, scheme, host, port, path, pattern, flow, headers, rest,
  /// capture.
  static let searchStubs = """
    SELECT scenario.name, key, stub.summary, method, scheme, host, port, path, pattern, flow,
      headers, rest, capture
    FROM stub JOIN scenario ON scenario.id = stub.scenario_id
      JOIN response
        ON response.scenario_id = stub.scenario_id AND stub_position = stub.position
    WHERE key LIKE ?1 ESCAPE '\\' OR stub.summary LIKE ?1 ESCAPE '\\'
      OR method LIKE ?1 ESCAPE '\\' OR pattern LIKE ?2 ESCAPE '\\'
      OR coalesce(scheme || '://', '') || coalesce(host, '') || coalesce(':' || port, '')
        || coalesce(path, '') LIKE ?1 ESCAPE '\\'
      OR flow LIKE ?2 ESCAPE '\\' OR capture LIKE ?2 ESCAPE '\\'
      OR headers LIKE ?2 ESCAPE '\\' OR rest LIKE ?2 ESCAPE '\\'
    ORDER BY scenario.name, stub.position, response.position
    """

  /// Scenarios that hold a text, without regard to ASCII case.
  ///
  /// Parameters: LIKE patterns with `\\` as their escape, 1 for plain columns, 2 for JSON columns.
  /// Columns: name, summary, tags.
  static let searchScenarios = """
    SELECT name, summary, tags FROM scenario
    WHERE name LIKE ?1 ESCAPE '\\' OR summary LIKE ?1 ESCAPE '\\' OR tags LIKE ?2 ESCAPE '\\'
    ORDER BY name
    """

  /// Text and JSON bodies that hold a text, without regard to ASCII case.
  ///
  /// Parameter 1: a LIKE pattern with `\\` as its escape. Columns: scenario, key, bytes as text.
  static let searchBodies = """
    SELECT scenario.name, key, CAST(bytes AS TEXT)
    FROM response JOIN body ON body.id = body_id
      JOIN stub ON stub.scenario_id = response.scenario_id AND stub.position = stub_position
      JOIN scenario ON scenario.id = response.scenario_id
    WHERE body_kind IN ('json', 'text') AND CAST(bytes AS TEXT) LIKE ?1 ESCAPE '\\'
    ORDER BY scenario.name, stub.position, response.position
    """
}
