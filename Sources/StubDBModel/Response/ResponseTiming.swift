/// How long an answer is delayed.
public struct ResponseDelay: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case fixed(Duration)
    case uniform(Duration, Duration)
    case lognormal(median: Duration, sigma: Double)
  }

  package let kind: Kind

  /// A fixed time, at least zero.
  public static func fixed(_ duration: Duration) -> ResponseDelay {
    ResponseDelay(kind: .fixed(duration))
  }

  /// A random time between the two, uniformly distributed.
  public static func uniform(_ shortest: Duration, _ longest: Duration) -> ResponseDelay {
    ResponseDelay(kind: .uniform(shortest, longest))
  }

  /// A random time with this median and a long tail, as networks have; sigma is at least zero.
  public static func lognormal(median: Duration, sigma: Double) -> ResponseDelay {
    ResponseDelay(kind: .lognormal(median: median, sigma: sigma))
  }
}

/// How content is divided into pieces over time.
public struct ResponseChunks: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case split(count: Int, over: Duration)
    case pieces([Piece])
  }

  package let kind: Kind

  /// The body in this many equal pieces, at least 1, over a duration.
  public static func split(count: Int, over duration: Duration) -> ResponseChunks {
    ResponseChunks(kind: .split(count: count, over: duration))
  }

  /// Explicit pieces, in order, in place of a body.
  public static func pieces(_ pieces: [Piece]) -> ResponseChunks {
    ResponseChunks(kind: .pieces(pieces))
  }

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
public struct ResponseThrottle: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case network(NetworkProfile)
    case bytesPerSecond(Int)
  }

  package let kind: Kind

  /// As fast as on a kind of network, with its latency.
  public static func network(_ profile: NetworkProfile) -> ResponseThrottle {
    ResponseThrottle(kind: .network(profile))
  }

  /// A number of bytes per second, at least 1, without latency.
  public static func bytesPerSecond(_ rate: Int) -> ResponseThrottle {
    ResponseThrottle(kind: .bytesPerSecond(rate))
  }

  /// The bytes per second; at least 1.
  public var rate: Int {
    switch kind {
    case .network(let profile): profile.bytesPerSecond
    case .bytesPerSecond(let rate): max(1, rate)
    }
  }

  /// The time until the first byte; at least zero.
  public var latency: Duration {
    switch kind {
    case .network(let profile): profile.latency
    case .bytesPerSecond: .zero
    }
  }
}

/// A kind of network, with the speeds that WebPageTest defines.
///
/// https://docs.webpagetest.org/getting-started/ and its connectivity.ini
public struct NetworkProfile: RawRepresentable, Hashable, Sendable, CaseIterable {
  package enum Kind: String, Sendable, CaseIterable {
    case gprs
    case edge
    case slow3G = "slow-3g"
    case usual3G = "3g"
    case usual4G = "4g"
    case lte
  }

  package let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// 50 kbit/s, 500 ms for a round trip.
  public static let gprs = NetworkProfile(.gprs)
  /// 240 kbit/s, 840 ms for a round trip.
  public static let edge = NetworkProfile(.edge)
  /// 400 kbit/s, 400 ms for a round trip.
  public static let slow3G = NetworkProfile(.slow3G)
  /// 1.6 Mbit/s, 300 ms for a round trip.
  public static let usual3G = NetworkProfile(.usual3G)
  /// 9 Mbit/s, 170 ms for a round trip.
  public static let usual4G = NetworkProfile(.usual4G)
  /// 12 Mbit/s, 70 ms for a round trip.
  public static let lte = NetworkProfile(.lte)

  /// All of this version; later ones may add others.
  public static var allCases: [NetworkProfile] { Kind.allCases.map(NetworkProfile.init) }

  /// The word in a document.
  public var rawValue: String { kind.rawValue }

  /// The one with this word; nil for a word that this version does not know.
  public init?(rawValue: String) {
    guard let kind = Kind(rawValue: rawValue) else { return nil }
    self.kind = kind
  }

  /// The bytes per second.
  public var bytesPerSecond: Int {
    switch kind {
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
    switch kind {
    case .gprs: .milliseconds(500)
    case .edge: .milliseconds(840)
    case .slow3G: .milliseconds(400)
    case .usual3G: .milliseconds(300)
    case .usual4G: .milliseconds(170)
    case .lte: .milliseconds(70)
    }
  }
}
