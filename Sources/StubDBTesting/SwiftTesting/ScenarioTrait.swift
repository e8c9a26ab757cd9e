#if canImport(Testing)
  import StubDB
  import StubDBModel
  public import Testing

  /// Gives every test case inside a fresh run of a scenario, as `Interceptor.current`.
  ///
  /// When the case is over, requests that nothing answered, required stubs that were not used and sequences that were
  /// not finished fail it, at the line of the test; a case that is cancelled only for the first.
  public struct ScenarioTrait: TestTrait, SuiteTrait, TestScoping {
    private let catalog: CatalogLookup?
    private let options: Options
    /// Tells this trait from another one in the list of a test.
    private let identity = Identity()

    private final class Identity: Sendable {}

    /// What of the run the test says.
    struct Options: Sendable {
      let scenario: String
      let overlays: [String]
      let unmatched: UnmatchedPolicy
      let pace: Pace
      let seed: UInt64
      let allowsPassthrough: Bool
    }

    init(catalog: CatalogLookup?, options: Options) {
      self.catalog = catalog
      self.options = options
    }

    /// Holds for every test inside a suite that names no other scenario.
    public let isRecursive = true

    /// A scope for each test case, from the innermost trait.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> ScenarioTrait? {
      guard testCase != nil else { return nil }
      // Inherited traits come first. An outer one must not begin a run: its required stubs would be reported unused.
      let innermost = test.traits.lazy.compactMap { $0 as? ScenarioTrait }.last
      return innermost?.identity === identity ? self : nil
    }

    /// Loads the scenario, runs the case, and fails it for what did not go as the scenario says.
    ///
    /// - Throws: what keeps the scenario from being loaded, and what the test throws.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @Sendable () async throws -> Void
    ) async throws {
      let interceptor = try Interceptor(
        options.scenario, in: try lookup(for: test).open(), overlays: options.overlays,
        unmatched: options.unmatched, pace: options.pace, seed: options.seed,
        allowsPassthrough: options.allowsPassthrough)
      let ledger = FailureLedger()
      ledger.add(interceptor)
      defer {
        for message in ledger.drain(isCutShort: Task.isCancelled) {
          Issue.record(Comment(rawValue: message), sourceLocation: test.sourceLocation)
        }
      }
      try await CurrentScope.$value.withValue(CurrentScope(interceptor)) {
        try await function()
      }
    }

    private func lookup(for test: Test) throws -> CatalogLookup {
      let inherited = test.traits.lazy.compactMap { $0 as? CatalogTrait }.last?.lookup
      guard let lookup = catalog ?? inherited else {
        throw MissingCatalogError(scenario: options.scenario)
      }
      return lookup
    }
  }

  extension Trait where Self == ScenarioTrait {
    /// Gives every test case inside a fresh run of the scenario, as `Interceptor.current`.
    ///
    /// Overlays are scenarios that are laid on top, the last one answering first. `catalog` is a path as in
    /// ``catalog(_:filePath:)``; without it the innermost `.catalog` counts. Of several scenarios the innermost counts, of
    /// several on one test the last. The others are those of `Interceptor`.
    public static func scenario(
      _ name: String, overlay overlays: String..., catalog: String? = nil,
      unmatched: UnmatchedPolicy = .fail, pace: Pace = .real, seed: UInt64 = 0,
      allowsPassthrough: Bool = false, filePath: String = #filePath
    ) -> Self {
      ScenarioTrait(
        catalog: catalog.map { CatalogLookup(path: $0, sourceFile: filePath) },
        options: ScenarioTrait.Options(
          scenario: name, overlays: overlays, unmatched: unmatched, pace: pace, seed: seed,
          allowsPassthrough: allowsPassthrough))
    }
  }
#endif
