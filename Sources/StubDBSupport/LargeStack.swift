internal import Foundation

/// A stack for work that goes deep.
///
/// Threads of the system have 512 KiB on Apple's systems, where a debug build's recursion through JSON ends after some two
/// hundred levels.
package enum LargeStack {
  private static let byteCount = 16 * 1024 * 1024

  /// Does the work on a thread of its own, and waits for it; costs some tens of microseconds.
  package static func run<Result>(_ work: () -> Result) -> Result {
    withoutActuallyEscaping(work) { work in
      let errand = Errand(work)
      let thread = Thread { errand.run() }
      thread.stackSize = byteCount
      thread.start()
      return errand.wait()
    }
  }

  /// Work that another thread does.
  ///
  /// Unchecked: the other thread alone touches it between start and signal, the waiting one alone after that.
  private final class Errand<Result>: @unchecked Sendable {
    private var work: (() -> Result)?
    private var result: [Result] = []
    private let done = DispatchSemaphore(value: 0)

    init(_ work: @escaping () -> Result) {
      self.work = work
    }

    /// Lets go of the work before it says that it is done, since the work must not outlive the call.
    func run() {
      if let work { result = [work()] }
      work = nil
      done.signal()
    }

    func wait() -> Result {
      done.wait()
      return result[0]
    }
  }
}
