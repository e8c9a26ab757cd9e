import Foundation
import StubDBModel
import StubDBSupport

/// The program that shows long output page by page: `$STUBDB_PAGER`, else `$PAGER`, else `less`.
///
/// It starts with the first text that is written, so earlier errors are shown on the terminal itself. `less` ends at
/// once if everything fits on one screen.
final class Pager: Sendable {
  private enum State: Sendable {
    case waiting
    /// The stream is used only with the lock held.
    case running(Stream)
    case ended
  }

  private struct Stream: @unchecked Sendable {
    let file: UnsafeMutablePointer<FILE>
  }

  /// The exit codes of a shell for a program that cannot be run.
  private static let shellFailures: [Int32] = [126, 127]

  private let command: String
  private let state = Locked(State.waiting)

  /// Finds the pager; nil if none is chosen (`cat`, or an empty variable), if none is installed, and on a dumb
  /// terminal.
  init?(environment: [String: String]) {
    // On a terminal that cannot move its cursor, `less` stops to ask whether to continue.
    if environment["TERM"] == "dumb" { return nil }
    let chosen = environment["STUBDB_PAGER"] ?? environment["PAGER"]
    guard let command = chosen ?? Self.less(environment), !["", "cat"].contains(command) else {
      return nil
    }
    self.command = command
  }

  /// Whether the pager shows the output.
  var isRunning: Bool {
    state.withLock { if case .running = $0 { true } else { false } }
  }

  /// The stream for output: that of the pager, which is started if necessary.
  func descriptor() -> Int32 {
    state.withLock { state in
      if case .waiting = state { state = Self.start(command) }
      guard case .running(let stream) = state else { return STDOUT_FILENO }
      return fileno(stream.file)
    }
  }

  /// Waits until the pager has ended.
  ///
  /// - Throws: ``CommandFailure`` if the pager cannot be run.
  func finish() throws {
    let status = state.withLock { state -> Int32 in
      defer { state = .ended }
      guard case .running(let stream) = state else { return 0 }
      return pclose(stream.file)
    }
    guard status & 0x7F == 0, Self.shellFailures.contains((status >> 8) & 0xFF) else { return }
    throw CommandFailure(
      "the pager \(Printable.quoted(command)) cannot be run",
      hints: [
        "It is taken from $STUBDB_PAGER or $PAGER; to choose another: export STUBDB_PAGER=less",
        "To do without one: --no-pager",
      ])
  }

  private static func start(_ command: String) -> State {
    // Git sets the same for its pager: end if everything fits, keep colors, do not clear the screen.
    // popen(3), not Process: on Linux Foundation puts the child into a process group of its own, and a pager in the
    // background of its terminal is stopped at its first read.
    // The pager must not inherit descriptors that other programs wait to be closed: git reads its input to the end.
    for descriptor in 3..<max(3, min(1024, getdtablesize())) {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
    let prefix = "export LESS=\"${LESS-FRX}\" LV=\"${LV--c}\"; "
    guard let file = popen(prefix + command, "w") else { return .ended }
    // Programs that are started later must not keep the pager waiting for their end.
    _ = fcntl(fileno(file), F_SETFD, FD_CLOEXEC)
    // A reader who quits early ends the command without an error; Control-C is for the pager.
    for number in [SIGPIPE, SIGINT, SIGQUIT] { signal(number, SIG_IGN) }
    return .running(Stream(file: file))
  }

  private static func less(_ environment: [String: String]) -> String? {
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    return folders.contains { access("\($0)/less", X_OK) == 0 } ? "less" : nil
  }
}
