#if canImport(Testing)
  import StubDB
  import StubDBModel
  public import Testing

  /// Gives every test case inside a fresh interceptor, as `Interceptor.current`: a run of a scenario, or one for closures.
  ///
  /// When the case is over, requests that nothing answered, required stubs that were not used and sequences that have to be
  /// finished and were not fail it, at the line of the test; a case that is cancelled only for the first. So does a
  /// request to `URLSession.shared` where the interceptor itself was asked nothing.
  public struct ScenarioTrait: TestTrait, SuiteTrait, TestScoping {
    private let catalog: CatalogLookup?
    private let play: Play
    /// Tells this trait from another one in the list of a test.
    private let identity = Identity()

    private final class Identity: Sendable {}

    /// What the test says of the run.
    struct Play: Sendable {
      /// Nil for closures alone.
      let scenario: String?
      var overlays: [String] = []
      let options: InterceptorOptions
    }

    init(catalog: CatalogLookup?, play: Play) {
      self.catalog = catalog
      self.play = play
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

    /// Begins the run, runs the case, and fails it for what did not go as the scenario says.
    ///
    /// - Throws: what keeps the scenario from being loaded, and what the test throws.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @Sendable () async throws -> Void
    ) async throws {
      // Before the first session is made, since it is heard without fail only then.
      SharedSessionWatch.begin()
      let interceptor = try makeInterceptor(for: test)
      let ledger = FailureLedger(interceptor, session: "URLSession.stubbed")
      var ending = FailureLedger.Ending.failed
      defer { Self.record(ledger.close(Task.isCancelled ? .cutShort : ending), of: test) }
      try await SharedSessionWatch.$requests.withValue(ledger.sharedRequests) {
        try await CurrentScope.$value.withValue(CurrentScope(interceptor)) {
          try await function()
        }
      }
      ending = .complete
    }

    private func makeInterceptor(for test: Test) throws -> Interceptor {
      var options = play.options
      options.isReportedElsewhere = true
      guard let scenario = play.scenario else { return Interceptor(nil, options: options) }
      let inherited = test.traits.lazy.compactMap { $0 as? CatalogTrait }.last?.lookup
      guard let lookup = catalog ?? inherited else {
        throw MissingCatalogError(scenario: scenario)
      }
      return Interceptor(
        try lookup.open().load(scenario, overlays: play.overlays), options: options)
    }

    private static func record(_ findings: [FailureLedger.Finding], of test: Test) {
      for finding in findings {
        let comment = Comment(rawValue: finding.message)
        guard finding.isWarning else {
          Issue.record(comment, sourceLocation: test.sourceLocation)
          continue
        }
        // Earlier versions know no warnings.
        #if compiler(>=6.3)
          Issue.record(comment, severity: .warning, sourceLocation: test.sourceLocation)
        #endif
      }
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
      allowsPassthrough: Bool = false, requiresWholeSequences: Bool = false,
      filePath: String = #filePath
    ) -> Self {
      ScenarioTrait(
        catalog: catalog.map { CatalogLookup(path: $0, sourceFile: filePath) },
        play: ScenarioTrait.Play(
          scenario: name, overlays: overlays,
          options: InterceptorOptions(
            unmatched: unmatched, pace: pace, seed: seed, allowsPassthrough: allowsPassthrough,
            requiresWholeSequences: requiresWholeSequences)))
    }

    /// Gives every test case inside a fresh interceptor without a scenario, as `Interceptor.current`, for closures.
    ///
    /// What no closure answers fails the test. Inside a suite with a scenario it takes the scenario away.
    public static func interceptor(
      unmatched: UnmatchedPolicy = .fail, pace: Pace = .real, seed: UInt64 = 0
    ) -> Self {
      ScenarioTrait(
        catalog: nil,
        play: ScenarioTrait.Play(
          scenario: nil,
          options: InterceptorOptions(unmatched: unmatched, pace: pace, seed: seed)))
    }

    /// Gives every test case inside a fresh interceptor without a scenario, as ``interceptor(unmatched:pace:seed:)``.
    public static var interceptor: Self { .interceptor() }
  }
#endif
