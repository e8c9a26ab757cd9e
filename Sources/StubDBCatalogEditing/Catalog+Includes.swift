package import StubDBCatalog
internal import StubDBJSON
package import StubDBModel

extension Catalog {
  /// Refuses what `check` would report of includes that a scenario is to get.
  ///
  /// Only scenarios of other catalogs are looked up; the editor checks the others.
  /// - Throws: A ``CatalogError`` if no lock names the catalog of one, if it is not on this machine, if it has no such
  /// scenario, or if that one includes the scenario in turn.
  package func requireIncludable(
    _ includes: [ScenarioReference], by name: ScenarioName
  ) throws(CatalogError) {
    let others = includes.filter { $0.catalog != nil }
    guard !others.isEmpty else { return }
    try file.read { connection in
      let scenarios = LinkedScenarios(reader(connection), of: self)
      let node = scenarios.own(name)
      _ = try scenarios.graph(replacing: [node: others]).closure(of: node)
    }
  }

  /// The scenarios that a document of this catalog includes, in the order in which they answer; those that are missing
  /// are left out.
  ///
  /// The names of those of other catalogs begin with the catalog, as the document writes them.
  package func included(by document: Scenario) throws(CatalogError) -> [Scenario] {
    if document.includes.isEmpty { return [] }
    return try file.read { try included(by: document, reader($0)) }
  }

  /// The same, from the scenarios that a reader reads.
  func included(by document: Scenario, _ reader: ScenarioReader) throws -> [Scenario] {
    let scenarios = LinkedScenarios(reader, of: self)
    let start = scenarios.own(document.name)
    var next = try document.includes.map { try scenarios.node($0, includedBy: start) }[...]
    var known: Set = [start]
    var found: [Scenario] = []
    while let node = next.popFirst() {
      guard known.insert(node).inserted, let included = try scenarios.scenario(node) else {
        continue
      }
      found.append(included.scenario)
      next = (included.includes + next)[...]
    }
    return found
  }

  /// The problems of includes: missing scenarios, circles, and catalogs that are not here.
  func includeProblems(_ reader: ScenarioReader) throws -> [CheckProblem] {
    let includes = try reader.includesByScenario()
    guard includes.values.contains(where: { $0.contains { $0.catalog != nil } }) else {
      return try IncludeGraph(reading: reader).problems()
        .map { CheckProblem(.include, $0.description) }
    }
    var problems: [CheckProblem] = []
    let scenarios = LinkedScenarios(reader, of: self)
    let graph = scenarios.graph { node, include, error in
      let own = node.reference.ownName
      let place = own.flatMap { includes[$0]?.firstIndex(of: include) }
      problems.append(
        CheckProblem(
          .include, (error as? CatalogError)?.description ?? "\(error)", scenario: own,
          pointer: place.map { JSONPointer(["includes", String($0)]) }))
    }
    let others = try graph.problems()
    return others.map { CheckProblem(.include, $0.description) } + problems
  }
}
