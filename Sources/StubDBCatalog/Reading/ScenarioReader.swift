package import Foundation
internal import StubDBJSON
package import StubDBModel
package import StubDBSupport

/// Reads scenarios through one connection, and checks them against their digests.
package struct ScenarioReader {
  package let connection: Connection
  package let path: String

  package init(connection: Connection, path: String) {
    (self.connection, self.path) = (connection, path)
  }

  /// The names of all scenarios, sorted.
  ///
  /// `isChecked`: whether a missing or damaged name is an error. False during an edit, when the catalog's digest still
  /// describes the previous content.
  package func names(isChecked: Bool = true) throws -> [ScenarioName] {
    let row = try connection.prepare(ReadQueries.scenarioNames)
    var digest = RowDigest()
    var names: [ScenarioName] = []
    while try row.step() {
      digest.update(name: row)
      names.append(try row.scenarioName(ScenarioColumn.name.rawValue))
    }
    if isChecked { try checkCatalog(&digest) }
    return names
  }

  /// The scenarios with a stub that may match requests of this method and path.
  package func names(withStubsFor method: String, path: String) throws -> [ScenarioName] {
    let row = try connection.prepare(ReadQueries.scenariosForRequest)
    try row.bind(1, method)
    try row.bind(2, path)
    var names: [ScenarioName] = []
    while try row.step() { names.append(try row.scenarioName(0)) }
    return names
  }

  /// The scenario, with all bodies in memory; nil if the catalog has no scenario of this name.
  package func scenario(_ name: ScenarioName) throws -> Scenario? {
    guard let header = try header(name) else { return nil }
    var scenario = header.scenario
    var rows = StubRows(largestBody: .max, path: path)
    scenario.stubs = try rows.stubs(of: header, on: connection)
    return scenario
  }

  /// Throws if a scenario has this name, but not the id that belongs to it.
  package func refuseMisplaced(_ name: ScenarioName) throws {
    let row = try connection.prepare(ReadQueries.scenarioWithName)
    try row.bind(1, name.rawValue)
    if try row.step() { throw damaged("the scenario \"\(name)\"") }
  }

  /// The scenario without its stubs; nil if the catalog has no scenario of this name.
  package func header(_ name: ScenarioName) throws -> ScenarioHeader? {
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

  /// The error for a missing scenario, with the nearest names.
  package func noSuchScenario(_ name: String, isChecked: Bool = true) throws -> CatalogError {
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
      includes.append(try row.reference(0))
    }
    return includes
  }

  package func checkCatalog(_ digest: inout RowDigest) throws {
    try addConflicts(to: &digest)
    guard try self.digest() == SHA256Digest.data(digest.finish()) else {
      throw damaged("the list of scenarios")
    }
  }

  /// The digest that the catalog got when it was written; nil if it has none.
  package func digest() throws -> Data? {
    let row = try connection.prepare(ReadQueries.catalogDigest)
    return try row.step() ? row.data(0) : nil
  }

  /// Adds the conflicts to the catalog's digest.
  package func addConflicts(to digest: inout RowDigest) throws {
    let row = try connection.prepare(ReadQueries.conflicts)
    while try row.step() { digest.update(conflict: row) }
  }

  package func damaged(_ what: String) -> CatalogError {
    CatalogError(damaged: what, path: path)
  }

  package func tags(_ text: String) throws -> [String] {
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
package struct ScenarioHeader {
  /// The scenario, without stubs.
  package let scenario: Scenario
  /// The number of its stubs.
  package let stubCount: Int
  /// The digest that its stubs must have.
  package let stubsDigest: SHA256Digest.Value
}

/// The columns of ``ReadQueries/scenario``.
extension Statement {
  package func text(_ column: ScenarioColumn) throws(SQLiteError) -> String {
    try text(column.rawValue)
  }

  package func optionalText(_ column: ScenarioColumn) throws(SQLiteError) -> String? {
    try optionalText(column.rawValue)
  }

  package func integer(_ column: ScenarioColumn) -> Int { integer(column.rawValue) }

  package func digest(_ column: ScenarioColumn) -> SHA256Digest.Value? {
    digest(column.rawValue)
  }
}

/// Names are written into commands, paths and generated source as they are, so those that no document can have are refused.
extension Statement {
  package func scenarioName(_ column: Int32) throws(SQLiteError) -> ScenarioName {
    guard let name = ScenarioName(try text(column)) else {
      throw .damage("the name of a scenario is not valid")
    }
    return name
  }

  package func reference(_ column: Int32) throws(SQLiteError) -> ScenarioReference {
    guard let reference = ScenarioReference(try text(column)) else {
      throw .damage("the name of an included scenario is not valid")
    }
    return reference
  }
}

extension ScenarioReader {
  /// Throws for scenarios with open conflicts, so that a test does not silently play one side of a merge.
  func refuseConflicts(in headers: [ScenarioHeader]) throws {
    let names = Set(headers.map(\.scenario.name.rawValue))
    let row = try connection.prepare(ReadQueries.conflicts)
    // The first one, as `check` describes it.
    var first: (scenario: String, place: String)?
    var count = 0
    while try row.step() {
      let place = try [ConflictColumn.scenario, .key, .pointer].map { try row.text($0.rawValue) }
      guard names.contains(place[0]) else { continue }
      first = first ?? (place[0], place.filter { !$0.isEmpty }.joined(separator: " "))
      count += 1
    }
    guard let first else { return }
    throw CatalogError(
      .unresolvedConflict,
      "the scenario \"\(first.scenario)\" of \(path) has a conflict since a merge "
        + "(\(first.place)\(Plural.more(count - 1))); to see it: stubdb resolve \(first.scenario) "
        + "--catalog \(ShellWord.quoted(path))",
      path: path)
  }
}
