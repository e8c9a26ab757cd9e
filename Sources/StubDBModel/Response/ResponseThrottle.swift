/// How fast the content of a response arrives.
public enum ResponseThrottle: Hashable, Sendable {
  /// As fast as on a kind of network, with its latency.
  case network(NetworkProfile)
  /// A number of bytes per second, at least 1, without latency.
  case bytesPerSecond(Int)

  /// The bytes per second; at least 1.
  public var rate: Int {
    switch self {
    case .network(let profile): profile.bytesPerSecond
    case .bytesPerSecond(let rate): max(1, rate)
    }
  }

  /// The time until the first byte; at least zero.
  public var latency: Duration {
    switch self {
    case .network(let profile): profile.latency
    case .bytesPerSecond: .zero
    }
  }
}
