/// Arguments that contradict each other or that no command can follow; exits with 64.
struct UsageFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
