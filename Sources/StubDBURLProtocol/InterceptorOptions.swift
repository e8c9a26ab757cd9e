package import StubDBEngine

/// How an interceptor plays its scenario.
package struct InterceptorOptions: Sendable {
  /// What happens to requests that no stub answers.
  package var unmatched: UnmatchedPolicy
  /// How the times of the scenario relate to real time.
  package var pace: Pace
  /// What decides everything random.
  package var seed: UInt64
  /// Whether stubs may leave a request to the real network.
  package var allowsPassthrough: Bool
  /// Whether every sequence of responses that is begun has to be finished.
  package var requiresWholeSequences: Bool
  /// Whether a test reports what no stub answers, so that the error of the request says it in one line.
  package var isReportedElsewhere = false
  /// Why no request is answered at all; nil where they are.
  package var refusal: String?

  package init(
    unmatched: UnmatchedPolicy = .fail, pace: Pace = .real, seed: UInt64 = 0,
    allowsPassthrough: Bool = false, requiresWholeSequences: Bool = false
  ) {
    self.unmatched = unmatched
    self.pace = pace
    self.seed = seed
    self.allowsPassthrough = allowsPassthrough
    self.requiresWholeSequences = requiresWholeSequences
  }
}
