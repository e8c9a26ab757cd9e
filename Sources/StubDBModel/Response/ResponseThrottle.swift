/// How fast the content of a response comes in.
public enum ResponseThrottle: Hashable, Sendable {
  /// As over a kind of network, with its latency.
  case network(NetworkProfile)
  /// So many bytes a second, 1 and up, without any latency.
  case bytesPerSecond(Int)

  /// How many bytes come in a second; 1 or more.
  public var rate: Int {
    switch self {
    case .network(let profile): profile.bytesPerSecond
    case .bytesPerSecond(let rate): max(1, rate)
    }
  }

  /// How long the first byte takes; zero or more.
  public var latency: Duration {
    switch self {
    case .network(let profile): profile.latency
    case .bytesPerSecond: .zero
    }
  }
}
