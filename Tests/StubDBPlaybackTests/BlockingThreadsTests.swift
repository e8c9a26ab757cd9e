import StubDBModel
import StubDBSupport
import Testing

@testable import StubDBPlayback

@Suite struct BlockingThreadsTests {
  /// Behaves like a system without free threads, which `Thread` does not report.
  @Test func jobsAreDoneWhereNoThreadBegins() async {
    let bodies = Locked([@Sendable () -> Void]())
    let threads = BlockingThreads { body in bodies.withLock { $0.append(body) } }
    for _ in 0..<2 {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<50 {
          group.addTask {
            await withCheckedContinuation { continuation in
              threads.run { continuation.resume() }
            }
          }
        }
      }
    }
    // A thread that starts late finds no job for it, and ends immediately.
    for body in bodies.withLock({ $0 }) { body() }
  }
}
