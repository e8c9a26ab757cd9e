import Dispatch
import Foundation

/// The end of a program that was started.
///
/// `Process.waitUntilExit` looks only every 50 ms when the main thread calls it on Linux (Foundation of Swift 6.3), which
/// each run of git would cost a command; a termination handler comes within 4 ms.
struct ProcessEnd {
  private let ended = DispatchSemaphore(value: 0)

  /// Starts the program.
  init(starting process: Process) throws {
    process.terminationHandler = { [ended] _ in ended.signal() }
    try process.run()
  }

  /// Returns when the program has ended; only one caller may wait.
  func wait() {
    ended.wait()
  }
}
