import Foundation
import StubDBJobs

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
