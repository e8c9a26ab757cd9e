/// Reports that a command could not do its work.
struct CommandFailure: Error, CustomStringConvertible {
  /// One sentence that says what failed, on what, and why.
  var message: String
  /// Commands to type next, or the nearest names; one per line.
  var hints: [String]

  init(_ message: String, hints: [String] = []) {
    self.message = message
    self.hints = hints
  }

  var description: String {
    ([message] + hints).joined(separator: "\n")
  }
}
