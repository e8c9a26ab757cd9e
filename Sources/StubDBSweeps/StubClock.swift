public import StubDBPlayback

/// The time of a scenario's run, for code under test that waits on a clock that it is given.
///
/// At the pace `.instant`, which sweeps use, sleeping takes no real time: the time jumps to the next event, be it an
/// answer, a time-out or the end of a sleep. At other paces, it passes as delays of answers do. Under `.everyOrder`, a
/// sleep ends before or after each answer that is in flight, whatever its length.
public struct StubClock: Clock {
  /// A time of the run.
  public struct Instant: InstantProtocol {
    fileprivate var offset: Duration

    /// The time a while later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// The time until another one.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether one time is before another one.
    public static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  /// Distinguishes what sleeps from the requests of the run.
  private final class Sleeper {}

  private static let start = ContinuousClock.now

  private let player: Player

  fileprivate init(_ player: Player) { self.player = player }

  /// The present time of the run.
  public var now: Instant {
    let second = player.options.pace.scaled(.seconds(1))
    guard second > .zero else { return Instant(offset: player.virtualTime.now) }
    return Instant(offset: (ContinuousClock.now - Self.start) * (.seconds(1) / second))
  }

  /// Zero.
  public var minimumResolution: Duration { .zero }

  /// Waits until a time of the run.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let (wait, continuation) = AsyncStream.makeStream(of: Never.self)
    let sleeper = Sleeper()
    let timer = timer(until: deadline, for: ObjectIdentifier(sleeper)) { continuation.finish() }
    for await _ in wait {}
    timer.cancel()
    withExtendedLifetime(sleeper) {}
    try Task.checkCancellation()
  }

  /// Ends a sleep at its time, or later if what controls the run holds it.
  private func timer(
    until deadline: Instant, for owner: ObjectIdentifier, end: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let time = now.duration(to: deadline)
    guard time > .zero, let control = player.options.control?.control as? any SleepControl else {
      return player.schedule(after: time, for: owner, end)
    }
    return control.hold(sleep: time, until: deadline.offset) { [player] in
      // The time passes, too, if it has not.
      _ = player.schedule(after: deadline.offset - player.virtualTime.now, for: owner, end)
    }
  }
}

/// Decides when the sleeps of a repetition end.
protocol SleepControl: AnyObject, Sendable {
  /// Holds the end of a sleep of this length, until a time of the run, until `end` is called; cancelled if the sleep is
  /// given up.
  func hold(
    sleep length: Duration, until due: Duration, end: @escaping @Sendable () -> Void
  ) -> any Cancellable
}

extension ScenarioPlayback {
  /// The time of the run, for code under test that waits on a clock.
  public var clock: StubClock { StubClock(player) }
}
