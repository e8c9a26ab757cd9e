extension Duration {
  /// The time in seconds, as timers want it.
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }

  /// The time-out that Foundation gives in seconds; nil for none.
  package static func timeout(_ seconds: Double) -> Duration? {
    guard seconds > 0, seconds < longestTimeoutInSeconds else { return nil }
    return .seconds(seconds)
  }

  /// Beyond this nobody waits for it, and `Duration` gets near its end.
  private static let longestTimeoutInSeconds = 1e9
}
