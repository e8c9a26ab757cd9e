import Dispatch
import Foundation
import StubDBSupport

/// A pool of threads for jobs that may block, so that no job waits for another one.
///
/// A few threads do quick jobs. If jobs wait and none is begun for a moment, the threads are assumed to be blocked, and
/// each waiting job gets a thread. Dispatch is not used, because it has some 30 threads for everything, including the
/// timers of the scenario and the queues of `URLSession`.
package final class BlockingThreads: Sendable {
  /// The pool of the process: for closures, streams of requests, files, and reports, which search a catalog.
  package static let shared = BlockingThreads()

  package typealias Job = @Sendable () -> Void

  private struct State {
    var queue = JobQueue()
    /// The number of threads, and how many of them wait for a job.
    var threads = 0
    var idle = 0
    /// Whether a check is scheduled, and how many jobs were begun at the last one.
    var isWatched = false
    var total = 0
    var totalBefore = 0

    mutating func take() -> Job? {
      let job = queue.take()
      if job != nil { total += 1 }
      return job
    }

    /// What a new job needs.
    mutating func add(_ job: @escaping Job) -> Need {
      queue.append(job)
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

    /// How many threads are missing, and whether to check again.
    mutating func check() -> (threads: Int, isWatched: Bool) {
      let isStuck = total == totalBefore
      totalBefore = total
      let missing = isStuck ? max(0, min(queue.count, BlockingThreads.most - threads)) : 0
      threads += missing
      isWatched = queue.count > missing && threads < BlockingThreads.most
      return (missing, isWatched)
    }

    /// Whether a thread without work for a long time may end; not if it was signalled.
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
  /// How long a thread may take to begin, even on a busy machine.
  private static let startTime = DispatchTimeInterval.milliseconds(100)
  private static let idleTime = DispatchTimeInterval.seconds(5)
  /// Enough for decoding and for expectations, and small enough for thousands of threads.
  static let stackSize = 1 << 21

  private let state = Locked(State())
  private let wake = DispatchSemaphore(value: 0)
  private let start: @Sendable (_ body: @escaping @Sendable () -> Void) -> Void

  /// Makes a pool whose threads `start` starts; a test may let it fail.
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

  /// Starts threads, and assigns the jobs of those that do not begin to others.
  ///
  /// `Thread` does not report if the system has no more threads, as in a container that limits them.
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

  /// A thread that was started: it either begins, or is given up.
  private final class ThreadStart: Sendable {
    private let isDecided = Locked(false)

    /// Whether the thread is still needed.
    func begin() -> Bool { decide() }

    /// Whether the thread has not begun; if it begins later, it does nothing.
    func giveUp() -> Bool { decide() }

    private func decide() -> Bool {
      isDecided.withLock { isDecided in
        defer { isDecided = true }
        return !isDecided
      }
    }
  }

  /// Waits for a job; nil if none came for a long time.
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

/// The jobs that wait, first in, first out.
struct JobQueue {
  /// The jobs after those that were taken, whose slots are empty so that nothing is kept alive.
  private var slots: [BlockingThreads.Job?] = []
  private var taken = 0

  var count: Int { slots.count - taken }

  mutating func append(_ job: @escaping BlockingThreads.Job) { slots.append(job) }

  mutating func take() -> BlockingThreads.Job? {
    guard taken < slots.count else { return nil }
    let job = slots[taken].take()
    taken += 1
    if taken == slots.count || taken > 1_000 {
      slots.removeFirst(taken)
      taken = 0
    }
    return job
  }
}
