import Foundation

/// The time that a function takes of the processor, which does not depend on what else the machine does.
public enum ProcessorTime {
  /// Returns how many times as long a function takes for the second of two sizes, at best.
  public static func ratio(_ sizes: (Int, Int), of body: (Int) -> Void) -> Double {
    (0..<2).map { _ in
      let first = seconds { body(sizes.0) }
      return seconds { body(sizes.1) } / max(first, .leastNonzeroMagnitude)
    }.min() ?? 0
  }

  private static func seconds(_ body: () -> Void) -> Double {
    let before = now
    body()
    return now - before
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
