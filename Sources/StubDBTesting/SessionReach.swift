import StubDBSupport

/// Which sessions of the process a scenario answers.
public struct SessionReach: Hashable, Sendable {
  private let isShared: Bool

  /// Those of the test's interceptor; the default.
  public static let ownSessions = SessionReach(isShared: false)
  /// Those of the test's interceptor, and `URLSession.shared`.
  ///
  /// A process has one shared session, so tests with this reach run one after another, in whatever suites they are, and
  /// a time limit includes the time that they wait. All other tests run beside them.
  public static let sharedSession = SessionReach(isShared: true)
}

/// Gives the shared session to one test after another.
enum SharedSessionTurn {
  /// Ends with the last turn so far.
  private static let last = Locked(Task<Void, Never>?.none)

  /// Performs the action once all that came before have ended.
  ///
  /// - Throws: `CancellationError` if the task is cancelled when its turn comes, and the errors of the action.
  static func perform(_ action: () async throws -> Void) async throws {
    let (turn, end) = AsyncStream.makeStream(of: Never.self)
    let before = last.withLock { last in
      defer { last = Task { for await _ in turn {} } }
      return last
    }
    // The next one waits for this one only, which therefore waits even if it is cancelled.
    defer { end.finish() }
    await before?.value
    try Task.checkCancellation()
    try await action()
  }
}
