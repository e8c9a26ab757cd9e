internal import Foundation
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Reads scenarios through one connection, and checks them against their digests.
struct ScenarioReader {
  let connection: Connection
  let path: String

  /// The names of all scenarios, sorted.
  ///
  /// `isChecked`: whether a missing or damaged name is an error. False during an edit, when the catalog's digest still
  /// describes the previous content.
  func names(isChecked: Bool = true) throws -> [ScenarioName] {
    let row = try connection.prepare(ReadQueries.scenarioNames)
    var digest = RowDigest()
    var names: [ScenarioName] = []
    while try row.step() {
      digest.update(name: row)
      names.append(ScenarioName(unchecked: try row.text(.name)))
    }
    if isChecked { try checkCatalog(&digest) }
    return names
  }

  /// The scenarios with a stub that may match requests of this method and path.
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
    // Both lists have the same order, so one pass over them is enough.
    let include = try connection.prepare(ReadQueries.allIncludes)
    var hasInclude = try include.step()
    var (catalog, scenario) = (RowDigest(), RowDigest())
    var summaries: [ScenarioSummary] = []
    while try row.step() {
      let name = ScenarioName(unchecked: try row.text(.name))
      catalog.update(name: row)
      scenario.update(scenario: row)
      var includes: [ScenarioReference] = []
      while hasInclude, try include.text(1) == name.rawValue {
        scenario.update(include: include)
        includes.append(ScenarioReference(unchecked: try include.text(0)))
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

  /// The scenario, with all bodies in memory; nil if the catalog has no scenario of this name.
  func scenario(_ name: ScenarioName) throws -> Scenario? {
    guard let header = try header(name) else { return nil }
    var scenario = header.scenario
    var rows = StubRows(largestBody: .max, path: path)
    scenario.stubs = try rows.stubs(of: header, on: connection)
    return scenario
  }

  /// Whether a scenario of this name exists, whole or damaged.
  func hasScenario(_ name: ScenarioName) throws -> Bool {
    let row = try connection.prepare(ReadQueries.scenario)
    try row.bind(1, RowID.scenario(name.rawValue))
    if try row.step(), try row.text(.name) == name.rawValue { return true }
    try refuseMisplaced(name)
    return false
  }

  /// Throws if a scenario has this name, but not the id that belongs to it.
  private func refuseMisplaced(_ name: ScenarioName) throws {
    let row = try connection.prepare(ReadQueries.scenarioWithName)
    try row.bind(1, name.rawValue)
    if try row.step() { throw damaged("the scenario \"\(name)\"") }
  }

  /// The scenario without its stubs; nil if the catalog has no scenario of this name.
  func header(_ name: ScenarioName) throws -> ScenarioHeader? {
    let id = RowID.scenario(name.rawValue)
    let row = try connection.prepare(ReadQueries.scenario)
    try row.bind(1, id)
    guard try row.step(), try row.text(.name) == name.rawValue else {
      try refuseMisplaced(name)
      return nil
    }
    var digest = RowDigest()
    digest.update(scenario: row)
    let includes = try includes(ofScenario: id, &digest)
    guard digest.finish() == row.digest(.digest), let stubsDigest = row.digest(.stubsDigest) else {
      throw damaged("the scenario \"\(name)\"")
    }
    return ScenarioHeader(
      scenario: Scenario(
        name: name, summary: try row.optionalText(.summary), tags: try tags(row.text(.tags)),
        includes: includes),
      stubCount: row.integer(.stubCount), stubsDigest: stubsDigest)
  }

  /// All includes of the catalog.
  func includesByScenario() throws -> [ScenarioName: [ScenarioReference]] {
    let statement = try connection.prepare(ReadQueries.allIncludes)
    var includes: [ScenarioName: [ScenarioReference]] = [:]
    while try statement.step() {
      includes[ScenarioName(unchecked: try statement.text(1)), default: []]
        .append(ScenarioReference(unchecked: try statement.text(0)))
    }
    return includes
  }

  /// The error for a missing scenario, with the nearest names.
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
  ) throws -> [ScenarioReference] {
    let row = try connection.prepare(ReadQueries.includes)
    try row.bind(1, id)
    var includes: [ScenarioReference] = []
    while try row.step() {
      digest.update(include: row)
      includes.append(ScenarioReference(unchecked: try row.text(0)))
    }
    return includes
  }

  private func checkCatalog(_ digest: inout RowDigest) throws {
    try addConflicts(to: &digest)
    guard try self.digest() == SHA256Digest.data(digest.finish()) else {
      throw damaged("the list of scenarios")
    }
  }

  /// The digest that the catalog got when it was written; nil if it has none.
  func digest() throws -> Data? {
    let row = try connection.prepare(ReadQueries.catalogDigest)
    return try row.step() ? row.data(0) : nil
  }

  /// Whether every row and every body matches its digest.
  func isWhole() throws -> Bool {
    do {
      for summary in try summaries() { _ = try scenario(summary.name) }
      return try damagedBodyCount() == 0
    } catch let error as CatalogError where error.code == .damaged {
      return false
    }
  }

  /// The number of bodies that do not match their digests.
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

  /// Adds the conflicts to the catalog's digest.
  func addConflicts(to digest: inout RowDigest) throws {
    let row = try connection.prepare(ReadQueries.conflicts)
    while try row.step() { digest.update(conflict: row) }
  }

  private func damaged(_ what: String) -> CatalogError {
    CatalogError(damaged: what, path: path)
  }

  private func tags(_ text: String) throws -> [String] {
    // Most scenarios have no tags.
    if text == "[]" { return [] }
    guard case .array(let elements)? = try? JSONValue(parsing: text) else {
      throw damaged("a list of tags")
    }
    return elements.compactMap { element in
      if case .string(let tag) = element { tag } else { nil }
    }
  }
}

/// The data of a scenario that is read before its stubs.
struct ScenarioHeader {
  /// The scenario, without stubs.
  let scenario: Scenario
  /// The number of its stubs.
  let stubCount: Int
  /// The digest that its stubs must have.
  let stubsDigest: SHA256Digest.Value
}

/// The columns of ``ReadQueries/scenario`` and ``ReadQueries/scenarioList``.
extension Statement {
  fileprivate func text(_ column: ScenarioColumn) throws(SQLiteError) -> String {
    try text(column.rawValue)
  }

  fileprivate func optionalText(_ column: ScenarioColumn) throws(SQLiteError) -> String? {
    try optionalText(column.rawValue)
  }

  fileprivate func integer(_ column: ScenarioColumn) -> Int { integer(column.rawValue) }

  fileprivate func digest(_ column: ScenarioColumn) -> SHA256Digest.Value? {
    digest(column.rawValue)
  }
}
