internal import StubDBEngine
internal import StubDBModel

/// Finds the scenarios of a catalog in which a stub would have answered a request.
struct CatalogScenarioSearch: OtherScenarioSearch {
  /// How many scenarios are named at most.
  static let limit = 3
  /// How many scenarios are looked into at most: a report is to come at once.
  static let candidateLimit = 500
  /// Of how many scenarios that answer the most specific are named.
  private static let comparedLimit = 20

  let catalog: Catalog
  let besides: ScenarioName

  /// The most specific first; never one that answers with a stub for whatever comes, and never one that includes the
  /// scenario itself, since that could not be included in turn.
  func scenarios(matching request: StubRequest) -> [ScenarioName] {
    // Only for a report: where the catalog cannot be read any more the report goes without.
    let names = try? catalog.file.read { connection in
      let reader = ScenarioReader(connection: connection, path: catalog.file.path)
      let graph = IncludeGraph(
        includes: { try reader.header($0)?.scenario.includes }, names: { try reader.names() })
      return try reader.names(
        withStubsFor: request.method, path: URLParts(request.url)?.path ?? request.url
      )
      .prefix(Self.candidateLimit)
      .filter { name in
        guard name != besides else { return false }
        // A dangling include or a circle is none that could be played.
        return (try? graph.closure(of: name).contains(besides)) == false
      }
    }
    var found: [(name: ScenarioName, specificity: Int)] = []
    for name in names ?? [] where found.count < Self.comparedLimit {
      guard let scenario = try? catalog.read([name.rawValue]).scenario,
        case .respond = scenario.run().respond(to: request),
        let stub = scenario.firstMatch(for: request)?.stub, stub.request.specificity > 0
      else { continue }
      found.append((name, stub.request.specificity))
    }
    return found.enumerated()
      .sorted { ($1.element.specificity, $0.offset) < ($0.element.specificity, $1.offset) }
      .prefix(Self.limit).map(\.element.name)
  }
}
