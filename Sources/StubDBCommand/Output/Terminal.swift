import Foundation

/// What is known about the terminal, if there is one.
enum Terminal {
  /// Whether a person can be asked: standard input and standard error are a terminal.
  static var canAsk: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
  }

  /// Whether standard output is a terminal.
  static var showsOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether colour may be used on a descriptor: it is a terminal that has colour, and `NO_COLOR`
  /// is not set. https://no-color.org
  static func allowsColor(
    on descriptor: Int32, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Bool {
    isatty(descriptor) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
      && environment["TERM"] != "dumb"
  }
}
