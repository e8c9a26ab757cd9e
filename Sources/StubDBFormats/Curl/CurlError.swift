/// Why a curl command cannot be read.
package struct CurlError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with what, and what to do; one sentence.
  package var message: String
  /// The line of the text, from 1; nil if it is not about one.
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
