/// How the times of a scenario relate to real time.
public enum Pace: Hashable, Sendable {
  /// A delay takes as long as it says.
  case real
  /// No delay takes any time; the order of events stays the same.
  case instant
  /// A delay takes this many times as long as it says; zero or more.
  case scaled(Double)
}
