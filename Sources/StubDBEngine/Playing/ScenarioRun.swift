import StubDBModel

/// One live use of a loaded scenario: what was given so far, and the journal.
///
/// Safe to use from any number of threads. Deciding does no I/O and does not wait: the caller carries the
/// ``ResponsePlan`` out.
public final class ScenarioRun: Sendable {
  /// The scenario that is played.
  public let scenario: LoadedScenario
  private let pace: Pace

  init(scenario: LoadedScenario, pace: Pace) {
    self.scenario = scenario
    self.pace = pace
  }

  /// Decides what answers the request, and writes it into the journal.
  ///
  /// Two requests at the same time never take the same turn of a sequence of responses. The cost of a match
  /// does not grow with the number of stubs.
  public func respond(to request: StubRequest) -> Outcome {
    .unmatched([])
  }

  /// The requests so far and what answered them, in order of arrival.
  public var journal: [ServeEvent] { [] }

  /// What did not go as the scenario says, so far: requests that no stub answered in order of arrival, then required
  /// stubs that answered nothing and unfinished sequences in document order; empty when all went well.
  public func problems() -> [VerificationProblem] { [] }
}
