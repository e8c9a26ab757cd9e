package import StubDBCatalog
internal import StubDBDocuments
package import StubDBModel

/// A request of a scenario that the stubs of several origins answer, which differ only in the origin.
package struct SharedRequest: Hashable, Sendable {
  /// The scenario, whose includes count too.
  package let scenario: ScenarioName
  /// The method and path, such as `GET /v1/me`.
  package let request: String
  /// The origins, sorted; two or more.
  package let origins: [String]
}

extension Catalog {
  /// The requests that mean several origins if they come without one, as to a server of the scenario.
  ///
  /// At most one for each scenario: the first by method and path.
  /// - Throws: A ``CatalogError`` if the file cannot be read.
  package func sharedRequests() throws(CatalogError) -> [SharedRequest] {
    try file.read { connection in
      let reader = reader(connection)
      var shared = SharedOrigins(
        requests: try requestsByScenario(connection),
        includes: try reader.includesByScenario().mapValues(\.ownNames))
      return shared.requests()
    }
  }

  private func requestsByScenario(
    _ connection: Connection
  ) throws -> [ScenarioName: [SharedOrigins.Rest: Set<String>]] {
    var requests: [ScenarioName: [SharedOrigins.Rest: Set<String>]] = [:]
    let row = try connection.prepare(ReadQueries.requestOrigins)
    while try row.step() {
      let name = try row.scenarioName(0)
      guard let host = try row.optionalText(3) else {
        requests[name] = requests[name] ?? [:]
        continue
      }
      let rest = SharedOrigins.Rest(
        path: try row.text(5), method: try row.optionalText(1) ?? "", pattern: try row.text(6))
      let scheme = URLParts.originScheme(of: try row.optionalText(2) ?? "https")
      let port = row.isNull(4) ? "" : ":\(row.integer(4))"
      requests[name, default: [:]][rest, default: []].insert("\(scheme)://\(host)\(port)")
    }
    return requests
  }
}
