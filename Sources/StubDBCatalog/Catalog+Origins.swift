internal import StubDBEngine
package import StubDBModel

/// A request of a scenario that the stubs of several origins answer, told apart by the origin alone.
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
      let own = try requestsByScenario(connection)
      // A file that `check` finds damaged may have includes that do not exist.
      let includes = try reader.includesByScenario()
      let graph = IncludeGraph(
        includes: { own[$0] == nil ? [] : includes[$0] ?? [] }, names: { Array(own.keys) })
      return own.keys.sorted().compactMap { name in
        let names = includes[name] == nil ? [] : (try? graph.closure(of: name)) ?? []
        return shared(name, [name] + names, own)
      }
    }
  }

  /// What a request must be besides going to the right origin.
  private struct Rest: Hashable, Comparable {
    let path: String
    let method: String
    let pattern: String

    static func < (one: Rest, other: Rest) -> Bool {
      (one.path, one.method, one.pattern) < (other.path, other.method, other.pattern)
    }
  }

  private func requestsByScenario(
    _ connection: Connection
  ) throws -> [ScenarioName: [Rest: Set<String>]] {
    var requests: [ScenarioName: [Rest: Set<String>]] = [:]
    let row = try connection.prepare(ReadQueries.requestOrigins)
    while try row.step() {
      let name = ScenarioName(unchecked: try row.text(0))
      guard let host = try row.optionalText(3) else {
        requests[name] = requests[name] ?? [:]
        continue
      }
      let rest = Rest(
        path: try row.text(5), method: try row.optionalText(1) ?? "", pattern: try row.text(6))
      let scheme = Origin.scheme(of: try row.optionalText(2) ?? "https")
      let port = row.isNull(4) ? "" : ":\(row.integer(4))"
      requests[name, default: [:]][rest, default: []].insert("\(scheme)://\(host)\(port)")
    }
    return requests
  }

  private func shared(
    _ name: ScenarioName, _ parts: [ScenarioName], _ own: [ScenarioName: [Rest: Set<String>]]
  ) -> SharedRequest? {
    var all: [Rest: Set<String>] = [:]
    for part in parts { all.merge(own[part] ?? [:]) { $0.union($1) } }
    let first = all.filter { $0.value.count > 1 }.min { $0.key < $1.key }
    guard let (rest, origins) = first else { return nil }
    let method = rest.method.isEmpty ? "" : "\(rest.method) "
    return SharedRequest(
      scenario: name, request: method + rest.path, origins: origins.sorted())
  }
}
