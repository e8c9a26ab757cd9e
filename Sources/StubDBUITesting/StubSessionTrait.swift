#if canImport(Testing)
  public import Testing

  /// Gives each test case a session of `stubdb serve`, as `StubSession.current`.
  ///
  /// At the end of a case, it fails at the line of the test for requests that no stub answers, required stubs that were not
  /// used, and sequences that had to be finished and were not. If no server answers, the first case of the process fails
  /// with the command that starts one, and the others are skipped; before Swift 6.3 they fail with one line each.
  public struct StubSessionTrait: TestTrait, SuiteTrait, TestScoping {
    let scenario: String
    let overlays: [String]
    let server: StubServerAddress
    /// Distinguishes this trait from others in the list of a test.
    private let identity = Identity()

    private final class Identity: Sendable {}

    /// True: it applies to every test inside a suite, except where another trait names a scenario.
    public let isRecursive = true

    /// Provides a scope for each test case, for the innermost trait only.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> StubSessionTrait? {
      guard testCase != nil else { return nil }
      let innermost = test.traits.lazy.compactMap { $0 as? StubSessionTrait }.last
      return innermost?.identity === identity ? self : nil
    }

    /// Starts the session, executes the case, ends the session, and reports its problems as failures.
    ///
    /// - Throws: ``StubSessionError``, and the errors of the test.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @Sendable () async throws -> Void
    ) async throws {
      let session: StubSession
      switch try await MissingServers.shared.start(
        scenario, overlays: overlays, name: test.name, server: server)
      {
      case .session(let started): session = started
      case .skip(let reason): return try skip(reason, test)
      }
      let result: Result<Void, any Error>
      do {
        try await CurrentSession.$value.withValue(session) { try await function() }
        result = .success(())
      } catch {
        result = .failure(error)
      }
      let isCutShort = Task.isCancelled
      do {
        // In a task of its own, because a cancelled one sends no requests.
        let problems = try await Task { try await session.end() }.value
        for problem in problems where problem.counts(ifCutShort: isCutShort) {
          Issue.record(Comment(rawValue: problem.message), sourceLocation: test.sourceLocation)
        }
      } catch {
        // The error of the test may say more.
        Issue.record(error, sourceLocation: test.sourceLocation)
      }
      try result.get()
    }

    private func skip(_ reason: String, _ test: Test) throws {
      #if compiler(>=6.3)
        try Test.cancel(Comment(rawValue: reason), sourceLocation: test.sourceLocation)
      #else
        throw StubSessionError(.noServer, reason)
      #endif
    }
  }

  extension Trait where Self == StubSessionTrait {
    /// Gives each test case a session of `stubdb serve` that plays the scenario, as `StubSession.current`.
    ///
    /// Overlays are scenarios on top of it; the last one answers first. If traits name several scenarios, the innermost
    /// counts.
    public static func session(
      _ scenario: String, overlays: [String] = [], server: StubServerAddress = .fromEnvironment
    ) -> Self {
      StubSessionTrait(scenario: scenario, overlays: overlays, server: server)
    }
  }

  extension StubSession {
    /// The session of the running test case, from the trait `.session`.
    ///
    /// The test's task and its child tasks see it; other threads and detached tasks do not. Nil without the trait.
    public static var current: StubSession? { CurrentSession.value }
  }

  private enum CurrentSession {
    @TaskLocal static var value: StubSession?
  }
#endif
