/// How a client takes content, and how long it waits.
package struct Patience: Sendable {
  /// Whether the client takes content piece by piece.
  package var isIncremental: Bool
  /// How long the client waits for the next event; nil if the system decides.
  package var timeout: Duration?
  /// How long the client waits for the whole response; nil if the system decides.
  package var totalTimeout: Duration?
  /// Whether the time-out also ends delays that are longer, and not only an answer that never comes.
  ///
  /// Not if time passes faster than real time and the time-out was not chosen: the default of 60 seconds would then
  /// rule out longer delays in tests.
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

  /// How long the client waits for the next piece of content; nil without a limit.
  var idleLimit: Duration? { endsDelays ? timeout : nil }

  /// How long the client waits now, in the scenario's time, for something that comes late or never; nil without a
  /// limit.
  ///
  /// If something arrives meanwhile (`isIdle` is false), only the limit for the whole response counts.
  func timeLeft(after elapsed: Duration, forever: Bool, isIdle: Bool = true) -> Duration? {
    let timeout = forever ? timeout : isIdle ? idleLimit : nil
    let total = totalTimeout.map { max(.zero, $0 - elapsed) }
    return switch (timeout, total) {
    case (let one?, let other?): min(one, other)
    case (let one, let other): one ?? other
    }
  }
}
