import Foundation

/// The output of a command: data goes to standard output, everything else to standard error.
enum Console {
  /// Writes text to standard output unchanged.
  ///
  /// If the pager has ended, nothing is written, and the command continues in order to determine its exit code.
  /// - Throws: ``CommandFailure`` if the output fails, for example because the disk is full.
  static func write(_ text: String) throws {
    let pager = Terminal.current.pager
    guard send(text, to: pager?.descriptor() ?? STDOUT_FILENO) else {
      if errno == EPIPE, let pager, pager.isRunning { return }
      throw CommandFailure("cannot write to standard output: \(String(cString: strerror(errno)))")
    }
  }

  /// Writes a line to standard output.
  static func line(_ text: String) throws {
    try write(text + "\n")
  }

  /// Writes a line to standard error; errors of standard error are ignored.
  ///
  /// If a pager shows the output, it shows this line too, in sequence.
  static func note(_ text: String) {
    let pager = runningPager
    _ = send(text + "\n", to: isatty(STDERR_FILENO) == 1 ? pager ?? STDERR_FILENO : STDERR_FILENO)
  }

  /// Writes temporary text to standard error, unless a pager has the terminal.
  static func noteInPassing(_ text: String) {
    if runningPager == nil { _ = send(text, to: STDERR_FILENO) }
  }

  private static var runningPager: Int32? {
    Terminal.current.pager.flatMap { $0.isRunning ? $0.descriptor() : nil }
  }

  /// Asks a yes-or-no question; only `y` and `yes` mean yes.
  static func confirm(_ question: String) -> Bool {
    _ = send("\(question) [y/N] ", to: STDERR_FILENO)
    guard let answer = readLine() else { return false }
    return ["y", "yes"].contains(answer.trimmingCharacters(in: .whitespaces).lowercased())
  }

  private static func send(_ text: String, to descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Foundation.write(
          descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
        if count < 0 && errno == EINTR { continue }
        guard count >= 0 else { return false }
        sent += count
      }
      return true
    }
  }
}
