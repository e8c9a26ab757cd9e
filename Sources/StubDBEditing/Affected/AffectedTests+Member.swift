package import StubDBCatalog
package import StubDBFormats
package import StubDBJSON
internal import StubDBModel
internal import StubDBPlayback

extension AffectedTests {
  /// How many values of one answer a query may visit.
  private static let maximumVisitCount = 1_000_000

  /// The tests that were answered by a stub with a JSON answer in which a query selects something.
  ///
  /// Which answer of a sequence a test got is not in the ledger: any of them counts. So do answers that templates make
  /// JSON of only when they are given.
  /// - Throws: `CatalogError` if the catalog cannot be read.
  package init(
    _ ledger: LedgerReading, in catalog: Catalog, with member: JSONPath
  ) throws(CatalogError) {
    self.init(
      ledger,
      for: try Self.reasons(ledger, in: catalog) { stub in
        let (last, isResource) = (stub.responses.indices.last, stub.resource != nil)
        let hasMember = stub.responses.indices.contains { index in
          stub.responses[index].mayHave(
            member, isSeed: isResource && index == last, visiting: Self.maximumVisitCount)
        }
        return hasMember ? [(.member, "answers with \(member)")] : []
      })
  }

  /// The tests that were answered by a stub of an operation that differs between two descriptions of the API.
  ///
  /// - Throws: `CatalogError` if the catalog cannot be read.
  package init(
    _ ledger: LedgerReading, in catalog: Catalog, after changes: OpenAPIChanges
  ) throws(CatalogError) {
    self.init(
      ledger,
      for: try Self.reasons(ledger, in: catalog) { stub in
        changes.operations(answeredBy: stub).map {
          (.operation, "answers \($0.method) \($0.path), which \($0.change.phrase)")
        }
      })
  }

  /// What a closure says of the stubs that answered tests and are still there.
  private static func reasons(
    _ ledger: LedgerReading, in catalog: Catalog,
    _ find: (Stub) -> [(AffectedReason.Kind, String)]
  ) throws(CatalogError) -> [StubPlace: [AffectedReason]] {
    let state = try ComparedState(catalog)
    var loads: Set<ScenarioLoad> = []
    var used: [String: Set<String>] = [:]
    for entry in ledger.entries {
      let load = ScenarioLoad(entry)
      // Stubs of what cannot be loaded answer no test.
      if loads.insert(load).inserted { _ = try? state.resolved(load) }
      for use in entry.used { used[use.scenario, default: []].formUnion(use.keys) }
    }
    var reasons: [StubPlace: [AffectedReason]] = [:]
    for (scenario, keys) in used {
      for stub in try state.scenario(scenario)?.stubs ?? [] where keys.contains(stub.key.rawValue) {
        let found = find(stub).map { kind, text in
          AffectedReason(kind: kind, scenario: scenario, key: stub.key.rawValue, text: text)
        }
        if !found.isEmpty {
          reasons[StubPlace(scenario: scenario, key: stub.key.rawValue)] = found
        }
      }
    }
    return reasons
  }
}

extension StubResponse {
  /// Whether a query selects something in the content, or may do so once templates are filled in.
  ///
  /// The answers of a resource are its list and its items. Content that says that it is JSON, and cannot be read as such,
  /// may have anything.
  fileprivate func mayHave(_ member: JSONPath, isSeed: Bool, visiting limit: Int) -> Bool {
    guard let bytes = body?.bytes, !bytes.isEmpty else { return false }
    guard let json = decodedJSON else { return isTemplate || saysJSON }
    var limit = limit
    func selects(_ value: JSONValue) -> Bool {
      member.values(in: value, visiting: &limit).map { !$0.isEmpty } ?? true
    }
    if selects(json) { return true }
    guard isSeed, case .array(let items) = json else { return false }
    return items.contains(where: selects)
  }
}
