/// Why a command did not do what it was asked to.
struct CommandFailure: Error, CustomStringConvertible {
  /// One sentence for a person: what failed, on what, why.
  var message: String
  /// What to type next, or what was probably meant; each a line of its own.
  var hints: [String]

  init(_ message: String, hints: [String] = []) {
    self.message = message
    self.hints = hints
  }

  var description: String {
    ([message] + hints).joined(separator: "\n")
  }
}
