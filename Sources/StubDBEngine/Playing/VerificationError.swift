/// Reports the problems of a run.
public struct VerificationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problems; never empty.
  public let problems: [VerificationProblem]

  /// Makes an error with at least one problem.
  package init(problems: [VerificationProblem]) {
    self.problems = problems
  }

  /// The messages of all problems, separated by blank lines.
  public var description: String { problems.map(\.message).joined(separator: "\n\n") }
}
