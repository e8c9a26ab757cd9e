public import StubDBModel

/// Changes to a catalog, made on a copy in memory.
///
/// Given to the closure of ``Catalog/edit(_:)``; nothing reaches the file before the closure returns,
/// and what it throws leaves the file as it was. Not to be used outside the closure.
public struct CatalogEditor {
  private let reader: ScenarioReader
  private let writer: ScenarioWriter
  private let sealer: ScenarioSealer
  let conflictWriter: ConflictWriter

  init(connection: Connection, path: String) throws {
    reader = ScenarioReader(connection: connection, path: path)
    writer = try ScenarioWriter(connection)
    sealer = try ScenarioSealer(reader)
    conflictWriter = ConflictWriter(reader)
  }

  /// Gives what was changed its digests; the last thing that is done.
  func finish() throws {
    try sealer.sealCatalog()
  }

  /// The names of all scenarios, sorted.
  public func scenarioNames() throws -> [ScenarioName] {
    try reader.names(isChecked: false)
  }

  /// The scenario with every body in memory; nil where the catalog has none of the name.
  public func scenario(named name: ScenarioName) throws -> Scenario? {
    try sealer.seal(name)
    return try reader.scenario(name)
  }

  /// Adds a scenario.
  ///
  /// - Throws: A ``CatalogError`` with `scenarioExists` where there is one of the name, with
  ///   `invalidValue` where no document could hold it.
  public mutating func insert(_ scenario: Scenario) throws {
    try atomically {
      guard try !reader.hasScenario(scenario.name) else {
        throw CatalogError(
          .scenarioExists, "the catalog has a scenario \"\(scenario.name)\" already",
          path: reader.path)
      }
      try write(scenario)
    }
  }

  /// Adds a scenario, or puts it in the place of the one of its name.
  ///
  /// - Throws: A ``CatalogError`` with `invalidValue` where no document could hold it.
  public mutating func replace(_ scenario: Scenario) throws {
    try atomically {
      try delete(scenario.name)
      try write(scenario)
    }
  }

  /// Adds a stub behind the others of a scenario, which is created where there is none.
  ///
  /// - Throws: A ``CatalogError`` with `stubExists` where the scenario has the key already.
  public mutating func insert(_ stub: Stub, into name: ScenarioName) throws {
    try atomically {
      try validate(stub)
      guard try reader.hasScenario(name) else {
        return try write(Scenario(name: name, stubs: [stub]))
      }
      try sealer.open(name)
      guard try writer.position(ofStub: stub.key, in: name) == nil else {
        throw CatalogError(
          .stubExists, "the scenario \"\(name)\" has a stub \"\(stub.key)\" already",
          path: reader.path)
      }
      try writer.append(stub, to: name)
    }
  }

  /// Puts a stub in the place of the one with its key, or behind the others.
  public mutating func replace(_ stub: Stub, in name: ScenarioName) throws {
    try atomically {
      try validate(stub)
      guard let position = try writer.position(ofStub: stub.key, in: name) else {
        return try insert(stub, into: name)
      }
      try sealer.open(name)
      try writer.replace(at: position, with: stub, in: name)
    }
  }

  /// Removes a scenario.
  ///
  /// - Throws: A ``CatalogError`` with `noSuchScenario`. That another scenario includes it is
  ///   found when the edit ends.
  public mutating func removeScenario(_ name: ScenarioName) throws {
    try atomically {
      // A damaged one too: that is a way to repair a catalog.
      guard try reader.hasScenario(name) else {
        throw try reader.noSuchScenario(name.rawValue, isChecked: false)
      }
      try delete(name)
      try conflictWriter.remove { $0.scenario == name }
    }
  }

  /// Removes a stub; a scenario may be left without any.
  ///
  /// - Throws: A ``CatalogError`` with `noSuchScenario` or `noSuchStub`.
  public mutating func removeStub(_ key: String, from name: ScenarioName) throws {
    try atomically {
      var scenario = try existing(name)
      guard let index = scenario.stubs.firstIndex(where: { $0.key == key }) else {
        throw CatalogError(
          .noSuchStub, "the scenario \"\(name)\" has no stub \"\(key)\"", path: reader.path,
          suggestions: scenario.stubs.map(\.key).nearest(to: key).map { [$0] } ?? [])
      }
      scenario.stubs.remove(at: index)
      try replace(scenario)
      try conflictWriter.remove { $0.scenario == name && $0.key == key }
    }
  }

  /// Gives a scenario another name; scenarios that include it follow.
  ///
  /// - Throws: A ``CatalogError`` with `noSuchScenario` or `scenarioExists`.
  public mutating func rename(_ name: ScenarioName, to newName: ScenarioName) throws {
    try atomically {
      var scenario = try existing(name)
      if name == newName { return }
      scenario.name = newName
      try insert(scenario)
      try delete(name)
      try conflictWriter.rename(name, to: newName)
      for (including, includes) in try reader.includesByScenario()
      where including != name && includes.contains(name) {
        var scenario = try existing(including)
        scenario.includes = includes.map { $0 == name ? newName : $0 }
        try replace(scenario)
      }
    }
  }

  /// Adds a scenario that says the same under another name.
  ///
  /// - Throws: A ``CatalogError`` with `noSuchScenario` or `scenarioExists`.
  public mutating func copy(_ name: ScenarioName, to newName: ScenarioName) throws {
    try atomically {
      var scenario = try existing(name)
      scenario.name = newName
      try insert(scenario)
    }
  }

  /// Makes a change whole or not at all: the closure of the edit may catch what it throws and go on.
  func atomically(_ change: () throws -> Void) throws {
    let unsealed = sealer.unsealed
    try reader.connection.execute("SAVEPOINT change")
    do {
      try change()
      try reader.connection.execute("RELEASE change")
    } catch {
      try reader.connection.execute("ROLLBACK TO change; RELEASE change")
      sealer.unsealed = unsealed
      throw error
    }
  }

  private func existing(_ name: ScenarioName) throws -> Scenario {
    guard let scenario = try scenario(named: name) else {
      throw try reader.noSuchScenario(name.rawValue, isChecked: false)
    }
    return scenario
  }

  private func delete(_ name: ScenarioName) throws {
    try writer.delete(name)
    sealer.noteRemoval(of: name)
  }

  private func write(_ scenario: Scenario) throws {
    var keys: Set<String> = []
    for stub in scenario.stubs {
      try validate(stub)
      if !keys.insert(stub.key).inserted {
        throw CatalogError(
          .stubExists, "the scenario \"\(scenario.name)\" has two stubs \"\(stub.key)\"",
          path: reader.path)
      }
    }
    try writer.insert(scenario)
    sealer.noteChange(of: scenario.name)
  }

  private func validate(_ stub: Stub) throws {
    let problem: String
    if stub.key.isEmpty {
      problem = "a stub's key is empty"
    } else if stub.key.utf8.contains(0) {
      problem = "a stub's key holds a NUL"
    } else if stub.responses.isEmpty {
      problem = "the stub \"\(stub.key)\" has no responses"
    } else {
      return
    }
    throw CatalogError(
      .invalidValue, "a catalog cannot hold this: \(problem)", path: reader.path)
  }
}
