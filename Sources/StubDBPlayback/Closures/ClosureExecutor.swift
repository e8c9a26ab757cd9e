/// Runs closures on threads of their own rather than on those of Swift's concurrency, of which there are as many as
/// cores.
///
/// Closures that block a thread, or compute for long, would otherwise delay the answers of all other tests until their
/// requests time out.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class ClosureExecutor: TaskExecutor {
  private static let shared = ClosureExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    BlockingThreads.shared.run { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Starts a task that inherits the task-local values of the current one.
  static func start<Success: Sendable>(
    _ body: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    Task(executorPreference: shared) { try await body() }
  }
}

extension Task where Failure == any Error {
  /// Starts a task for a closure, on threads of its own if the system supports that.
  static func answering(_ body: @escaping @Sendable () async throws -> Success) -> Task {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      return ClosureExecutor.start(body)
    }
    return Task { try await body() }
  }
}
