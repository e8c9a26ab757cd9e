package import StubDBCatalog
package import StubDBModel
internal import StubDBSupport

extension ScenarioReader {
  /// All includes of the catalog.
  package func includesByScenario() throws -> [ScenarioName: [ScenarioReference]] {
    let statement = try connection.prepare(ReadQueries.allIncludes)
    var includes: [ScenarioName: [ScenarioReference]] = [:]
    while try statement.step() {
      includes[try statement.scenarioName(1), default: []].append(try statement.reference(0))
    }
    return includes
  }

  package func summaries() throws -> [ScenarioSummary] {
    let row = try connection.prepare(ReadQueries.scenarioList)
    // Both lists have the same order, so one pass over them is enough.
    let include = try connection.prepare(ReadQueries.allIncludes)
    var hasInclude = try include.step()
    var (catalog, scenario) = (RowDigest(), RowDigest())
    var summaries: [ScenarioSummary] = []
    while try row.step() {
      let name = try row.scenarioName(ScenarioColumn.name.rawValue)
      catalog.update(name: row)
      scenario.update(scenario: row)
      var includes: [ScenarioReference] = []
      while hasInclude, try include.text(1) == name.rawValue {
        scenario.update(include: include)
        includes.append(try include.reference(0))
        hasInclude = try include.step()
      }
      let digest = scenario.finish()
      guard digest == row.digest(.digest), let stubsDigest = row.digest(.stubsDigest) else {
        throw damaged("a scenario")
      }
      summaries.append(
        ScenarioSummary(
          name: name, summary: try row.optionalText(.summary), tags: try tags(row.text(.tags)),
          includes: includes, stubCount: row.integer(.stubCount), digest: digest,
          stubsDigest: stubsDigest))
    }
    try checkCatalog(&catalog)
    return summaries
  }

  /// Whether every row and every body matches its digest.
  package func isWhole() throws -> Bool {
    do {
      for summary in try summaries() { _ = try scenario(summary.name) }
      return try damagedBodyCount() == 0
    } catch let error as CatalogError where error.code == .damaged {
      return false
    }
  }

  /// The number of bodies that do not match their digests.
  package func damagedBodyCount() throws -> Int {
    let row = try connection.prepare(ReadQueries.allBodies)
    var count = 0
    while try row.step() {
      let digest = row.data(1)
      let isRight =
        SHA256Digest.digest(of: row.data(0)) == digest
        && RowID.body(digest) == Int64(row.integer(2))
      if !isRight { count += 1 }
    }
    return count
  }
}

extension ScenarioReader {
  /// Whether a scenario of this name exists, whole or damaged.
  func hasScenario(_ name: ScenarioName) throws -> Bool {
    let row = try connection.prepare(ReadQueries.scenario)
    try row.bind(1, RowID.scenario(name.rawValue))
    if try row.step(), try row.text(.name) == name.rawValue { return true }
    try refuseMisplaced(name)
    return false
  }
}
