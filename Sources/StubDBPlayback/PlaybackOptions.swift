/// How a scenario is played.
public struct PlaybackOptions: Hashable, Sendable {
  /// How the times of the scenario relate to real time.
  public var pace: Pace
  /// What decides everything random.
  public var seed: UInt64
  /// What happens to requests that no stub answers.
  public var unmatched: UnmatchedPolicy
  /// Whether stubs may leave a request to the real network.
  public var allowsPassthrough: Bool
  /// Whether every sequence of responses that is begun has to be finished, and not only those whose document says
  /// `"required": true` or `"then": "fail"`.
  public var requiresWholeSequences: Bool
  /// Scenarios that are laid on top where one is loaded by its name; the last one answers first.
  public var overlays: [String]
  /// Whether a test reports what no stub answers, so that the error of the request says it in one line.
  package var isReportedElsewhere = false
  /// Why no request is answered at all; nil where they are.
  package var refusal: String?

  /// Makes options; those that are not given are the defaults.
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
