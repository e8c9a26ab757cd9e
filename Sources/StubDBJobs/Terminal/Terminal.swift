internal import Foundation

/// The terminal that shows standard output and standard error.
package struct Terminal: Sendable {
  /// The terminal of the running command.
  @TaskLocal package static var current = Terminal()

  /// The width of the terminal for output; nil for a file or a pipe, which get all values in full.
  package let columns: Int?
  /// Whether standard output gets colors.
  package let hasColoredOutput: Bool
  /// Whether standard error gets colors.
  package let hasColoredNotes: Bool
  /// Shows output that is longer than the screen; nil to write it directly.
  package let pager: Pager?

  package init(color: ColorChoice = .auto, isPaged: Bool = false) {
    let environment = ProcessInfo.processInfo.environment
    let (output, notes) = (isatty(STDOUT_FILENO) == 1, isatty(STDERR_FILENO) == 1)
    columns = output ? Self.width(environment) ?? 80 : nil
    hasColoredOutput = color.allows(onTerminal: output, environment: environment)
    hasColoredNotes = color.allows(onTerminal: notes, environment: environment)
    pager = isPaged && output ? Pager(environment: environment) : nil
  }

  /// Whether the user can be asked: standard input and standard error are a terminal.
  package static var canAsk: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
  }

  /// `COLUMNS`, else the width of the terminal; nil if neither is known.
  package static func width(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Int? {
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

/// When colors are used.
package enum ColorChoice: String, CaseIterable, Sendable {
  /// On a terminal with colors, subject to the environment.
  case auto
  case always
  case never

  /// Whether output is colored.
  ///
  /// The option comes first, then `NO_COLOR`, then `CLICOLOR_FORCE`, then whether the output is a terminal with colors.
  /// https://no-color.org, https://bixense.com/clicolors
  fileprivate func allows(onTerminal: Bool, environment: [String: String]) -> Bool {
    func isSet(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      if isSet("NO_COLOR") { return false }
      if isSet("CLICOLOR_FORCE") && environment["CLICOLOR_FORCE"] != "0" { return true }
      return onTerminal && environment["TERM"] != "dumb"
    }
  }
}

/// The text styles, which do nothing without colors.
package struct Style {
  /// Whether escape sequences are written.
  private let isColored: Bool

  package init(isColored: Bool) { self.isColored = isColored }

  /// For standard output.
  package static var output: Style { Style(isColored: Terminal.current.hasColoredOutput) }
  /// For standard error.
  package static var notes: Style { Style(isColored: Terminal.current.hasColoredNotes) }

  package func bold(_ text: String) -> String { wrap(text, "1") }
  package func dim(_ text: String) -> String { wrap(text, "2") }
  package func red(_ text: String) -> String { wrap(text, "31") }
  package func green(_ text: String) -> String { wrap(text, "32") }
  package func yellow(_ text: String) -> String { wrap(text, "33") }
  package func cyan(_ text: String) -> String { wrap(text, "36") }

  private func wrap(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
