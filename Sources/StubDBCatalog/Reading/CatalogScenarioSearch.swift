internal import StubDBEngine
internal import StubDBModel

/// Finds the scenarios of a catalog in which a stub would have answered a request.
struct CatalogScenarioSearch: OtherScenarioSearch {
  /// How many scenarios are named at most.
  static let limit = 3
  /// How many scenarios are looked into at most: a report is to come at once.
  static let candidateLimit = 500

  let catalog: Catalog
  let besides: ScenarioName

  func scenarios(matching request: StubRequest) -> [ScenarioName] {
    // Only for a report: where the catalog cannot be read any more the report goes without.
    let names = try? catalog.file.read { connection in
      try ScenarioReader(connection: connection, path: catalog.file.path)
        .names(withStubsFor: request.method, path: URLParts(request.url)?.path ?? request.url)
    }
    var found: [ScenarioName] = []
    for name in (names ?? []).prefix(Self.candidateLimit)
    where name != besides && found.count < Self.limit {
      guard let scenario = try? catalog.read([name.rawValue]).scenario else { continue }
      if case .respond = scenario.run().respond(to: request) { found.append(name) }
    }
    return found
  }
}
