import Foundation

/// Where a command writes: data to standard output, everything else to standard error.
enum Console {
  /// Writes text to standard output as it is.
  ///
  /// - Throws: ``CommandFailure`` where the output cannot take it, such as a full disk.
  static func write(_ text: String) throws {
    guard send(text, to: STDOUT_FILENO) else {
      throw CommandFailure("cannot write to standard output: \(String(cString: strerror(errno)))")
    }
  }

  /// Writes a line to standard output.
  static func line(_ text: String) throws {
    try write(text + "\n")
  }

  /// Writes a line to standard error; what standard error cannot take is lost.
  static func note(_ text: String) {
    _ = send(text + "\n", to: STDERR_FILENO)
  }

  /// Writes text to standard error without ending the line.
  static func noteWithoutEnd(_ text: String) {
    _ = send(text, to: STDERR_FILENO)
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
