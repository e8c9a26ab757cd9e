package import StubDBModel

extension Catalog {
  /// The conflicts that merges left, in order; empty for most catalogs.
  ///
  /// - Throws: A ``CatalogError`` if the file cannot be read.
  package func conflicts() throws -> [Conflict] {
    try file.read { try ScenarioReader(connection: $0, path: file.path).conflicts() }
  }
}

extension CatalogEditor {
  /// The conflicts that merges left, in order.
  package func conflicts() throws -> [Conflict] {
    try conflictWriter.reader.conflicts()
  }

  /// The names that each scenario includes.
  package func includesByScenario() throws -> [ScenarioName: [ScenarioName]] {
    var includes = try conflictWriter.reader.includesByScenario()
    for name in try scenarioNames() where includes[name] == nil { includes[name] = [] }
    return includes
  }

  /// Lets the conflicts of a scenario follow the new key of one of its stubs.
  package mutating func moveConflicts(
    of key: String, to newKey: String, in scenario: ScenarioName
  ) throws {
    try atomically { try conflictWriter.rename(key, to: newKey, of: scenario) }
  }

  /// Records a conflict; replaces one at the same place.
  package mutating func insert(_ conflict: Conflict) throws {
    try atomically { try conflictWriter.insert(conflict) }
  }

  /// Removes conflicts that are settled.
  package mutating func removeConflicts(where isSettled: (Conflict) -> Bool) throws {
    try atomically { try conflictWriter.remove(where: isSettled) }
  }
}
