public import StubDBCatalog
internal import StubDBChanges
internal import StubDBJSON
public import StubDBModel
internal import StubDBSupport

/// Changes a catalog, on a copy in memory.
///
/// Passed to the closure of ``Catalog/edit(_:)``. Nothing reaches the file before the closure returns, and an error
/// that it throws leaves the file as it was. An editor that is kept longer than the closure throws `editEnded`.
public struct CatalogEditor {
  private let reader: ScenarioReader
  private let writer: ScenarioWriter
  private let digests: DigestWriter
  private let lifetime = Lifetime()
  let conflictWriter: ConflictWriter

  init(connection: Connection, path: String) throws {
    reader = ScenarioReader(connection: connection, path: path)
    writer = try ScenarioWriter(connection)
    digests = try DigestWriter(reader)
    conflictWriter = ConflictWriter(reader: reader)
  }

  /// Updates the digests of what was changed; called once, at the end.
  func finish() throws {
    try digests.updateCatalog()
  }

  /// Makes all copies of the editor useless.
  func end() { lifetime.isEnded = true }

  private func requireLife() throws(CatalogError) {
    guard lifetime.isEnded else { return }
    throw CatalogError(
      .editEnded, "the edit has ended; use its editor only inside the closure of edit(_:)",
      path: reader.path)
  }

  /// The names of all scenarios, sorted.
  public func scenarioNames() throws(CatalogError) -> [ScenarioName] {
    try reading { try $0.names(isChecked: false) }
  }

  /// The scenario with all bodies in memory; nil if the catalog has no scenario of this name.
  public func scenario(named name: ScenarioName) throws(CatalogError) -> Scenario? {
    try reading { reader in
      try digests.update(name)
      return try reader.scenario(name)
    }
  }

  /// The scenario, to be changed and written without checking again what does not change.
  package func checked(named name: ScenarioName) throws(CatalogError) -> CheckedScenario? {
    try scenario(named: name).map(CheckedScenario.init(stored:))
  }

  /// Adds a scenario.
  ///
  /// - Throws: A ``CatalogError`` with `scenarioExists` if the catalog has a scenario of this name, with `stubExists` if
  /// two of its stubs have one key, or with `invalidValue` for a value that no document could hold. Expressions are not
  /// compiled; ``Catalog/check()`` reports those that are wrong.
  public mutating func insert(_ scenario: Scenario) throws(CatalogError) {
    try atomically {
      try requireNoScenario(scenario.name)
      try write(checked(scenario).scenario)
    }
  }

  /// Adds a scenario, or replaces the one of its name.
  ///
  /// - Throws: A ``CatalogError`` with `stubExists` if two of its stubs have one key, or with `invalidValue` for a value
  /// that no document could hold.
  public mutating func replace(_ scenario: Scenario) throws(CatalogError) {
    try replace(checked(scenario))
  }

  /// The same for a scenario that needs no check.
  package mutating func replace(_ scenario: CheckedScenario) throws(CatalogError) {
    try atomically { try overwrite(scenario.scenario) }
  }

  /// Appends a stub to a scenario, which is created if it does not exist.
  ///
  /// - Throws: A ``CatalogError`` with `stubExists` if the scenario already has a stub with this key, or with
  /// `invalidValue` for a value that no document could hold.
  public mutating func insert(_ stub: Stub, into name: ScenarioName) throws(CatalogError) {
    let stub = try checked(stub)
    try atomically {
      guard try position(of: stub, in: name) == nil else {
        throw CatalogError(
          .stubExists, "the scenario \"\(name)\" already has a stub \"\(stub.stub.key)\"",
          path: reader.path)
      }
      try append(stub, to: name)
    }
  }

  /// Replaces the stub with the same key, or appends the stub.
  ///
  /// - Throws: A ``CatalogError`` with `invalidValue` for a value that no document could hold.
  public mutating func replace(_ stub: Stub, in name: ScenarioName) throws(CatalogError) {
    try replace(checked(stub), in: name)
  }

  /// The same for a stub that needs no check.
  package mutating func replace(
    _ stub: CheckedStub, in name: ScenarioName
  ) throws(CatalogError) {
    try atomically {
      guard let position = try position(of: stub, in: name) else {
        return try append(stub, to: name)
      }
      try digests.verify(name)
      try writer.replace(at: position, with: stub.stub, in: name)
    }
  }

  private func position(of stub: CheckedStub, in name: ScenarioName) throws -> Int? {
    try writer.position(ofStub: stub.stub.key.rawValue, in: name)
  }

  private func append(_ stub: CheckedStub, to name: ScenarioName) throws {
    guard try reader.hasScenario(name) else {
      return try write(Scenario(name: name, stubs: [stub.stub]))
    }
    try digests.verify(name)
    try writer.append(stub.stub, to: name)
  }

  /// Removes a scenario.
  ///
  /// - Throws: A ``CatalogError`` with `noSuchScenario`. If another scenario includes this one, the error comes at the
  /// end of the edit.
  public mutating func removeScenario(_ name: ScenarioName) throws(CatalogError) {
    try atomically {
      // Damaged scenarios can be removed too; this repairs a catalog.
      guard try reader.hasScenario(name) else {
        throw try reader.noSuchScenario(name.rawValue, isChecked: false)
      }
      try delete(name)
      try conflictWriter.remove { $0.scenario == name }
    }
  }

