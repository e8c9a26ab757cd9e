/// How a scenario is played.
public struct PlaybackOptions: Hashable, Sendable {
  /// How the times of the scenario relate to real time.
  public var pace: Pace
  /// The seed that decides everything random.
  public var seed: UInt64
  /// What happens to requests that no stub answers.
  public var unmatched: UnmatchedPolicy
  /// Whether stubs may leave a request to the real network.
  public var allowsPassthrough: Bool
  /// Whether every sequence of responses that is begun must be finished, not only those of stubs with `"required":
  /// true` or `"then": "fail"`.
  public var requiresWholeSequences: Bool
  /// Scenarios to lay on top of one that is loaded by name; the last one answers first.
  public var overlays: [String]
  /// Whether a test reports unmatched requests, so that the error of the request needs only one line.
  package var isReportedElsewhere = false
  /// Why all requests are refused; nil if they are not.
  package var refusal: String?

  /// Makes options with defaults.
  public init(
    pace: Pace = .real, seed: UInt64 = 0, unmatched: UnmatchedPolicy = .fail,
    allowsPassthrough: Bool = false, requiresWholeSequences: Bool = false, overlays: [String] = []
  ) {
    self.pace = pace
    self.seed = seed
    self.unmatched = unmatched
    self.allowsPassthrough = allowsPassthrough
    self.requiresWholeSequences = requiresWholeSequences
    self.overlays = overlays
  }
}
