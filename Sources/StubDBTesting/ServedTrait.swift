#if canImport(Testing) && Server
  public import StubDBCatalog
  import StubDBEngine
  public import StubDBModel
  public import StubDBPlayback
  public import StubDBServer
  import StubDBSupport
  public import Testing

  /// Gives each test case its own server, as `StubServer.current`, for clients that are not `URLSession`.
  ///
  /// At the end of a case, it fails at the line of the test for the same reasons as `.scenario`: requests without an
  /// answer, required stubs that were not used, and sequences that had to be finished and were not.
  public struct ServedTrait: TestTrait, SuiteTrait, TestScoping {
    private let catalog: CatalogReference?
    private let scenario: String
    private let options: PlaybackOptions
    private let tls: Bool
    private let trustsPages: Bool
    /// Distinguishes this trait from others in the list of a test.
    private let identity = ScenarioTrait.Identity()

    init(
      catalog: CatalogReference?, scenario: String, tls: Bool, trustsPages: Bool,
      options: PlaybackOptions
    ) {
      (self.catalog, self.scenario, self.options) = (catalog, scenario, options)
      (self.tls, self.trustsPages) = (tls, trustsPages)
    }

    /// True: it applies to every test inside a suite, except where another trait names a scenario to serve.
    public let isRecursive = true

    /// Provides a scope for each test case, for the innermost trait only.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> ServedTrait? {
      guard testCase != nil else { return nil }
      let innermost = test.traits.lazy.compactMap { $0 as? ServedTrait }.last
      return innermost?.identity === identity ? self : nil
    }

    /// Begins to serve, executes the case, ends the server, and reports the problems of the run as failures.
    ///
    /// - Throws: An error of loading the scenario or of listening, and the errors of the test.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @Sendable () async throws -> Void
    ) async throws {
      let server = try await StubServer(
        scenario, in: test.catalog(catalog, of: scenario), tls: tls, trustsPages: trustsPages,
        options: test.completed(options))
      server.player.ledgerRun?.name(test: test.ledgerName)
      let failure = Locked(false)
      var ending = FailureLedger.Ending.failed
      defer {
        server.end()
        let ending = Task.isCancelled ? .cutShort : ending
        test.report(
          FailureLedger.problems(of: server, ending), of: server.player, ending, noting: failure)
      }
      try await CurrentServer.$value.withValue(server) {
        try await test.perform(function, testCase, noting: failure)
      }
      ending = .complete
    }
  }

  extension Trait where Self == ServedTrait {
    /// Gives each test case its own server of the scenario, as `StubServer.current`.
    ///
    /// `catalog` is a path as in `catalog(_:filePath:)`; without it, the innermost `.catalog` trait counts. With `tls`,
    /// clients have to trust `StubServer.authorityFile`; `trustsPages` leaves pages their origin in a browser.
    public static func served(
      _ name: some ScenarioNaming, catalog: String? = nil, tls: Bool = false,
      trustsPages: Bool = false,
      options: PlaybackOptions = PlaybackOptions(), filePath: String = #filePath
    ) -> Self {
      ServedTrait(
        catalog: catalog.map { CatalogReference(path: $0, sourceFile: filePath) },
        scenario: name.scenarioName,
        tls: tls, trustsPages: trustsPages, options: options)
    }

    /// Gives each test case a server of the scenario of an open catalog, as `StubServer.current`.
    public static func served(
      _ name: some ScenarioNaming, catalog: Catalog, tls: Bool = false, trustsPages: Bool = false,
      options: PlaybackOptions = PlaybackOptions()
    ) -> Self {
      ServedTrait(
        catalog: .value(catalog), scenario: name.scenarioName, tls: tls, trustsPages: trustsPages,
        options: options)
    }
  }

  extension StubServer {
    /// The server of the running test case, from the trait `.served`.
    ///
    /// The test's task and its child tasks see it; other threads and detached tasks do not. Nil without the trait.
    public static var current: StubServer? { CurrentServer.value }
  }

  private enum CurrentServer {
    @TaskLocal static var value: StubServer?
  }
#endif
