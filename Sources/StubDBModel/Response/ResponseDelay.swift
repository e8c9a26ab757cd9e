/// How long an answer is held back.
public enum ResponseDelay: Hashable, Sendable {
  /// Always the same time, zero or more.
  case fixed(Duration)
  /// A time between the two, each as likely as the other.
  case uniform(Duration, Duration)
  /// A time around the median with the long tail that networks have; sigma is zero or more.
  case lognormal(median: Duration, sigma: Double)
}
