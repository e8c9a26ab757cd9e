import Foundation
import StubDBModel
import StubDBSupport

/// The terminal that shows standard output and standard error.
struct Terminal: Sendable {
  /// The terminal of the running command.
  @TaskLocal static var current = Terminal()

  /// The width of the terminal for output; nil for a file or a pipe, which get all values in full.
  let columns: Int?
  /// Whether standard output gets colors.
  let hasColoredOutput: Bool
  /// Whether standard error gets colors.
  let hasColoredNotes: Bool
  /// Shows output that is longer than the screen; nil to write it directly.
  let pager: Pager?

  init(
    color: ColorChoice = .auto, isPaged: Bool = false,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    let (output, notes) = (isatty(STDOUT_FILENO) == 1, isatty(STDERR_FILENO) == 1)
    columns = output ? Self.width(environment) ?? 80 : nil
    hasColoredOutput = color.allows(onTerminal: output, environment: environment)
    hasColoredNotes = color.allows(onTerminal: notes, environment: environment)
    pager = isPaged && output ? Pager(environment: environment) : nil
  }

  /// Whether the user can be asked: standard input and standard error are a terminal.
  static var canAsk: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
  }

  /// `COLUMNS`, else the width of the terminal; nil if neither is known.
  static func width(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Int? {
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

/// The program that shows long output page by page: `$STUBDB_PAGER`, else `$PAGER`, else `less`.
///
/// It starts with the first text that is written, so earlier errors are shown on the terminal itself. `less` ends at
/// once if everything fits on one screen. What was written to a pager that read nothing is
/// printed without it.
final class Pager: Sendable {
  private enum State: Sendable {
    case waiting
    /// The stream is used only with the lock held.
    case running(Stream)
    case ended
  }

  private struct Stream: @unchecked Sendable {
    let file: UnsafeMutablePointer<FILE>
    /// What was sent, until the pager reads some of it.
    var unread: [String] = []
    var sentCount = 0
    var hasRead = false

    /// Finds out whether the pager has read anything.
    mutating func update() {
      guard !hasRead else { return }
      // On macOS the writing end of a pipe always says 0, as if everything were read.
      var count: Int32 = 0
      hasRead = ioctl(fileno(file), UInt(FIONREAD), &count) != 0 || Int(count) < sentCount
      if hasRead { unread = [] }
    }
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

  /// Writes text to the pager, which is started if necessary; returns false if there is no pager.
  ///
  /// Text that the user does not page to is lost.
  func send(_ text: String) -> Bool {
    state.withLock { state in
      if case .waiting = state { state = Self.start(command) }
      guard case .running(var stream) = state else { return false }
      stream.update()
      if !stream.hasRead { stream.unread.append(text) }
      stream.sentCount += Console.transfer(text, to: fileno(stream.file))
      state = .running(stream)
      return true
    }
  }

  /// Waits until the pager has ended.
  ///
  /// - Throws: ``CommandError`` if the pager cannot be run.
  func finish() throws {
    let (status, unread) = state.withLock { state -> (Int32, [String]) in
      defer { state = .ended }
      guard case .running(var stream) = state else { return (0, []) }
      Self.waitForReader(&stream)
      return (pclose(stream.file), stream.unread)
    }
    guard status & 0x7F == 0, Self.shellFailures.contains((status >> 8) & 0xFF) else {
      // A program that ended without reading anything has shown nothing.
      for text in unread { try Console.write(text) }
      return
    }
    throw CommandError(
      "the pager \(TerminalText.quoted(command)) cannot be run",
      hints: [
        "It is taken from $STUBDB_PAGER or $PAGER; to choose another: export STUBDB_PAGER=less",
        "To do without one: --no-pager",
      ])
  }

  /// Waits until the pager has read something or has ended.
  private static func waitForReader(_ stream: inout Stream) {
    while stream.sentCount > 0 || !stream.unread.isEmpty {
      stream.update()
      if stream.hasRead { return }
      // Returns at once if every reader has ended; reading does not wake it.
      var end = pollfd(fd: fileno(stream.file), events: 0, revents: 0)
      if poll(&end, 1, 5) > 0 { return stream.update() }
    }
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
