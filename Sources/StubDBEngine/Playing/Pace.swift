/// How the times of a scenario relate to real time.
public enum Pace: Hashable, Sendable {
  /// A delay takes as long as it says.
  case real
  /// No delay takes any time; the order of events stays the same.
  case instant
  /// A delay takes this many times as long as it says; zero or more.
  case scaled(Double)

  /// How long a time of the scenario takes at this pace; never negative.
  public func scaled(_ time: Duration) -> Duration {
    switch self {
    case .real: max(.zero, time)
    case .instant: .zero
    case .scaled(let factor): factor.isFinite && factor > 0 ? max(.zero, time * factor) : .zero
    }
  }
}
