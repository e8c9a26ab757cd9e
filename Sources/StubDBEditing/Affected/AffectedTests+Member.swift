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
        stub.responses.contains { $0.mayHave(member, visiting: Self.maximumVisitCount) }
          ? [(.member, "answers with \(member)")] : []
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
  fileprivate func mayHave(_ member: JSONPath, visiting limit: Int) -> Bool {
    guard let bytes = body?.bytes, !bytes.isEmpty else { return false }
    guard let json = try? JSONValue(parsing: bytes) else { return isTemplate }
    var limit = limit
    return member.values(in: json, visiting: &limit).map { !$0.isEmpty } ?? true
  }
}
