/// Who answers in place of a response.
public enum ResponseHandover: String, Hashable, Sendable, CaseIterable {
  /// The next stub that matches, slowed down by this response's delay and throttle.
  case next
  /// The real network.
  case passthrough
}
