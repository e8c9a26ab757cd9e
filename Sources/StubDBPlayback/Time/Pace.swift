/// How the times of a scenario relate to real time.
public enum Pace: Hashable, Sendable {
  /// Delays take the time that they say.
  case real
  /// Delays take no time; the order of events stays the same.
  case instant
  /// Delays take this many times as long as they say; zero or more.
  case scaled(Double)

  /// The real time that a time of the scenario takes at this pace; never negative.
  func scaled(_ time: Duration) -> Duration {
    switch self {
    case .real: max(.zero, time)
    case .instant: .zero
    case .scaled(let factor):
      factor.isFinite && factor > 0 ? Self.product(max(.zero, time), factor) : .zero
    }
  }

  /// Clamped, because the arithmetic of `Duration` stops the process on overflow.
  private static func product(_ time: Duration, _ factor: Double) -> Duration {
    let longest = Duration.seconds(1_000_000_000_000)
    return time / longest * factor < 1 ? time * factor : longest
  }
}
