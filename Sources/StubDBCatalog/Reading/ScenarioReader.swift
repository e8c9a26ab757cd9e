internal import Foundation
internal import StubDBModel

/// Reads scenarios through one connection.
struct ScenarioReader {
  let connection: Connection
  let path: String

  func names() throws -> [ScenarioName] {
    let statement = try connection.prepare(ReadQueries.scenarioNames)
    var names: [ScenarioName] = []
    while try statement.step() { names.append(ScenarioName(unchecked: try statement.text(0))) }
    return names
  }

  /// The scenarios of which a stub may match requests of this method and path.
  func names(withStubsFor method: String, path: String) throws -> [ScenarioName] {
    let statement = try connection.prepare(ReadQueries.scenariosForRequest)
    try statement.bind(1, method)
    try statement.bind(2, path)
    var names: [ScenarioName] = []
    while try statement.step() { names.append(ScenarioName(unchecked: try statement.text(0))) }
    return names
  }

  func summaries() throws -> [ScenarioSummary] {
    let includes = try includesByScenario()
    let statement = try connection.prepare(ReadQueries.scenarioList)
    var summaries: [ScenarioSummary] = []
    while try statement.step() {
      let name = ScenarioName(unchecked: try statement.text(0))
      summaries.append(
        ScenarioSummary(
          name: name, summary: try statement.optionalText(1), tags: try tags(statement.text(2)),
          includes: includes[name] ?? [], stubCount: statement.integer(3)))
    }
    return summaries
  }

  /// The scenario, with every body in memory; nil where there is none of the name.
  func scenario(_ name: ScenarioName) throws -> Scenario? {
    guard var scenario = try header(name) else { return nil }
    var rows = StubRows(largestBody: .max, path: path)
    scenario.stubs = try rows.stubs(of: name, on: connection)
    return scenario
  }

  /// The scenario without its stubs; nil where there is none of the name.
  func header(_ name: ScenarioName) throws -> Scenario? {
    let id = RowID.scenario(name.rawValue)
    let statement = try connection.prepare(ReadQueries.scenario)
    try statement.bind(1, id)
    guard try statement.step(), try statement.text(2) == name.rawValue else { return nil }
    return Scenario(
      name: name, summary: try statement.optionalText(0), tags: try tags(statement.text(1)),
      includes: try includes(ofScenario: id))
  }

  /// Every include of the catalog.
  func includesByScenario() throws -> [ScenarioName: [ScenarioName]] {
    let statement = try connection.prepare(ReadQueries.allIncludes)
    var includes: [ScenarioName: [ScenarioName]] = [:]
    while try statement.step() {
      includes[ScenarioName(unchecked: try statement.text(0)), default: []]
        .append(ScenarioName(unchecked: try statement.text(1)))
    }
    return includes
  }

  /// That there is no scenario of the name, and what was probably meant.
  func noSuchScenario(_ name: String) throws -> CatalogError {
    let names = try names().map(\.rawValue)
    let hint =
      names.isEmpty
      ? "; the catalog is empty, add one with: stubdb add \(name) --url URL"
      : ""
    return CatalogError(
      .noSuchScenario, "the catalog \(path) has no scenario \"\(name)\"\(hint)", path: path,
      suggestions: names.nearest(to: name).map { [$0] } ?? [])
  }

  private func includes(ofScenario id: Int64) throws -> [ScenarioName] {
    let statement = try connection.prepare(ReadQueries.includes)
    try statement.bind(1, id)
    var includes: [ScenarioName] = []
    while try statement.step() { includes.append(ScenarioName(unchecked: try statement.text(0))) }
    return includes
  }

  private func tags(_ text: String) throws -> [String] {
    guard case .array(let elements)? = try? JSONValue(parsing: text) else {
      throw CatalogError(.damaged, "the catalog \(path) is damaged: tags are no list", path: path)
    }
    return elements.compactMap { element in
      if case .string(let tag) = element { tag } else { nil }
    }
  }
}