  /// Removes a stub; the scenario may be left without stubs.
  ///
  /// - Throws: A ``CatalogError`` with `noSuchScenario` or `noSuchStub`.
  public mutating func removeStub(_ key: Stub.Key, from name: ScenarioName) throws(CatalogError) {
    try atomically {
      var scenario = try existing(name)
      guard let index = scenario.stubs.firstIndex(where: { $0.key == key }) else {
        throw CatalogError(
          .noSuchStub, "the scenario \"\(name)\" has no stub \"\(key)\"", path: reader.path,
          suggestions: scenario.stubs.map(\.key.rawValue).nearest(to: key.rawValue).map { [$0] }
            ?? [])
      }
      scenario.stubs.remove(at: index)
      try overwrite(scenario)
      try conflictWriter.remove { $0.scenario == name && $0.key.hasSameBytes(as: key.rawValue) }
    }
  }

  /// Renames a scenario; scenarios that include it are updated.
  ///
  /// - Throws: A ``CatalogError`` with `noSuchScenario` or `scenarioExists`.
  public mutating func rename(_ name: ScenarioName, to newName: ScenarioName) throws(CatalogError) {
    try atomically {
      var scenario = try existing(name)
      if name == newName { return }
      scenario.name = newName
      try requireNoScenario(newName)
      try write(scenario)
      try delete(name)
      try conflictWriter.rename(name, to: newName)
      for (including, includes) in try reader.includesByScenario()
      where including != name && includes.contains(name) {
        var scenario = try existing(including)
        scenario.includes = includes.map {
          $0.ownName == name ? ScenarioReference(newName) : $0
        }
        try overwrite(scenario)
      }
    }
  }

  /// Adds a copy of a scenario under another name.
  ///
  /// - Throws: A ``CatalogError`` with `noSuchScenario` or `scenarioExists`.
  public mutating func copy(_ name: ScenarioName, to newName: ScenarioName) throws(CatalogError) {
    try atomically {
      var scenario = try existing(name)
      scenario.name = newName
      try requireNoScenario(newName)
      try write(scenario)
    }
  }

  /// Makes a change completely or not at all, since the closure of the edit may catch the error and continue.
  func atomically(_ change: () throws -> Void) throws(CatalogError) {
    try requireLife()
    try CatalogError.reporting("writing", path: reader.path) {
      try digests.restoringOnFailure {
        try reader.connection.execute("SAVEPOINT change")
        do {
          try change()
          try reader.connection.execute("RELEASE change")
        } catch {
          try reader.connection.execute("ROLLBACK TO change; RELEASE change")
          throw error
        }
      }
    }
  }

  /// Reads what the edit has made of the catalog so far.
  func reading<Value>(
    _ body: (ScenarioReader) throws -> Value
  ) throws(CatalogError) -> Value {
    try requireLife()
    return try CatalogError.reporting("reading", path: reader.path) { try body(reader) }
  }

  private func existing(_ name: ScenarioName) throws -> Scenario {
    guard let scenario = try scenario(named: name) else {
      throw try reader.noSuchScenario(name.rawValue, isChecked: false)
    }
    return scenario
  }

  private func delete(_ name: ScenarioName) throws {
    try writer.delete(name)
    digests.noteRemoval(of: name)
  }

  private func requireNoScenario(_ name: ScenarioName) throws {
    guard try reader.hasScenario(name) else { return }
    throw CatalogError(
      .scenarioExists, "the catalog already has a scenario \"\(name)\"", path: reader.path)
  }

  /// Writes a scenario in place of the one of its name.
  private func overwrite(_ scenario: Scenario) throws {
    try delete(scenario.name)
    try write(scenario)
  }

  /// Writes a scenario whose values were checked, or were in a document or a catalog before.
  private func write(_ scenario: Scenario) throws {
    try writer.insert(scenario)
    digests.noteChange(of: scenario.name)
  }

  private func checked(_ scenario: Scenario) throws(CatalogError) -> CheckedScenario {
    do throws(DocumentError) {
      return try CheckedScenario(scenario)
    } catch {
      if error.code == .duplicate {
        throw CatalogError(.stubExists, error.message, path: reader.path)
      }
      var error = error
      let tokens = error.pointer.tokens
      let stub = tokens.dropFirst().first.flatMap { Int($0) }.map { scenario.stubs[$0] }
      guard tokens.first == "stubs", let stub else { throw invalid(nil, error) }
      error.pointer = JSONPointer(Array(tokens.dropFirst(2)))
      throw invalid(stub, error)
    }
  }

  private func checked(_ stub: Stub) throws(CatalogError) -> CheckedStub {
    do throws(DocumentError) {
      return try CheckedStub(stub)
    } catch {
      throw invalid(stub, error)
    }
  }

  /// The error for a stub, or for a scenario, that no document can hold.
  private func invalid(_ stub: Stub?, _ error: DocumentError) -> CatalogError {
    let owner = stub.map { stub in
      Stub.Key(stub.key.rawValue).map { "stub \"\($0)\"" } ?? "stub"
    }
    return CatalogError(
      .invalidValue, "no document can hold this \(owner ?? "scenario"): \(error)",
      path: reader.path)
  }
}

/// Whether the edit of an editor has ended; shared by the editor's copies.
private final class Lifetime {
  var isEnded = false
}
