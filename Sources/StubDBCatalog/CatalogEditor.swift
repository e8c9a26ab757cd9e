public import StubDBModel

/// Changes to a catalog, made on a copy in memory.
///
/// Given to the closure of ``Catalog/edit(_:)``; nothing reaches the file before the closure returns,
/// and what it throws leaves the file as it was. Not to be used outside the closure.
public struct CatalogEditor {
  private let reader: ScenarioReader
  private let writer: ScenarioWriter

  init(connection: Connection, path: String) throws {
    reader = ScenarioReader(connection: connection, path: path)
    writer = try ScenarioWriter(connection)
  }

  /// The names of all scenarios, sorted.
  public func scenarioNames() throws -> [ScenarioName] {
    try reader.names()
  }

  /// The scenario with every body in memory; nil where the catalog has none of the name.
  public func scenario(named name: ScenarioName) throws -> Scenario? {
    try reader.scenario(name)
  }

  /// Adds a scenario.
  ///
  /// - Throws: A ``CatalogError`` with `scenarioExists` where there is one of the name, with
  ///   `invalidValue` where no document could hold it.
  public mutating func insert(_ scenario: Scenario) throws {
    guard try reader.header(scenario.name) == nil else {
      throw CatalogError(
        .scenarioExists, "the catalog has a scenario \"\(scenario.name)\" already",
        path: reader.path)
    }
    try write(scenario)
  }

  /// Adds a scenario, or puts it in the place of the one of its name.
  ///
  /// - Throws: A ``CatalogError`` with `invalidValue` where no document could hold it.
  public mutating func replace(_ scenario: Scenario) throws {
    try writer.delete(scenario.name)
    try write(scenario)
  }

  /// Adds a stub behind the others of a scenario, which is created where there is none.
  ///
  /// - Throws: A ``CatalogError`` with `stubExists` where the scenario has the key already.
  public mutating func insert(_ stub: Stub, into name: ScenarioName) throws {
    try validate(stub)
    guard try reader.header(name) != nil else {
      return try write(Scenario(name: name, stubs: [stub]))
    }
    guard try writer.position(ofStub: stub.key, in: name) == nil else {
      throw CatalogError(
        .stubExists, "the scenario \"\(name)\" has a stub \"\(stub.key)\" already",
        path: reader.path)
    }
    try writer.append(stub, to: name)
  }

  /// Puts a stub in the place of the one with its key, or behind the others.
  public mutating func replace(_ stub: Stub, in name: ScenarioName) throws {
    try validate(stub)
    guard try reader.header(name) != nil,
      let position = try writer.position(ofStub: stub.key, in: name)
    else {
      return try insert(stub, into: name)
    }
    try writer.replace(at: position, with: stub, in: name)
  }

  /// Removes a scenario.
  ///
  /// - Throws: A ``CatalogError`` with `noSuchScenario`. That another scenario includes it is
  ///   found when the edit ends.
  public mutating func removeScenario(_ name: ScenarioName) throws {
    _ = try existing(name)
    try writer.delete(name)
  }

  /// Removes a stub; a scenario may be left without any.
  ///
  /// - Throws: A ``CatalogError`` with `noSuchScenario` or `noSuchStub`.
  public mutating func removeStub(_ key: String, from name: ScenarioName) throws {
    var scenario = try existing(name)
    guard let index = scenario.stubs.firstIndex(where: { $0.key == key }) else {
      throw CatalogError(
        .noSuchStub, "the scenario \"\(name)\" has no stub \"\(key)\"", path: reader.path,
        suggestions: scenario.stubs.map(\.key).nearest(to: key).map { [$0] } ?? [])
    }
    scenario.stubs.remove(at: index)
    try replace(scenario)
  }

  /// Gives a scenario another name; scenarios that include it follow.
  ///
  /// - Throws: A ``CatalogError`` with `noSuchScenario` or `scenarioExists`.
  public mutating func rename(_ name: ScenarioName, to newName: ScenarioName) throws {
    var scenario = try existing(name)
    if name == newName { return }
    scenario.name = newName
    try insert(scenario)
    try writer.delete(name)
    for (including, includes) in try reader.includesByScenario()
    where including != name && includes.contains(name) {
      var scenario = try existing(including)
      scenario.includes = includes.map { $0 == name ? newName : $0 }
      try replace(scenario)
    }
  }

  /// Adds a scenario that says the same under another name.
  ///
  /// - Throws: A ``CatalogError`` with `noSuchScenario` or `scenarioExists`.
  public mutating func copy(_ name: ScenarioName, to newName: ScenarioName) throws {
    var scenario = try existing(name)
    scenario.name = newName
    try insert(scenario)
  }

  private func existing(_ name: ScenarioName) throws -> Scenario {
    guard let scenario = try reader.scenario(name) else {
      throw try reader.noSuchScenario(name.rawValue)
    }
    return scenario
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
