import Foundation
import StubDBModel
import StubDBSupport

/// The program that shows long output page by page: `$STUBDB_PAGER`, else `$PAGER`, else `less`.
///
/// It is started by the first text that is written, so an error before that stands on the terminal
/// itself. `less` leaves at once where everything fits on one screen.
final class Pager: Sendable {
  private enum State: Sendable {
    case waiting
    /// The stream is only used by whoever holds the lock.
    case running(Stream)
    case ended
  }

  private struct Stream: @unchecked Sendable {
    let file: UnsafeMutablePointer<FILE>
  }

  /// The exit codes of a shell for a program that it cannot run.
  private static let shellFailures: [Int32] = [126, 127]

  private let command: String
  private let state = Locked(State.waiting)

  /// Finds the pager; nil where none is chosen (`cat`, or an empty variable), where there is none, and
  /// on a dumb terminal.
  init?(environment: [String: String]) {
    // `less` stops on a terminal that cannot move its cursor, to ask whether to go on.
    if environment["TERM"] == "dumb" { return nil }
    let chosen = environment["STUBDB_PAGER"] ?? environment["PAGER"]
    guard let command = chosen ?? Self.less(environment), !["", "cat"].contains(command) else {
      return nil
    }
    self.command = command
  }

  /// Whether the pager shows what is written.
  var isRunning: Bool {
    state.withLock { if case .running = $0 { true } else { false } }
  }

  /// Where output is to be written: to the pager, which is started if need be.
  func descriptor() -> Int32 {
    state.withLock { state in
      if case .waiting = state { state = Self.start(command) }
      guard case .running(let stream) = state else { return STDOUT_FILENO }
      return fileno(stream.file)
    }
  }

  /// Waits until the reader has left the pager.
  ///
  /// - Throws: ``CommandFailure`` where the pager could not be run.
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
    // What git gives to its pager: leave where all fits, keep colors, leave the screen as it is.
    // popen(3), not Process: on Linux Foundation puts the child into a process group of its own,
    // and a pager in the background of its terminal is stopped at its first read.
    // The pager must not keep open what other programs wait to be closed: git reads its input to its end.
    for descriptor in 3..<max(3, min(1024, getdtablesize())) {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
    let prefix = "export LESS=\"${LESS-FRX}\" LV=\"${LV--c}\"; "
    guard let file = popen(prefix + command, "w") else { return .ended }
    // Programs that are started meanwhile must not keep the pager waiting for their end.
    _ = fcntl(fileno(file), F_SETFD, FD_CLOEXEC)
    // A reader who leaves early ends the command, not with an error; Control-C is the pager's.
    for number in [SIGPIPE, SIGINT, SIGQUIT] { signal(number, SIG_IGN) }
    return .running(Stream(file: file))
  }

  private static func less(_ environment: [String: String]) -> String? {
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    return folders.contains { access("\($0)/less", X_OK) == 0 } ? "less" : nil
  }
}
