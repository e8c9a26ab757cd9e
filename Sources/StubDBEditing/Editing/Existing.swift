package import StubDBCatalogEditing
package import StubDBModel

extension CatalogEditor {
  /// The scenario.
  ///
  /// - Throws: ``EditRefusal`` if it does not exist.
  package func existing(_ name: ScenarioName) throws -> CheckedScenario {
    if let scenario = try checked(named: name) { return scenario }
    throw EditRefusal.noSuchScenario(name, among: try scenarioNames())
  }
}

extension Scenario {
  /// The index of the stub with the key.
  package func index(of key: Stub.Key) throws(EditRefusal) -> Int {
    if let index = stubs.firstIndex(where: { $0.key == key }) { return index }
    throw .noSuchStub(key.rawValue, in: self)
  }

  /// The stub with the key.
  package func existing(_ key: Stub.Key) throws(EditRefusal) -> Stub { stubs[try index(of: key)] }
}
