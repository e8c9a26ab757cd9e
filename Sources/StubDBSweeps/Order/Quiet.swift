import Foundation

/// Judges whether a process has nothing to do, so that the code under test waits.
///
/// After some turns of the executors, through which all that was ready has begun, the processor time of the process has to
/// stand still. If it does not, because other tests run, the code under test gets a longer time.
struct Quiet {
  /// How many times work is passed through the executors: more than the hops between an answer and what a client does.
  private static let turns = 20
  /// Processor time in a window, in microseconds, that is no work of others.
  private static let ownTime = 500
  private static let window = Duration.milliseconds(1)
  /// How many windows without a change are enough although the process works.
  private static let busyWindows = 25
  private static let longWait = Duration.seconds(1)

  private let start = ContinuousClock.now
  private var unchanged = 0
  private var isIdle = false

  /// Lets the code under test work for a while.
  mutating func window() async {
    for _ in 0..<Self.turns {
      await Task.yield()
      await MainActor.run {}
    }
    let (time, begin) = (clock(), ContinuousClock.now)
    try? await Task.sleep(for: Self.window)
    // A window that takes long is one in which other processes had the processor.
    isIdle =
      Int(clock() - time) < Self.ownTime && ContinuousClock.now - begin < Self.window * 5
  }

  /// Whether the code under test waits, after a window in which it asked for something or not.
  mutating func isSettled(isUnchanged: Bool) -> Bool {
    unchanged = isUnchanged ? unchanged + 1 : 0
    return unchanged > 0 && (isIdle || unchanged >= Self.busyWindows)
  }

  /// Whether what is missing will not come.
  var hasWaitedLong: Bool { ContinuousClock.now - start > Self.longWait }
}
