internal import Foundation
internal import StubDBSupport

/// The program that shows long output page by page: `$STUBDB_PAGER`, else `$PAGER`, else `less`.
///
/// It starts with the first text that is written, so earlier errors are shown on the terminal itself. `less` ends at
/// once if everything fits on one screen. What was written to a pager that read nothing is
/// printed without it.
package final class Pager: Sendable {
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
  package init?(environment: [String: String]) {
    // On a terminal that cannot move its cursor, `less` stops to ask whether to continue.
    if environment["TERM"] == "dumb" { return nil }
    let chosen = environment["STUBDB_PAGER"] ?? environment["PAGER"]
    guard let command = chosen ?? Self.less(environment), !["", "cat"].contains(command) else {
      return nil
    }
    self.command = command
  }

  /// Whether the pager shows the output.
  package var isRunning: Bool {
    state.withLock { if case .running = $0 { true } else { false } }
  }

  /// Writes text to the pager, which is started if necessary; returns false if there is no pager.
  ///
  /// Text that the user does not page to is lost.
  package func send(_ text: String) -> Bool {
    state.withLock { state in
      if case .waiting = state { state = Self.start(command) }
      guard case .running(var stream) = state else { return false }
      stream.update()
      if !stream.hasRead { stream.unread.append(text) }
      stream.sentCount += Descriptor.transfer(text, to: fileno(stream.file))
      state = .running(stream)
      return true
    }
  }

  /// Waits until the pager has ended.
  ///
  /// A program that ended without reading anything has shown nothing.
  /// - Returns: What it did not read, to be shown without it.
  /// - Throws: ``JobError`` if the pager cannot be run.
  package func finish() throws -> [String] {
    let (status, unread) = state.withLock { state -> (Int32, [String]) in
      defer { state = .ended }
      guard case .running(var stream) = state else { return (0, []) }
      Self.waitForReader(&stream)
      return (pclose(stream.file), stream.unread)
    }
    guard status & 0x7F == 0, Self.shellFailures.contains((status >> 8) & 0xFF) else {
      return unread
    }
    throw JobError(
      .program, "the pager \(quoted: command) cannot be run",
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

/// A descriptor of the system that is written to.
package enum Descriptor {
  /// Writes text, and returns the number of bytes written: all, or fewer after an error, which is in `errno`.
  package static func transfer(_ text: String, to descriptor: Int32) -> Int {
    var text = text
    return text.withUTF8 { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Foundation.write(
          descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
        if count < 0 && errno == EINTR { continue }
        guard count >= 0 else { return sent }
        sent += count
      }
      return sent
    }
  }
}
