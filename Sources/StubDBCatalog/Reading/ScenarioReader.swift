internal import Foundation
internal import StubDBModel

/// Reads scenarios through one connection, and checks them against their digests.
struct ScenarioReader {
  let connection: Connection
  let path: String

  /// The names of all scenarios, sorted.
  ///
  /// `isChecked`: whether a name that is missing or damaged is an error; not in the middle of an
  /// edit, when the catalog's digest is that of what was before.
  func names(isChecked: Bool = true) throws -> [ScenarioName] {
    let row = try connection.prepare(ReadQueries.scenarioNames)
    var digest = RowDigest()
    var names: [ScenarioName] = []
    while try row.step() {
      digest.update(name: row)
      names.append(ScenarioName(unchecked: try row.text(1)))
    }
    if isChecked { try checkCatalog(&digest) }
    return names
  }

  /// The scenarios of which a stub may match requests of this method and path.
  func names(withStubsFor method: String, path: String) throws -> [ScenarioName] {
    let row = try connection.prepare(ReadQueries.scenariosForRequest)
    try row.bind(1, method)
    try row.bind(2, path)
    var names: [ScenarioName] = []
    while try row.step() { names.append(ScenarioName(unchecked: try row.text(0))) }
    return names
  }

  func summaries() throws -> [ScenarioSummary] {
    let row = try connection.prepare(ReadQueries.scenarioList)
    // In the same order, so that one pass over both is enough.
    let include = try connection.prepare(ReadQueries.allIncludes)
    var hasInclude = try include.step()
    var (catalog, scenario) = (RowDigest(), RowDigest())
    var summaries: [ScenarioSummary] = []
    while try row.step() {
      let name = ScenarioName(unchecked: try row.text(1))
      catalog.update(name: row)
      scenario.update(scenario: row)
      var includes: [ScenarioName] = []
      while hasInclude, try include.text(1) == name.rawValue {
        scenario.update(include: include)
        includes.append(ScenarioName(unchecked: try include.text(0)))
        hasInclude = try include.step()
      }
      guard scenario.finish() == row.data(0) else { throw damaged("a scenario") }
      summaries.append(
        ScenarioSummary(
          name: name, summary: try row.optionalText(2), tags: try tags(row.text(3)),
          includes: includes, stubCount: row.integer(4), digest: row.data(0),
          stubsDigest: row.data(5)))
    }
    try checkCatalog(&catalog)
    return summaries
  }

  /// The scenario, with every body in memory; nil where there is none of the name.
  func scenario(_ name: ScenarioName) throws -> Scenario? {
    guard let header = try header(name) else { return nil }
    var scenario = header.scenario
    var rows = StubRows(largestBody: .max, path: path)
    scenario.stubs = try rows.stubs(of: header, on: connection)
    return scenario
  }

  /// Whether there is a scenario of the name, be it whole or damaged.
  func hasScenario(_ name: ScenarioName) throws -> Bool {
    let row = try connection.prepare(ReadQueries.scenario)
    try row.bind(1, RowID.scenario(name.rawValue))
    return try row.step() && row.text(1) == name.rawValue
  }

  /// The scenario without its stubs; nil where there is none of the name.
  func header(_ name: ScenarioName) throws -> ScenarioHeader? {
    let id = RowID.scenario(name.rawValue)
    let row = try connection.prepare(ReadQueries.scenario)
    try row.bind(1, id)
    guard try row.step(), try row.text(1) == name.rawValue else { return nil }
    var digest = RowDigest()
    digest.update(scenario: row)
    let includes = try includes(ofScenario: id, &digest)
    guard digest.finish() == row.data(0) else { throw damaged("the scenario \"\(name)\"") }
    return ScenarioHeader(
      scenario: Scenario(
        name: name, summary: try row.optionalText(2), tags: try tags(row.text(3)),
        includes: includes),
      stubCount: row.integer(4), stubsDigest: row.data(5))
  }

  /// Every include of the catalog.
  func includesByScenario() throws -> [ScenarioName: [ScenarioName]] {
    let statement = try connection.prepare(ReadQueries.allIncludes)
    var includes: [ScenarioName: [ScenarioName]] = [:]
    while try statement.step() {
      includes[ScenarioName(unchecked: try statement.text(1)), default: []]
        .append(ScenarioName(unchecked: try statement.text(0)))
    }
    return includes
  }

  /// That there is no scenario of the name, and what was probably meant.
  func noSuchScenario(_ name: String, isChecked: Bool = true) throws -> CatalogError {
    let names = try names(isChecked: isChecked).map(\.rawValue)
    let hint =
      names.isEmpty
      ? "; the catalog is empty, add one with: stubdb add \(name) --url URL"
      : ""
    return CatalogError(
      .noSuchScenario, "the catalog \(path) has no scenario \"\(name)\"\(hint)", path: path,
      suggestions: names.nearest(to: name).map { [$0] } ?? [])
  }

  private func includes(
    ofScenario id: Int64, _ digest: inout RowDigest
  ) throws -> [ScenarioName] {
    let row = try connection.prepare(ReadQueries.includes)
    try row.bind(1, id)
    var includes: [ScenarioName] = []
    while try row.step() {
      digest.update(include: row)
      includes.append(ScenarioName(unchecked: try row.text(0)))
    }
    return includes
  }

  private func checkCatalog(_ digest: inout RowDigest) throws {
    try addConflicts(to: &digest)
    guard try self.digest() == digest.finish() else { throw damaged("the list of scenarios") }
  }

  /// The digest that the catalog was given when it was written; nil if it has none.
  func digest() throws -> Data? {
    let row = try connection.prepare(ReadQueries.catalogDigest)
    return try row.step() ? row.data(0) : nil
  }

  /// Whether every row and every body is what its digest says.
  func isWhole() throws -> Bool {
    do {
      for summary in try summaries() { _ = try scenario(summary.name) }
      return try damagedBodyCount() == 0
    } catch let error as CatalogError where error.code == .damaged {
      return false
    }
  }

  /// How many bodies are not what their digests say.
  func damagedBodyCount() throws -> Int {
    let row = try connection.prepare(ReadQueries.allBodies)
    var count = 0
    while try row.step() {
      let digest = row.data(1)
      let isRight =
        SHA256Digest.digest(of: row.data(0)) == digest && RowID.body(digest) == row.int64(2)
      if !isRight { count += 1 }
    }
    return count
  }

  /// Takes the conflicts into the catalog's digest.
  func addConflicts(to digest: inout RowDigest) throws {
    let row = try connection.prepare(ReadQueries.conflicts)
    while try row.step() { digest.update(conflict: row) }
  }

  private func damaged(_ what: String) -> CatalogError {
    CatalogError(damaged: what, path: path)
  }

  private func tags(_ text: String) throws -> [String] {
    guard case .array(let elements)? = try? JSONValue(parsing: text) else {
      throw damaged("a list of tags")
    }
    return elements.compactMap { element in
      if case .string(let tag) = element { tag } else { nil }
    }
  }
}
