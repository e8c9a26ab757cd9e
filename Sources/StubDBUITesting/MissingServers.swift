/// The servers that did not answer, so that one test fails for each, and the others are skipped.
actor MissingServers {
  static let shared = MissingServers()

  private var seen: Set<StubServerAddress> = []

  /// Starts a session, or returns why the test is to be skipped: another one has failed for the same server.
  ///
  /// - Throws: ``StubSessionError``, if no server answers only the first time.
  func start(
    _ scenario: String, overlays: [String], name: String, server: StubServerAddress
  ) async throws(StubSessionError) -> Start {
    do {
      return .session(
        try await StubSession.start(scenario, overlays: overlays, name: name, server: server))
    } catch {
      guard error.code == .noServer, !seen.insert(server).inserted else { throw error }
      return .skip("No stubdb serve answers at \(server), as the first test that wanted it says.")
    }
  }

  enum Start: Sendable {
    case session(StubSession)
    case skip(String)
  }
}
