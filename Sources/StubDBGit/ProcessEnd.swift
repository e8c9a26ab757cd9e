import Dispatch
import Foundation

extension Process {
  /// How many files this process and Foundation open for a program, at most, with a margin.
  private static let openFileCount = 16

  /// A program that is to be started.
  ///
  /// Foundation's processes and pipes end this process with a signal if there are too few open files left for them
  /// (Foundation of Swift 6.3 on Linux; `aProgramThatCannotBeStartedForWantOfFilesIsAnError` fails without this).
  /// - Throws: `CommandError` in that case.
  static func startable() throws -> Process {
    var opened: [Int32] = []
    defer { for file in opened { close(file) } }
    while opened.count < openFileCount {
      let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else {
        throw CommandError(
          "too few files may be open for another program to be started (see: ulimit -n)")
      }
      opened.append(file)
    }
    return Process()
  }
}

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
