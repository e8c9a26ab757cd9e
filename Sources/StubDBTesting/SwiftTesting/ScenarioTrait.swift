#if canImport(Testing)
  import StubDB
  import StubDBModel
  public import Testing

  /// Gives each test case an interceptor of its own, as `StubInterceptor.current`, for a scenario or for closures.
  ///
  /// At the end of a case, it fails at the line of the test for requests without an answer, required stubs that were
  /// not used, sequences that had to be finished and were not, and a request to `URLSession.shared` if the interceptor
  /// itself was asked nothing. A case that is cancelled fails only for the first of these.
  public struct ScenarioTrait: TestTrait, SuiteTrait, TestScoping {
    private let catalog: CatalogLookup?
    private let play: Play
    /// Distinguishes this trait from others in the list of a test.
    private let identity = Identity()

    private final class Identity: Sendable {}

    /// The options of the run.
    struct Play: Sendable {
      /// The scenario; nil for closures alone.
      let scenario: String?
      var overlays: [String] = []
      let options: InterceptorOptions
    }

    init(catalog: CatalogLookup?, play: Play) {
      self.catalog = catalog
      self.play = play
    }

    /// True: it applies to every test inside a suite, except where another trait names a scenario.
    public let isRecursive = true

    /// Provides a scope for each test case, for the innermost trait only.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> ScenarioTrait? {
      guard testCase != nil else { return nil }
      // Inherited traits come first. An outer one must not begin a run, because its required stubs would be reported as
      // unused.
      let innermost = test.traits.lazy.compactMap { $0 as? ScenarioTrait }.last
      return innermost?.identity === identity ? self : nil
    }

    /// Begins the run, executes the case, and reports its problems as failures.
    ///
    /// - Throws: An error of loading the scenario, and the errors of the test.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @Sendable () async throws -> Void
    ) async throws {
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

    private func makeInterceptor(for test: Test) throws -> StubInterceptor {
      var options = play.options
      options.isReportedElsewhere = true
      guard let scenario = play.scenario else { return StubInterceptor(nil, options: options) }
      let inherited = test.traits.lazy.compactMap { $0 as? CatalogTrait }.last?.lookup
      guard let lookup = catalog ?? inherited else {
        throw MissingCatalogError(scenario: scenario)
      }
      return StubInterceptor(
        try lookup.open().load(scenario, overlays: play.overlays), options: options)
    }

    private static func record(_ findings: [FailureLedger.Finding], of test: Test) {
      for finding in findings {
        let comment = Comment(rawValue: finding.message)
        guard finding.isWarning else {
          Issue.record(comment, sourceLocation: test.sourceLocation)
          continue
        }
        // Earlier versions have no warnings.
        #if compiler(>=6.3)
          Issue.record(comment, severity: .warning, sourceLocation: test.sourceLocation)
        #endif
      }
    }
  }

  extension Trait where Self == ScenarioTrait {
    /// Gives each test case a run of the scenario of its own, as `StubInterceptor.current`.
    ///
    /// Overlays are scenarios that are laid on top; the last one answers first. `catalog` is a path as in
    /// ``catalog(_:filePath:)``; without it, the innermost `.catalog` trait counts. If traits name several scenarios,
    /// the innermost counts, and the last one on the same test. The other parameters are those of `StubInterceptor`.
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

    /// Gives each test case an interceptor without a scenario, as `StubInterceptor.current`, for closures.
    ///
    /// A request that no closure answers fails the test. Inside a suite with a scenario, it replaces the scenario.
    public static func interceptor(
      unmatched: UnmatchedPolicy = .fail, pace: Pace = .real, seed: UInt64 = 0
    ) -> Self {
      ScenarioTrait(
        catalog: nil,
        play: ScenarioTrait.Play(
          scenario: nil,
          options: InterceptorOptions(unmatched: unmatched, pace: pace, seed: seed)))
    }

    /// Gives each test case an interceptor without a scenario, as ``interceptor(unmatched:pace:seed:)``.
    public static var interceptor: Self { .interceptor() }
  }
#endif
