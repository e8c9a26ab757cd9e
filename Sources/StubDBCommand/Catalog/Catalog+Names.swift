import StubDBCatalog
import StubDBModel

extension Catalog {
  /// The scenario; throws a failure with the nearest name if it does not exist.
  func existing(_ name: ScenarioName) throws -> Scenario {
    do {
      return try scenario(named: name)
    } catch let error as CatalogError where error.code == .noSuchScenario {
      throw NameFailure.scenario(name, in: self, among: try scenarios().map(\.name))
    }
  }
}

extension CatalogEditor {
  /// The scenario; throws a failure with the nearest name if it does not exist.
  func existing(_ name: ScenarioName, in catalog: Catalog) throws -> Scenario {
    if let scenario = try scenario(named: name) { return scenario }
    throw NameFailure.scenario(name, in: catalog, among: try scenarioNames())
  }
}

extension Scenario {
  /// The index of the stub; throws a failure with the nearest key if it does not exist.
  func index(of key: String) throws -> Int {
    if let index = stubs.firstIndex(where: { $0.key == key }) { return index }
    throw NameFailure.stub(key, in: self)
  }

  /// The stub; throws a failure with the nearest key if it does not exist.
  func existing(_ key: String) throws -> Stub {
    stubs[try index(of: key)]
  }
}
