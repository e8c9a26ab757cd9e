/// Who answers where a response itself does not.
public enum ResponseHandover: String, Hashable, Sendable, CaseIterable {
  /// The next stub that matches, slowed down by this response's delay and throttle.
  case next
  /// The real network.
  case passthrough
}
