package import StubDBEngine
package import StubDBModel
import StubDBSupport

/// A closure that answers the requests a pattern matches.
package final class ClosureStub: Sendable {
  package typealias Answer = @Sendable (StubRequest) async throws -> StubResponse?

  let filter: RequestFilter
  /// The place of its registration, as the journal shows it.
  let origin: String
  private let jobs: AsyncStream<@Sendable () async -> Void>.Continuation
  private let answer: Answer

  /// Calls run in child tasks of the task that registers the closure, so that they inherit its task-local values, by
  /// which Swift Testing attributes expectations to a test.
  init(filter: RequestFilter, origin: String, answer: @escaping Answer) {
    self.filter = filter
    self.origin = origin
    self.answer = answer
    let (stream, continuation) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
    jobs = continuation
    // Ends with the stream, which `end()` finishes.
    _ = Task.answering {
      for await job in stream {
        // Owned by the call, which finishes or cancels it.
        _ = Task.answering { await job() }
      }
    }
  }

  deinit { end() }

  /// Calls the closure, and hands over its result or error at some later time.
  func call(
    _ request: StubRequest, _ done: @escaping @Sendable (Result<StubResponse?, any Error>) -> Void
  ) -> any Cancellable {
    let call = PendingCall()
    let answer = answer
    let result = jobs.yield {
      let work = Task.answering { try await answer(request) }
      call.begin(work)
      done(await work.result)
    }
    if case .terminated = result { done(.success(nil)) }
    return call
  }

  func end() {
    jobs.finish()
  }

  /// A call that may not have begun.
  private final class PendingCall: Cancellable {
    private let state = Locked<(work: Task<StubResponse?, any Error>?, isCancelled: Bool)>(
      (nil, false))

    func begin(_ work: Task<StubResponse?, any Error>) {
      let isCancelled = state.withLock { state in
        state.work = work
        return state.isCancelled
      }
      if isCancelled { work.cancel() }
    }

    func cancel() {
      let work = state.withLock { state in
        state.isCancelled = true
        return state.work
      }
      work?.cancel()
    }
  }
}

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
