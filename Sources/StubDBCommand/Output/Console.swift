import Foundation

/// The output of a command: data goes to standard output, everything else to standard error.
enum Console {
  /// Writes text to standard output unchanged.
  ///
  /// If the pager has ended, nothing is written, and the command continues in order to determine its exit code.
  /// - Throws: ``CommandFailure`` if the output fails, for example because the disk is full.
  static func write(_ text: String) throws {
    if Terminal.current.pager?.send(text) == true { return }
    guard transfer(text, to: STDOUT_FILENO) == text.utf8.count else {
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
    let pager = isatty(STDERR_FILENO) == 1 && isPagerRunning ? Terminal.current.pager : nil
    if pager?.send(text + "\n") != true { _ = transfer(text + "\n", to: STDERR_FILENO) }
  }

  /// Writes temporary text to standard error, unless a pager has the terminal.
  static func noteInPassing(_ text: String) {
    if !isPagerRunning { _ = transfer(text, to: STDERR_FILENO) }
  }

  private static var isPagerRunning: Bool { Terminal.current.pager?.isRunning == true }

  /// Asks a yes-or-no question; only `y` and `yes` mean yes.
  static func confirm(_ question: String) -> Bool {
    _ = transfer("\(question) [y/N] ", to: STDERR_FILENO)
    guard let answer = readLine() else { return false }
    return ["y", "yes"].contains(answer.trimmingCharacters(in: .whitespaces).lowercased())
  }

  /// Writes text, and gives the number of bytes that were taken: all, or less after an error, which `errno` tells.
  static func transfer(_ text: String, to descriptor: Int32) -> Int {
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
