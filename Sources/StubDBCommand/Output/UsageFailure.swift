/// Arguments that contradict each other or that no command can follow; exits with 64.
struct UsageFailure: Error, CustomStringConvertible {
  let description: String
  /// The usage of the command; nil if that would not help.
  let usage: String?

  init(_ description: String, usage: String? = nil) {
    self.description = description
    self.usage = usage
  }
}
