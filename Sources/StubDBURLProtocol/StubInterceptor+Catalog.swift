public import StubDBCatalog
public import StubDBEngine

extension StubInterceptor {
  /// Loads a scenario by its name and begins a run of it, with the scenarios of `overlays` on top.
  ///
  /// Of the overlays the last one answers first.
  /// - Throws: `CatalogError` when the catalog does not hold it or cannot be read, and ``EngineError`` when
  ///   it holds what this version cannot play.
  public convenience init(
    _ scenario: String, in catalog: Catalog, overlays: [String] = [],
    unmatched: UnmatchedPolicy = .fail,
    pace: Pace = .real, seed: UInt64 = 0, allowsPassthrough: Bool = false,
    requiresWholeSequences: Bool = false
  ) throws {
    self.init(
      try catalog.load(scenario, overlays: overlays), unmatched: unmatched, pace: pace, seed: seed,
      allowsPassthrough: allowsPassthrough, requiresWholeSequences: requiresWholeSequences)
  }
}
