import Foundation
import HTTPTypes
package import StubDBCatalog
import StubDBDescriptions
import StubDBDrift
import StubDBEngine
import StubDBModel
import StubDBSupport

/// What a catalog knows of the answers of operations: the answers of its stubs, and the descriptions that it keeps.
///
/// Safe to use from any thread. A scenario is read once, for all operations; the file is expected to stay as it is.
package final class AnswerSamples: Sendable {
  /// More scenarios are not searched for answers of one operation.
  private static let maximumScenarios = 200

  /// The methods and paths of stubs, and the scenarios that have them.
  ///
  /// Columns: method, path, scenario.
  package static let operationsQuery = """
    SELECT DISTINCT coalesce(stub.method, 'GET'), stub.path, scenario.name
    FROM stub JOIN scenario ON scenario.id = scenario_id WHERE stub.path IS NOT NULL
    ORDER BY scenario.name
    """

  private let catalog: Catalog?
  private let described: DescribedRequests
  /// Whether the catalog keeps a description with answers.
  package let hasDescribedAnswers: Bool
  private let scenarios: [String: [ScenarioName]]
  private let state = Locked(State())

  private struct State {
    var shapes: [String: KnownShapes] = [:]
    /// The stubs of the scenarios that were read.
    var stubs: [ScenarioName: [Stub]] = [:]
  }

  /// Reads descriptions, and which scenario answers which operation.
  ///
  /// - Throws: A `CatalogError`, and what reading a description throws.
  package init(_ catalog: Catalog) throws {
    self.catalog = catalog
    let (kept, scenarios) = try catalog.file.read { connection in
      let reader = catalog.reader(connection)
      let kept = try reader.names().filter { $0.rawValue.hasPrefix("\(KeptDescription.tag)/") }
        .compactMap { try reader.scenario($0) }
      var found: [String: [ScenarioName]] = [:]
      let row = try connection.prepare(Self.operationsQuery)
      while try row.step() {
        let operation = ShapeDifference.operation(try row.text(0), path: try row.text(1))
        let name = try row.scenarioName(2)
        if found[operation]?.last != name { found[operation, default: []].append(name) }
      }
      return (kept, found)
    }
    self.scenarios = scenarios
    let descriptions = try kept.compactMap { try KeptDescription($0) }
    described = DescribedRequests(descriptions)
    hasDescribedAnswers = descriptions.contains { $0.definitions != nil }
  }

  /// Knows only the scenarios that are given with each question.
  package init() {
    (catalog, scenarios, hasDescribedAnswers) = (nil, [:], false)
    described = DescribedRequests([])
  }

  /// What the description says of an answer; nil for nothing.
  func description(
    of request: StubRequest, status: Int
  ) -> (content: DescribedPlace, origin: String)? { described.answer(to: request, status: status) }

  /// The shape of all answers of the operation of a request, of a status class; nil if there are none.
  func shape(of request: StubRequest, status: Int, in scenario: LoadedScenario) -> Shape? {
    let path = URLParts(request.url)?.path ?? request.url
    let operation = ShapeDifference.operation(request.method, path: path)
    if let known = state.withLock({ $0.shapes[operation] }) {
      return known.shape(of: operation, status: status)
    }
    // Without the lock: that two threads do the same is better than that all wait.
    var known = KnownShapes()
    for stub in stubs(of: operation, scenario) { known.add(stub) { $0 == operation } }
    let found = known
    state.withLock { $0.shapes[operation] = found }
    return found.shape(of: operation, status: status)
  }

  /// The stubs of the scenarios that answer an operation.
  private func stubs(of operation: String, _ scenario: LoadedScenario) -> [Stub] {
    guard let catalog else { return scenario.sources.map(\.stub) }
    let names = (scenarios[operation] ?? []).prefix(Self.maximumScenarios)
    let known = state.withLock(\.stubs)
    let missing = names.filter { known[$0] == nil }
    guard !missing.isEmpty else { return names.flatMap { known[$0] ?? [] } }
    // What is damaged is reported where it is played.
    let read =
      try? catalog.file.read { connection in
        let reader = catalog.reader(connection)
        return missing.map { ($0, (try? reader.scenario($0))?.stubs ?? []) }
      }
    let all = known.merging(read ?? []) { first, _ in first }
    state.withLock { $0.stubs.merge(read ?? []) { first, _ in first } }
    return names.flatMap { all[$0] ?? [] }
  }
}
