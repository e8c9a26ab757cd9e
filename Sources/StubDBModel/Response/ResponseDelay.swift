/// How long an answer is delayed.
public enum ResponseDelay: Hashable, Sendable {
  /// A fixed time, at least zero.
  case fixed(Duration)
  /// A random time between the two, uniformly distributed.
  case uniform(Duration, Duration)
  /// A random time with this median and a long tail, as networks have; sigma is at least zero.
  case lognormal(median: Duration, sigma: Double)
}
