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
/// Safe to use from any thread. What is asked for is read once; the file is expected to stay as it is.
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
  private let shapes = Locked([String: KnownShapes]())

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
    let known = shapes.withLock { $0[operation] }
    let found = known ?? read(operation, scenario)
    if known == nil { shapes.withLock { $0[operation] = found } }
    return found.shape(of: operation, status: status)
  }

  private func read(_ operation: String, _ scenario: LoadedScenario) -> KnownShapes {
    var known = KnownShapes()
    guard let catalog else {
      for source in scenario.sources { known.add(source.stub) { $0 == operation } }
      return known
    }
    for name in (scenarios[operation] ?? []).prefix(Self.maximumScenarios) {
      // What is damaged is reported where it is played.
      let read = try? catalog.file.read { try catalog.reader($0).scenario(name) }
      for stub in read?.stubs ?? [] { known.add(stub) { $0 == operation } }
    }
    return known
  }
}
