/// Arguments that contradict each other or that no command can follow; exits with 64.
struct UsageFailure: Error, CustomStringConvertible {
  let description: String
  /// How the command is typed; nil where that is no help.
  let usage: String?

  init(_ description: String, usage: String? = nil) {
    self.description = description
    self.usage = usage
  }
}
