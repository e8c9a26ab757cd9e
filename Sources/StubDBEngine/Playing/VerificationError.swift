/// A run did not go as its scenario says.
public struct VerificationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What did not go as the scenario says; never empty.
  public let problems: [VerificationProblem]

  /// Makes an error of these problems, at least one.
  package init(problems: [VerificationProblem]) {
    self.problems = problems
  }

  /// The messages of all problems, with a blank line between two.
  public var description: String { problems.map(\.message).joined(separator: "\n\n") }
}
