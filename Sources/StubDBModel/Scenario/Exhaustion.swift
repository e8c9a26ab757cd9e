/// What a stub does once its responses are used up.
public enum Exhaustion: String, Hashable, Sendable, CaseIterable {
  /// Gives the last response again and again; the default.
  case repeatLast
  /// Begins again with the first response.
  case cycle
  /// Answers nothing: the request counts as unmatched.
  case fail
  /// Leaves the request to the next stub that matches.
  case next
  /// Sends the request to the real network.
  case passthrough
}
