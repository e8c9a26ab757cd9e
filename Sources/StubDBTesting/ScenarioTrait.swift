#if canImport(Testing)
  public import Foundation
  public import StubDBCatalog
  import StubDBEngine
  public import StubDBModel
  public import StubDBPlayback
  import StubDBSupport
  package import StubDBURLProtocol
  public import Testing

  /// Gives each test case its own interceptor, as `StubInterceptor.current`, for a scenario or for closures.
  ///
  /// At the end of a case, it fails at the line of the test for requests without an answer, required stubs that were
  /// not used, sequences that had to be finished and were not, and a request to `URLSession.shared` if the interceptor
  /// itself was asked nothing. A case that is cancelled fails only for the first of these.
  public struct ScenarioTrait: TestTrait, SuiteTrait, TestScoping {
    private let catalog: CatalogReference?
    /// Nil for closures alone.
    private let scenario: String?
    private let reach: SessionReach
    private let options: PlaybackOptions
    /// Distinguishes this trait from others in the list of a test.
    private let identity = Identity()

    final class Identity: Sendable {}

    init(
      catalog: CatalogReference?, scenario: String?, reach: SessionReach, options: PlaybackOptions
    ) {
      (self.catalog, self.scenario) = (catalog, scenario)
      (self.reach, self.options) = (reach, options)
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
    /// - Throws: An error of loading the scenario, `SharedSessionError` if an interceptor of another test answers the
    /// shared session, and the errors of the test.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @Sendable () async throws -> Void
    ) async throws {
      guard reach == .sharedSession else { return try await play(function, of: test, testCase) }
      try await SharedSessionTurn.perform { try await play(function, of: test, testCase) }
    }

    private func play(
      _ function: @Sendable () async throws -> Void, of test: Test, _ testCase: Test.Case?
    ) async throws {
      SharedSessionWatch.begin()
      let interceptor = try makeInterceptor(for: test)
      interceptor.name(test: test.ledgerName)
      let ledger = FailureLedger(interceptor, in: .swiftTesting, reach: reach)
      var ending = FailureLedger.Ending.failed
      do {
        defer {
          let ending = Task.isCancelled ? .cutShort : ending
          test.report(
            ledger.close(ending), of: interceptor.player, ending, noting: ledger.hasFailed)
        }
        try await SharedSessionWatch.$requests.withValue(ledger.sharedRequests) {
          if reach == .sharedSession { try interceptor.interceptSharedSession() }
          try await CurrentScope.$value.withValue(CurrentScope(interceptor)) {
            try await test.perform(function, testCase, noting: ledger.hasFailed)
          }
        }
        ending = .complete
      } catch {
        // It would be a second issue that says less.
        guard ledger.willReport(error) else { throw error }
      }
      guard ending == .complete, !Task.isCancelled, !ledger.hasFailed.withLock(\.self) else {
        return
      }
      for case let trait as any CaseRepeating in test.traits {
        await trait.repeatCase(of: test, testCase, after: interceptor, reach, function)
      }
    }

    private func makeInterceptor(for test: Test) throws -> StubInterceptor {
      var options = test.completed(options)
      options.isReportedElsewhere = true
      guard let scenario else {
        return StubInterceptor(playing: nil, options: options.withoutCatalog)
      }
      let catalog = try test.catalog(catalog, of: scenario)
      return try StubInterceptor(scenario, in: catalog, options: options)
    }
  }

  /// Repeats a test case that has passed; a module that has one is compiled only where it is imported.
  package protocol CaseRepeating: Trait {
    /// Called after the run of the interceptor has ended; records what it finds.
    func repeatCase(
      of test: Test, _ testCase: Test.Case?, after interceptor: StubInterceptor,
      _ reach: SessionReach, _ function: @Sendable () async throws -> Void
    ) async
  }

  extension Test {
    /// The options, and what they leave open as the traits say, the innermost first.
    func completed(_ options: PlaybackOptions) -> PlaybackOptions {
      traits.lazy.compactMap { $0 as? DefaultsTrait }.reversed().reduce(options) {
        $0.completed(with: $1.defaults)
      }
    }

    /// The catalog that a trait names for its scenario, else the innermost one of the others.
    func catalog(_ own: CatalogReference?, of scenario: String) throws -> Catalog {
      let inherited = traits.lazy.compactMap { $0 as? CatalogTrait }.last?.reference
      guard let reference = own ?? inherited else { throw MissingCatalogError(scenario: scenario) }
      return try reference.open()
    }

    /// The name in the usage ledger: module, suites and function.
    package var ledgerName: String {
      ([id.moduleName] + id.nameComponents).joined(separator: "/")
    }

    /// Executes a case, and notes whether an expectation fails, if that matters later.
    func perform(
      _ function: @Sendable () async throws -> Void, _ testCase: Case?, noting failure: Locked<Bool>
    ) async throws {
      // Earlier versions do not distinguish failures from warnings and known issues.
      #if compiler(>=6.3)
        let isRepeated = traits.contains { $0 is any CaseRepeating }
        if isRepeated || RecordedPlay.linkedMaker != nil {
          let watch = IssueHandlingTrait.compactMapIssues { issue in
            // An issue of no test reaches the handlers of all tests that run, and the framework's own, which reports it.
            guard Test.current != nil else { return nil }
            if issue.isFailure { failure.withLock { $0 = true } }
            return issue
          }
          return try await watch.provideScope(
            for: self, testCase: testCase, performing: function)
        }
      #endif
      try await function()
    }

    /// Reports and notes what went wrong in a run, and attaches its journal if the test failed.
    func report(
      _ findings: [FailureLedger.Finding], of player: Player, _ ending: FailureLedger.Ending,
      noting failure: Locked<Bool>
    ) {
      for finding in findings {
        finding.record(in: self)
        if !finding.isWarning { failure.withLock { $0 = true } }
      }
      // Earlier versions have no attachments.
      #if compiler(>=6.2)
        // A test that is cut short by its time limit has failed.
        let isCut = ending == .cutShort && timeLimit != nil
        let hasFailed = failure.withLock(\.self) || isCut || ending == .failed
        guard let journal = FailureLedger.journal(of: player, test: ledgerName, findings, hasFailed)
        else { return }
        Attachment.record(
          [UInt8](journal), named: FailureLedger.journalName, sourceLocation: sourceLocation)
      #endif
    }
  }

  extension FailureLedger.Finding {
    /// Reports it at the line of the test.
    func record(in test: Test) {
      let comment = Comment(rawValue: message)
      guard isWarning else {
        Issue.record(comment, sourceLocation: test.sourceLocation)
        return
      }
      // Earlier versions have no warnings.
      #if compiler(>=6.3)
        Issue.record(comment, severity: .warning, sourceLocation: test.sourceLocation)
      #endif
    }
  }

  extension Trait where Self == ScenarioTrait {
    /// Gives each test case its own run of the scenario, as `StubInterceptor.current`.
    ///
    /// `catalog` is a path as in ``catalog(_:filePath:)``; without it, the innermost `.catalog` trait counts. With
    /// `reach`, the scenario also answers `URLSession.shared`. If traits name several scenarios, the innermost counts,
    /// and the last one on the same test.
    public static func scenario(
      _ name: some ScenarioNaming, catalog: String? = nil, reach: SessionReach = .ownSessions,
      options: PlaybackOptions = PlaybackOptions(), filePath: String = #filePath
    ) -> Self {
      ScenarioTrait(
        catalog: catalog.map { CatalogReference(path: $0, sourceFile: filePath) },
        scenario: name.scenarioName, reach: reach, options: options)
    }

    /// Gives each test case a run of the scenario of an open catalog, as `StubInterceptor.current`.
    public static func scenario(
      _ name: some ScenarioNaming, catalog: Catalog, reach: SessionReach = .ownSessions,
      options: PlaybackOptions = PlaybackOptions()
    ) -> Self {
      ScenarioTrait(
        catalog: .value(catalog), scenario: name.scenarioName, reach: reach, options: options)
    }

    /// Gives each test case an interceptor without a scenario, as `StubInterceptor.current`, for closures.
    ///
    /// A request that no closure answers fails the test. Inside a suite with a scenario, it replaces the scenario.
    public static func interceptor(
      reach: SessionReach = .ownSessions, options: PlaybackOptions = PlaybackOptions()
    ) -> Self {
      ScenarioTrait(catalog: nil, scenario: nil, reach: reach, options: options)
    }

    /// Gives each test case an interceptor without a scenario, as ``interceptor(reach:options:)``.
    public static var interceptor: Self { .interceptor() }
  }

  /// Names the catalog for the scenarios of a test or suite.
  public struct CatalogTrait: TestTrait, SuiteTrait {
    let reference: CatalogReference

    /// True: it applies to everything inside a suite, except where another trait names a catalog.
    public let isRecursive = true
  }

  extension Trait where Self == CatalogTrait {
    /// Names the catalog for the scenarios of a test or suite.
    ///
    /// A relative path is looked up in the folder of the test's source file, then in each folder above it, then in the
    /// resources of the test bundle. The innermost trait counts.
    public static func catalog(_ path: String, filePath: String = #filePath) -> Self {
      CatalogTrait(reference: CatalogReference(path: path, sourceFile: filePath))
    }

    /// Names a catalog among the resources of a bundle, such as `.module` in a package, for the scenarios of a test or suite.
    ///
    /// The file beside the sources does not count, so that a test without the resource fails on every machine, and not
    /// only on a device. The innermost trait counts.
    public static func catalog(_ path: String, in bundle: Bundle) -> Self {
      CatalogTrait(reference: CatalogReference(path: path, sourceFile: "", bundle: bundle))
    }

    /// Gives the catalog that the scenarios of a test or suite are loaded from; the innermost one counts.
    public static func catalog(_ catalog: Catalog) -> Self {
      CatalogTrait(reference: .value(catalog))
    }
  }

  /// Decides how strictly the scenarios of a test or suite are played, as far as their options leave it open.
  public struct DefaultsTrait: TestTrait, SuiteTrait {
    let defaults: PlaybackDefaults

    /// True: it applies to everything inside a suite, except for what an inner one decides.
    public let isRecursive = true
  }

  extension Trait where Self == DefaultsTrait {
    /// Decides how strictly all scenarios of a test or suite are played; what is nil is left open.
    ///
    /// What the options of a test say counts before it, and so does an inner trait of this kind, each for itself:
    /// `options: .init(requiresStubs: false)` opts out. The settings of the catalog count after it.
    public static func stubdbDefaults(
      pace: Pace? = nil, unmatched: UnmatchedPolicy? = nil, requiresStubs: Bool? = nil,
      requiresWholeSequences: Bool? = nil, today: PlaybackOptions.Today? = nil
    ) -> Self {
      DefaultsTrait(
        defaults: PlaybackDefaults(
          pace: pace, unmatched: unmatched, requiresStubs: requiresStubs,
          requiresWholeSequences: requiresWholeSequences, today: today))
    }
  }

  /// Reports that a test names a scenario but no catalog.
  struct MissingCatalogError: Error, CustomStringConvertible {
    let scenario: String

    var description: String {
      "No catalog is given for scenario \"\(scenario)\". Add the trait .catalog(\"Fixtures/….stubdb\") to the test or "
        + "to its suite, or write .scenario(\"\(scenario)\", catalog: \"Fixtures/….stubdb\")."
    }
  }
#endif
