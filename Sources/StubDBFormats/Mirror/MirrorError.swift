/// An error in reading or writing a mirror.
package struct MirrorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence that says what failed, on what, and why.
  package var message: String
  /// The message.
  package var description: String { message }

  init(_ message: String) {
    self.message = message
  }
}
