internal import StubDBEngine
internal import StubDBModel

/// Finds the scenarios of a catalog in which a stub would have answered a request.
struct CatalogScenarioSearch: OtherScenarioSearch {
  /// How many scenarios are named at most.
  static let limit = 3

  let catalog: Catalog
  let besides: ScenarioName

  func scenarios(matching request: StubRequest) -> [ScenarioName] {
    // Only for a report: where the catalog cannot be read any more the report goes without.
    guard let summaries = try? catalog.scenarios() else { return [] }
    var found: [ScenarioName] = []
    for summary in summaries where summary.name != besides && found.count < Self.limit {
      guard let scenario = try? catalog.load(summary.name.rawValue) else { continue }
      if case .respond = scenario.run().respond(to: request) { found.append(summary.name) }
    }
    return found
  }
}
