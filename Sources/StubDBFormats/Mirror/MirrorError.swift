/// Why a mirror cannot be read or written.
package struct MirrorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence: what failed, on what, why.
  package var message: String
  /// The message.
  package var description: String { message }

  init(_ message: String) {
    self.message = message
  }
}
