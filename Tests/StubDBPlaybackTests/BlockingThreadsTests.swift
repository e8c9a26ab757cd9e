import StubDBModel
import StubDBSupport
import Testing

@testable import StubDBPlayback

@Suite struct BlockingThreadsTests {
  /// As where the system has no more threads, which `Thread` does not tell.
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
    // One that begins after all finds that it is not waited for, and ends at once.
    for body in bodies.withLock({ $0 }) { body() }
  }
}
