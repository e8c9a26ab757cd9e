import StubDBModel
import StubDBSupport
import Testing

@testable import StubDBPlayback

@Suite struct BlockingThreadsTests {
  /// Behaves like a system without free threads, which `Thread` does not report.
  @Test func jobsAreDoneWhereNoThreadBegins() async {
    let done = Locked(0)
    let bodies = Locked([@Sendable () -> Void]())
    let threads = BlockingThreads { body in bodies.withLock { $0.append(body) } }
    for _ in 0..<2 {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<50 {
          group.addTask {
            await withCheckedContinuation { continuation in
              threads.run {
                done.withLock { $0 += 1 }
                continuation.resume()
              }
            }
          }
        }
      }
    }
    // A thread that starts late finds no job for it, and ends immediately.
    for body in bodies.withLock({ $0 }) { body() }
    #expect(done.withLock { $0 } == 100)
  }

  private final class Token: Sendable {
    func use() {}
  }

  @Test func aJobThatWasTakenIsNotKept() {
    var queue = JobQueue()
    var token: Token? = Token()
    weak var kept: Token?
    kept = token
    queue.append { [token] in token?.use() }
    for _ in 0..<2 { queue.append {} }
    token = nil
    #expect(kept != nil)
    queue.take()?()
    #expect(kept == nil)
    #expect(queue.count == 2)
  }
}
