/// What a client takes, and how long it waits for it.
package struct Patience: Sendable {
  /// Whether the client takes content piece by piece.
  package var isIncremental: Bool
  /// How long the client waits for the next thing to come; nil for the system to say.
  package var timeout: Duration?
  /// How long the client waits for everything; nil for the system to say.
  package var totalTimeout: Duration?
  /// Whether the time-out also ends what would come after it, and not only what never comes.
  ///
  /// Not where time goes by faster than real time and nobody has chosen the time-out: the 60 seconds that every request has
  /// would then forbid a test to have longer delays.
  package var endsDelays: Bool

  package init(
    isIncremental: Bool, timeout: Duration? = nil, totalTimeout: Duration? = nil,
    endsDelays: Bool = true
  ) {
    self.isIncremental = isIncremental
    self.timeout = timeout
    self.totalTimeout = totalTimeout
    self.endsDelays = endsDelays
  }

  /// How long the client waits for the next piece of a content; nil without limit.
  var idleLimit: Duration? { endsDelays ? timeout : nil }

  /// How long may be waited now, in the scenario's time, for something that never comes or comes late; nil without
  /// limit.
  ///
  /// Where something comes meanwhile (`isIdle` is false), only the time for everything counts.
  func timeLeft(after elapsed: Duration, forever: Bool, isIdle: Bool = true) -> Duration? {
    let timeout = forever ? timeout : isIdle ? idleLimit : nil
    let total = totalTimeout.map { max(.zero, $0 - elapsed) }
    return switch (timeout, total) {
    case (let one?, let other?): min(one, other)
    case (let one, let other): one ?? other
    }
  }
}
