import Foundation

/// Where a command writes: data to standard output, everything else to standard error.
enum Console {
  /// Writes text to standard output as it is.
  ///
  /// Where the reader has left the pager nothing is written, and the command goes on: it has an exit code to find out.
  /// - Throws: ``CommandFailure`` where the output cannot take it, such as a full disk.
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

  /// Writes a line to standard error; what standard error cannot take is lost.
  ///
  /// Where a pager shows the output it shows this too, in its place.
  static func note(_ text: String) {
    let pager = runningPager
    _ = send(text + "\n", to: isatty(STDERR_FILENO) == 1 ? pager ?? STDERR_FILENO : STDERR_FILENO)
  }

  /// Writes text that is soon written over to standard error, unless a pager has the terminal.
  static func noteInPassing(_ text: String) {
    if runningPager == nil { _ = send(text, to: STDERR_FILENO) }
  }

  private static var runningPager: Int32? {
    Terminal.current.pager.flatMap { $0.isRunning ? $0.descriptor() : nil }
  }

  /// Asks a question that is answered with yes or no; anything but `y` and `yes` is no.
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
