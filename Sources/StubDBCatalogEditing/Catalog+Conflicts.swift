package import StubDBCatalog
package import StubDBChanges
package import StubDBModel

extension Catalog {
  /// The conflicts that merges left, in order; empty for most catalogs.
  ///
  /// - Throws: A ``CatalogError`` if the file cannot be read.
  package func conflicts() throws(CatalogError) -> [Conflict] {
    try file.read { try ScenarioReader(connection: $0, path: file.path).conflicts() }
  }
}

extension CatalogEditor {
  /// The conflicts that merges left, in order.
  package func conflicts() throws(CatalogError) -> [Conflict] {
    try reading { try $0.conflicts() }
  }

  /// What each scenario includes.
  package func includesByScenario() throws(CatalogError) -> [ScenarioName: [ScenarioReference]] {
    var includes = try reading { try $0.includesByScenario() }
    for name in try scenarioNames() where includes[name] == nil { includes[name] = [] }
    return includes
  }

  /// Lets the conflicts of a scenario follow the new key of one of its stubs.
  package mutating func moveConflicts(
    of key: Stub.Key, to newKey: Stub.Key, in scenario: ScenarioName
  ) throws(CatalogError) {
    try atomically { try conflictWriter.rename(key, to: newKey, of: scenario) }
  }

  /// Records a conflict; replaces one at the same place.
  package mutating func insert(_ conflict: Conflict) throws(CatalogError) {
    try atomically { try conflictWriter.insert(conflict) }
  }

  /// Removes conflicts that are settled.
  package mutating func removeConflicts(
    where isSettled: (Conflict) -> Bool
  ) throws(CatalogError) {
    try atomically { try conflictWriter.remove(where: isSettled) }
  }
}

/// Writes the conflicts that merges leave.
struct ConflictWriter {
  let reader: ScenarioReader

  /// Adds a conflict, or replaces the one at the same place.
  func insert(_ conflict: Conflict) throws {
    let statement = try reader.connection.prepare(WriteQueries.insertConflict)
    try bind(ConflictColumn.allCases, of: conflict, to: statement)
    try statement.run()
  }

  /// Removes the conflicts that the closure selects.
  func remove(where isRemoved: (Conflict) -> Bool) throws {
    for conflict in try reader.conflicts() where isRemoved(conflict) {
      let statement = try reader.connection.prepare(WriteQueries.deleteConflict)
      try bind(ConflictColumn.identity, of: conflict, to: statement)
      try statement.run()
    }
  }

  /// Lets the conflicts of all scenarios follow the new name of one.
  func rename(_ name: ScenarioName, to newName: ScenarioName) throws {
    try change { $0.follow(names: [name: newName]) }
  }

  /// Lets the conflicts of a scenario follow the new key of one of its stubs.
  func rename(_ key: Stub.Key, to newKey: Stub.Key, of scenario: ScenarioName) throws {
    try change { if $0.scenario == scenario { $0.follow(keys: [key: newKey]) } }
  }

  private func change(_ body: (inout Conflict) -> Void) throws {
    let conflicts = try reader.conflicts()
    var changed = conflicts
    for index in changed.indices { body(&changed[index]) }
    if changed == conflicts { return }
    try remove { _ in true }
    for conflict in changed { try insert(conflict) }
  }

  private func bind(
    _ columns: [ConflictColumn], of conflict: Conflict, to statement: Statement
  ) throws {
    for column in columns { try statement.bind(column.parameter, column.value(of: conflict)) }
  }
}
