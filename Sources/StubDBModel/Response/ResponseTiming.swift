/// How long an answer is delayed.
public enum ResponseDelay: Hashable, Sendable {
  /// A fixed time, at least zero.
  case fixed(Duration)
  /// A random time between the two, uniformly distributed.
  case uniform(Duration, Duration)
  /// A random time with this median and a long tail, as networks have; sigma is at least zero.
  case lognormal(median: Duration, sigma: Double)
}

/// How content is divided into pieces over time.
public enum ResponseChunks: Hashable, Sendable {
  /// The body in this many equal pieces, at least 1, over a duration.
  case split(count: Int, over: Duration)
  /// Explicit pieces, in order, in place of a body.
  case pieces([Piece])

  /// A piece of the content.
  public struct Piece: Hashable, Sendable {
    /// The content of the piece, in memory.
    public var body: ResponseBody
    /// The time after the preceding piece.
    public var after: Duration

    /// Makes a piece; by default it is sent at once.
    public init(_ body: ResponseBody, after: Duration = .zero) {
      self.body = body
      self.after = after
    }
  }
}

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

/// A kind of network, with the speeds that WebPageTest defines.
///
/// https://docs.webpagetest.org/getting-started/ and its connectivity.ini
public enum NetworkProfile: String, Hashable, Sendable, CaseIterable {
  /// 50 kbit/s, 500 ms for a round trip.
  case gprs
  /// 240 kbit/s, 840 ms for a round trip.
  case edge
  /// 400 kbit/s, 400 ms for a round trip.
  case slow3G = "slow-3g"
  /// 1.6 Mbit/s, 300 ms for a round trip.
  case usual3G = "3g"
  /// 9 Mbit/s, 170 ms for a round trip.
  case usual4G = "4g"
  /// 12 Mbit/s, 70 ms for a round trip.
  case lte

  /// The bytes per second.
  public var bytesPerSecond: Int {
    switch self {
    case .gprs: 6_250
    case .edge: 30_000
    case .slow3G: 50_000
    case .usual3G: 200_000
    case .usual4G: 1_125_000
    case .lte: 1_500_000
    }
  }

  /// The duration of a round trip.
  public var latency: Duration {
    switch self {
    case .gprs: .milliseconds(500)
    case .edge: .milliseconds(840)
    case .slow3G: .milliseconds(400)
    case .usual3G: .milliseconds(300)
    case .usual4G: .milliseconds(170)
    case .lte: .milliseconds(70)
    }
  }
}
