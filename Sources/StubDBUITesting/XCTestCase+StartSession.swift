#if canImport(XCTest)
  public import XCTest

  extension XCTestCase {
    /// Starts a session of `stubdb serve` that plays a scenario, and ends with the test.
    ///
    /// Call it in the test or in `setUp`. At tear-down the test fails, at the line of this call, for requests that no stub
    /// answers, required stubs that were not used, and sequences that had to be finished and were not; a test that is skipped, only for the first of these. If no
    /// server answers, the first test of the process fails with the command that starts one, and the others are skipped.
    /// - Throws: ``StubSessionError``, and `XCTSkip` if an earlier test failed for the same missing server.
    public func startSession(
      _ scenario: String, overlays: [String] = [], server: StubServerAddress = .fromEnvironment,
      file: StaticString = #filePath, line: UInt = #line,
      isolation: isolated (any Actor)? = #isolation
    ) async throws -> StubSession {
      let session: StubSession
      switch try await MissingServers.shared.start(
        scenario, overlays: overlays, name: name, server: server)
      {
      case .session(let started): session = started
      case .skip(let reason): throw XCTSkip(reason, file: file, line: line)
      }
      // Safe to share: it is read at tear-down, when the test does nothing else.
      nonisolated(unsafe) let run = testRun
      addTeardownBlock {
        let isSkipped = run?.hasBeenSkipped == true
        let problems = try await session.end().filter { $0.counts(ifCutShort: isSkipped) }
        // One failure, because the first one ends a test that does not continue after it.
        guard !problems.isEmpty else { return }
        let text = problems.map(\.message).joined(separator: "\n\n")
        XCTFail(text, file: file, line: line)
      }
      return session
    }
  }

  #if canImport(Darwin) && !os(watchOS)
    extension XCUIApplication {
      /// Launches the app with the base URL of a session in its environment.
      ///
      /// The app reads the variable where it was built for debugging. Arguments and other variables stay as they are.
      @MainActor
      public func launch(with session: StubSession, baseURL variable: String = "STUBDB_BASE_URL") {
        launchEnvironment[variable] = session.baseURL.absoluteString
        launch()
      }
    }
  #endif
#endif
