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
