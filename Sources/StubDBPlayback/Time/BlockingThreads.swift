import Dispatch
import Foundation
import StubDBModel
import StubDBSupport

/// Threads that do jobs which may block, as many as it takes for none to wait for another.
///
/// A few threads do what is quick. Where jobs wait and none is begun for a moment, the threads are taken to be
/// blocked, and each job that waits gets one of its own. Dispatch would not do: it has some 30 threads for everything,
/// the timers of the scenario and the queues of `URLSession` included.
package final class BlockingThreads: Sendable {
  /// Those of the process: closures of tests, streams of requests, files, and reports, which search a catalog.
  package static let shared = BlockingThreads()

  package typealias Job = @Sendable () -> Void

  private struct State {
    /// The jobs that wait, and how many of them, from the front, were begun.
    var jobs: [Job] = []
    var begun = 0
    /// How many threads there are, and how many of them wait for a job.
    var threads = 0
    var idle = 0
    /// Whether somebody looks whether jobs are begun, and how many were when they last looked.
    var isWatched = false
    var total = 0
    var totalBefore = 0

    var waiting: Int { jobs.count - begun }

    mutating func take() -> Job? {
      guard begun < jobs.count else { return nil }
      let job = jobs[begun]
      begun += 1
      total += 1
      if begun == jobs.count || begun > 1_000 {
        jobs.removeFirst(begun)
        begun = 0
      }
      return job
    }

    /// What a new job needs.
    mutating func add(_ job: @escaping Job) -> Need {
      jobs.append(job)
      if idle > 0 {
        idle -= 1
        return .signal
      }
      if threads < BlockingThreads.quick {
        threads += 1
        return .thread
      }
      guard !isWatched, threads < BlockingThreads.most else { return .nothing }
      isWatched = true
      totalBefore = total
      return .watch
    }

    /// How many threads are missing, and whether to look again.
    mutating func check() -> (threads: Int, isWatched: Bool) {
      let isStuck = total == totalBefore
      totalBefore = total
      let missing = isStuck ? max(0, min(waiting, BlockingThreads.most - threads)) : 0
      threads += missing
      isWatched = waiting > missing && threads < BlockingThreads.most
      return (missing, isWatched)
    }

    /// Whether a thread that found nothing to do for long may go; not where it is meant by a signal.
    mutating func leave() -> Bool {
      guard idle > 0 else { return false }
      idle -= 1
      threads -= 1
      return true
    }
  }

  private enum Need {
    case signal
    case thread
    case watch
    case nothing
  }

  private static let quick = max(4, ProcessInfo.processInfo.activeProcessorCount)
  private static let most = 4_000
  private static let patience = DispatchTimeInterval.milliseconds(2)
  /// How long a thread may take to begin, on a machine that is busy too.
  private static let startTime = DispatchTimeInterval.milliseconds(100)
  private static let idleTime = DispatchTimeInterval.seconds(5)
  /// Enough for decoding and for expectations, and little enough for thousands.
  static let stackSize = 1 << 21

  private let state = Locked(State())
  private let wake = DispatchSemaphore(value: 0)
  private let start: @Sendable (_ body: @escaping @Sendable () -> Void) -> Void

  /// Threads that `start` starts; a test may have it fail.
  init(
    start: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) -> Void = { body in
      let thread = Thread(block: body)
      thread.stackSize = BlockingThreads.stackSize
      thread.start()
    }
  ) {
    self.start = start
  }

  /// Does the job on one of the threads.
  package func run(_ job: @escaping Job) {
    switch state.withLock({ $0.add(job) }) {
    case .signal: wake.signal()
    case .thread: startThreads(1)
    case .watch: watch()
    case .nothing: break
    }
  }

  private func watch() {
    DispatchQueue.playback.asyncAfter(deadline: .now() + Self.patience) {
      let (missing, goesOn) = self.state.withLock { $0.check() }
      self.startThreads(missing)
      if goesOn { self.watch() }
    }
  }

  /// Starts threads, and sees to it that somebody else does the jobs in place of those that do not begin.
  ///
  /// `Thread` does not tell where the system has no more threads, as in a container that limits them.
  private func startThreads(_ count: Int) {
    guard count > 0 else { return }
    let starts = (0..<count).map { _ in ThreadStart() }
    for one in starts {
      start {
        guard one.begin() else { return }
        while let job = self.next() { job() }
      }
    }
    DispatchQueue.playback.asyncAfter(deadline: .now() + Self.startTime) {
      for one in starts where one.giveUp() {
        self.state.withLock { $0.threads -= 1 }
        DispatchQueue.global().async {
          while let job = self.state.withLock({ $0.take() }) { job() }
        }
      }
    }
  }

  /// A thread that was started: it begins, or nobody waits for it any more.
  private final class ThreadStart: Sendable {
    private let isDecided = Locked(false)

    /// Whether the thread is still wanted.
    func begin() -> Bool { decide() }

    /// Whether the thread has not begun; it does nothing if it begins later.
    func giveUp() -> Bool { decide() }

    private func decide() -> Bool {
      isDecided.withLock { isDecided in
        defer { isDecided = true }
        return !isDecided
      }
    }
  }

  /// Waits for a job; nil where none came for long.
  private func next() -> Job? {
    while true {
      let job = state.withLock { state in
        let job = state.take()
        if job == nil { state.idle += 1 }
        return job
      }
      if let job { return job }
      guard wake.wait(timeout: .now() + Self.idleTime) == .timedOut else { continue }
      if state.withLock({ $0.leave() }) { return nil }
      wake.wait()
    }
  }
}
