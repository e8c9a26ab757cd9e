/// What a stub does after its responses are used up.
public enum Exhaustion: String, Hashable, Sendable, CaseIterable {
  /// Repeats the last response; the default.
  case repeatLast
  /// Begins again with the first response.
  case cycle
  /// Answers nothing, so that the request is unmatched.
  case fail
  /// Leaves the request to the next stub that matches.
  case next
  /// Leaves the request to the real network.
  case passthrough
}
