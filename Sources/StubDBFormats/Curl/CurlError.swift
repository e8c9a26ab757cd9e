/// An error in a curl command.
package struct CurlError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence that says what is wrong and what to do.
  package var message: String
  /// The line of the text, from 1; nil if the error is not about a line.
  package var line: Int?

  package init(_ message: String, line: Int? = nil) {
    self.message = message
    self.line = line
  }

  /// The line, if it is known, and the message.
  package var description: String {
    line.map { "line \($0): \(message)" } ?? message
  }
}
