import Foundation
import StubDBPlayback
import StubDBSupport

/// Judges whether a process has nothing to do, so that the code under test waits.
///
/// What was ready has to have had its turn on the executors, and then no thread may run or be able to run. If other tests
/// keep the process busy, the code under test gets a longer time instead.
struct Quiet {
  /// How many times work is passed through the executors: more than the hops between an answer and what a client does.
  private static let turns = 5
  /// How many windows without a change are enough although the process works.
  private static let busyWindows = 12
  /// How long, and how many windows, is waited for what earlier runs had: a loaded machine has few windows.
  private static let longWait = (time: Duration.seconds(1), windows: 100)

  private let start = ContinuousClock.now
  private var windows = 0
  private var unchanged = 0
  private var isIdle = false
  /// How long threads that get no processor may still be waited for, in all windows together.
  private var patience = Duration.seconds(2)
  private let main = MainTurn()

  /// Lets the code under test work for a while.
  mutating func window() async {
    windows += 1
    for _ in 0..<Self.turns {
      await Task.yield()
      await main.pass()
      await withUnsafeContinuation { turn in DispatchQueue.global().async { turn.resume() } }
    }
    let time: Duration
    (isIdle, time) = await Self.isIdle(patience)
    patience = max(.zero, patience - time)
  }

  /// Whether the code under test waits, after a window in which it asked for something or not.
  mutating func isSettled(isUnchanged: Bool) -> Bool {
    unchanged = isUnchanged ? unchanged + 1 : 0
    // A main actor that works has not had its turn; one that waits lets the process be idle.
    let hadTurn = !main.isWaiting || hasWaitedLong
    return unchanged > 0 && isIdle || unchanged >= Self.busyWindows && hadTurn
  }

  /// Whether what is missing will not come.
  var hasWaitedLong: Bool {
    windows > Self.longWait.windows && ContinuousClock.now - start > Self.longWait.time
  }

  #if os(Linux)
    /// How long threads have to fall asleep.
    private static let patience = Duration.milliseconds(3)
    /// How long one look waits for it, and for a processor, in microseconds.
    private static let (pause, longPause): (UInt32, UInt32) = (50, 1000)

    /// Whether no thread but the one that looks runs or waits for a processor.
    ///
    /// It waits until those that were ready have had a processor, for `longPatience` at most. The thread that looks is none
    /// of the executors', which waking it up would keep busy.
    private static func isIdle(
      _ longPatience: Duration
    ) async -> (isIdle: Bool, time: Duration) {
      await withUnsafeContinuation { result in
        BlockingThreads.shared.run {
          let (begin, first) = (ContinuousClock.now, runningThreads)
          var (now, time) = (first, Duration.zero)
          repeat {
            usleep(time < patience ? pause : longPause)
            now = runningThreads
            time = ContinuousClock.now - begin
            let mayWait = time < patience + longPatience && isStarved(first, now)
            guard time < patience || mayWait else { break }
          } while now.count > 1
          result.resume(returning: (now.count <= 1, time))
        }
      }
    }

    /// Whether some of the threads that were ready have had no processor since, by the times that they had one.
    static func isStarved(_ before: [String: UInt64], _ after: [String: UInt64]) -> Bool {
      // Without an accounting, all times are 0.
      after.values.contains { $0 > 0 } && before.contains { after[$0.key] == $0.value }
    }

    /// The threads in state R by their numbers, and their times on a processor in nanoseconds, which a thread that runs
    /// gets with the next tick; 0 where the kernel does not count them.
    private static var runningThreads: [String: UInt64] {
      guard let folder = opendir("/proc/self/task") else { return [:] }
      defer { closedir(folder) }
      var threads: [String: UInt64] = [:]
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard start(of: name + "/stat", in: folder, isRunning) == true else { continue }
        threads[name] = start(of: name + "/schedstat", in: folder, number) ?? 0
      }
      return threads
    }

    /// Whether the state is R; it follows the name in parentheses:
    /// https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html.
    private static func isRunning(_ stat: UnsafeRawBufferPointer) -> Bool {
      guard let end = stat.lastIndex(of: UInt8(ascii: ")")), end + 2 < stat.count else {
        return false
      }
      return stat[end + 2] == UInt8(ascii: "R")
    }

    private static func number(_ text: UnsafeRawBufferPointer) -> UInt64? {
      UInt64(String(decoding: text.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
    }

    /// What a function makes of the first 128 bytes of a file; nil if it cannot be read.
    private static func start<Result>(
      of path: String, in folder: OpaquePointer, _ make: (UnsafeRawBufferPointer) -> Result?
    ) -> Result? {
      let descriptor = openat(dirfd(folder), path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { bytes in
        let count = read(descriptor, bytes.baseAddress, bytes.count)
        return count > 0 ? make(UnsafeRawBufferPointer(rebasing: bytes[..<count])) : nil
      }
    }
  #else
    /// Processor time in a window, in microseconds, that is no work of others.
    private static let ownTime = 500
    private static let window = Duration.milliseconds(1)

    /// Whether the processor time of the process stands still; false if other processes have the processor.
    private static func isIdle(_: Duration) async -> (isIdle: Bool, time: Duration) {
      let (used, begin) = (clock(), ContinuousClock.now)
      try? await Task.sleep(for: window)
      let time = ContinuousClock.now - begin
      return (Int(clock() - used) < ownTime && time < window * 5, .zero)
    }
  #endif
}

/// Passes work through the main actor, without waiting for one that is blocked, as by a semaphore that an answer signals.
private final class MainTurn: Sendable {
  /// How long other work may take before the turn comes.
  private static let patience = DispatchTimeInterval.milliseconds(10)

  private let state = Locked(false)

  /// Whether work that was passed has not had its turn yet.
  var isWaiting: Bool { state.withLock(\.self) }

  /// Returns when the main actor has had its turn, or does not give it.
  func pass() async {
    let isFirst = state.withLock { isWaiting in
      defer { isWaiting = true }
      return !isWaiting
    }
    guard isFirst else { return }
    let turn = DispatchSemaphore(value: 0)
    Task { @MainActor in
      state.withLock { $0 = false }
      turn.signal()
    }
    // A thread that sleeps, and no timer, which would wake one up later and disturb what is looked for.
    await withUnsafeContinuation { continuation in
      BlockingThreads.shared.run {
        _ = turn.wait(timeout: .now() + Self.patience)
        continuation.resume()
      }
    }
  }
}
