extension Duration {
  /// The time in seconds, for timers.
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }

  /// Converts a time-out of Foundation in seconds; nil for none.
  package static func timeout(_ seconds: Double) -> Duration? {
    guard seconds > 0, seconds < longestTimeoutInSeconds else { return nil }
    return .seconds(seconds)
  }

  /// A longer time is practically endless, and would approach the limit of `Duration`.
  private static let longestTimeoutInSeconds = 1e9
}
