import Foundation

/// What standard output and standard error are shown on.
struct Terminal: Sendable {
  /// The terminal of the command that runs, if there is one.
  @TaskLocal static var current = Terminal()

  /// How wide the terminal is that output is shown on; nil where output goes to a file or a pipe, which
  /// get every value whole.
  let columns: Int?
  /// Whether standard output gets colors.
  let hasColoredOutput: Bool
  /// Whether standard error gets colors.
  let hasColoredNotes: Bool
  /// What shows output that is longer than the screen; nil where it is written straight away.
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

  /// Whether a person can be asked: standard input and standard error are a terminal.
  static var canAsk: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
  }

  /// `COLUMNS`, else the width of the terminal; nil where neither is known.
  static func width(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Int? {
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
