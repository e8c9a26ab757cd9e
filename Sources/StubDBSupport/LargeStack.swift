internal import Foundation

/// A large stack for deep recursion.
///
/// Secondary threads have 512 KiB on Apple's systems, where recursion through JSON in a debug build overflows at some
/// two hundred levels.
package enum LargeStack {
  private static let byteCount = 16 * 1024 * 1024

  /// Runs the work on a separate thread and waits for it; costs some tens of microseconds.
  package static func run<Result>(_ work: () -> Result) -> Result {
    withoutActuallyEscaping(work) { work in
      let errand = Errand(work)
      let thread = Thread { errand.run() }
      thread.stackSize = byteCount
      thread.start()
      return errand.wait()
    }
  }

  /// Runs the work on a separate thread without waiting for it.
  package static func start(_ work: @escaping @Sendable () -> Void) {
    let thread = Thread(block: work)
    thread.stackSize = byteCount
    thread.start()
  }

  /// A job for another thread.
  ///
  /// Unchecked because only the other thread accesses it between start and signal, and only the waiting one after that.
  private final class Errand<Result>: @unchecked Sendable {
    private var work: (() -> Result)?
    private var result: [Result] = []
    private let done = DispatchSemaphore(value: 0)

    init(_ work: @escaping () -> Result) {
      self.work = work
    }

    /// Releases the work before signalling, since it must not outlive the call.
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
