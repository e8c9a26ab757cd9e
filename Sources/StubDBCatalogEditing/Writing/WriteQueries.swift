internal import StubDBCatalog

/// Statements that change a catalog, one per constant.
enum WriteQueries {
  /// Adds a scenario, without digests.
  ///
  /// Parameters: 1 id, those of ``ScenarioColumn/parameter``.
  static let insertScenario =
    "INSERT INTO scenario (id, \(ScenarioColumn.names)) VALUES (?1, \(ScenarioColumn.values))"

  /// Parameters: 1 the scenario's id, 2 number of stubs, 3 their SHA-256.
  static let setStubsDigest =
    "UPDATE scenario SET stub_count = ?2, stubs_sha256 = ?3 WHERE id = ?1"

  /// Parameters: 1 the scenario's id, 2 SHA-256.
  static let setScenarioDigest = "UPDATE scenario SET sha256 = ?2 WHERE id = ?1"

  /// Parameter 1: SHA-256 of all scenarios' digests and names.
  static let setCatalogDigest = "INSERT OR REPLACE INTO catalog (id, sha256) VALUES (1, ?1)"

  /// Parameters: 1 scenario id, 2 position, 3 included name.
  static let insertInclude =
    "INSERT INTO include (scenario_id, position, name) VALUES (?1, ?2, ?3)"

  /// Parameters: 1 scenario id, 2 position, from 3 on those of ``StubColumn``.
  static let insertStub = """
    INSERT INTO stub (scenario_id, position, \(StubColumn.names))
    VALUES (\(places(StubColumn.allCases.count + 2)))
    """

  /// Parameters: 1 scenario id, 2 the stub's position, 3 position, from 4 on those of ``ResponseColumn/storedCases``.
  static let insertResponse = """
    INSERT INTO response (scenario_id, stub_position, position,
      \(ResponseColumn.storedCases.compactMap(\.stored).joined(separator: ", ")))
    VALUES (\(places(ResponseColumn.storedCases.count + 3)))
    """

  /// A list of this many SQL parameters.
  private static func places(_ count: Int) -> String {
    (1...count).map { "?\($0)" }.joined(separator: ", ")
  }

  /// Parameters: 1 id, 2 SHA-256, 3 bytes.
  static let insertBody =
    "INSERT INTO body (id, sha256, bytes) VALUES (?1, ?2, ?3)"

  /// The body with an id.
  ///
  /// Parameter 1: the body's id. Columns: SHA-256, bytes.
  static let storedBody = "SELECT sha256, bytes FROM body WHERE id = ?1"

  /// Parameters: 1 the body's id, 2 bytes.
  static let repairBody = "UPDATE body SET bytes = ?2 WHERE id = ?1"

  /// The position of a stub in its scenario.
  ///
  /// Parameters: 1 the scenario's id, 2 the stub's key. Columns: position.
  static let stubPosition = "SELECT position FROM stub WHERE scenario_id = ?1 AND key = ?2"

  /// The position after a scenario's last stub.
  ///
  /// Parameter 1: the scenario's id. Columns: position.
  static let nextStubPosition =
    "SELECT coalesce(max(position) + 1, 0) FROM stub WHERE scenario_id = ?1"

  /// Parameters: 1 the scenario's id, 2 the stub's position.
  static let deleteStubResponses =
    "DELETE FROM response WHERE scenario_id = ?1 AND stub_position = ?2"
  /// Parameters: 1 the scenario's id, 2 the stub's position.
  static let deleteStub = "DELETE FROM stub WHERE scenario_id = ?1 AND position = ?2"

  /// Parameter 1: the scenario's id.
  static let deleteResponses = "DELETE FROM response WHERE scenario_id = ?1"
  /// Parameter 1: the scenario's id.
  static let deleteStubs = "DELETE FROM stub WHERE scenario_id = ?1"
  /// Parameter 1: the scenario's id.
  static let deleteIncludes = "DELETE FROM include WHERE scenario_id = ?1"
  /// Parameter 1: the scenario's id.
  static let deleteScenario = "DELETE FROM scenario WHERE id = ?1"

  /// Parameters: those of ``ConflictColumn``.
  static let insertConflict = """
    INSERT OR REPLACE INTO conflict (\(ConflictColumn.names))
    VALUES (\(places(ConflictColumn.allCases.count)))
    """
  /// Parameters: those of ``ConflictColumn/identity``.
  static let deleteConflict = """
    DELETE FROM conflict
    WHERE \(ConflictColumn.identity.map { "\($0.stored) = ?\($0.parameter)" }.joined(separator: " AND "))
    """

  /// Removes the bodies that no response refers to.
  static let deleteUnusedBodies = """
    DELETE FROM body WHERE id NOT IN (SELECT body_id FROM response WHERE body_id IS NOT NULL)
    """
}

extension ResponseColumn {
  /// The columns that are inserted.
  static let storedCases = allCases.filter { $0.stored != nil }
}
