package import StubDBCatalog
internal import StubDBModel

extension IncludeGraph {
  /// For how many missing names the nearest one is suggested, since each of them is compared with all names.
  private static var suggestionLimit: Int { 20 }

  /// Every dangling include, and at least one circle of each group of scenarios that include each other, as errors.
  ///
  /// The cost is proportional to the number of scenarios and includes.
  package func problems() throws -> [CatalogError] {
    var problems: [CatalogError] = []
    try walkAll {
      problems.append(try error(of: $0, suggests: problems.count < Self.suggestionLimit))
    }
    return problems
  }

  private func walkAll(_ problem: (Problem) throws -> Void) throws {
    var visited: Set<Name> = []
    for name in try names() where !visited.contains(name) {
      try walk(from: name, &visited, entering: { _ in }, problem: problem)
    }
  }
}

extension IncludeGraph<ScenarioName> {
  /// The whole graph of a catalog, for checks of everything; other catalogs are not looked into.
  package init(reading reader: ScenarioReader) throws {
    let names = try reader.names()
    let known = Set(names)
    let includes = try reader.includesByScenario()
    self.init(
      includes: { known.contains($0) ? includes[$0]?.ownNames ?? [] : nil },
      names: { names })
  }
}
