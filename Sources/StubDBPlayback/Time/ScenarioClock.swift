package import Dispatch

/// Lets scenario time pass at the pace of a run.
final class ScenarioClock: Sendable {
  /// Beyond some 30 years, the clock of Dispatch overflows.
  private static let longest = Duration.seconds(1_000_000_000)

  private let pace: Pace
  private let timeline = VirtualTimeline()

  init(pace: Pace) {
    self.pace = pace
  }

  /// Runs the action on another thread after the time has passed, unless its owner is gone.
  func schedule(
    after time: Duration, for owner: ObjectIdentifier, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    if case .instant = pace { return timeline.schedule(after: time, for: owner, action) }
    let timer = DispatchSource.makeTimerSource(queue: .playback)
    timer.setEventHandler(handler: action)
    timer.schedule(deadline: .now() + min(pace.scaled(time), Self.longest).inSeconds)
    timer.activate()
    return Timer(source: timer)
  }

  private struct Timer: Cancellable {
    // Safe to share: a source may be cancelled from any thread, and is not used otherwise.
    nonisolated(unsafe) let source: any DispatchSourceTimer
    func cancel() { source.cancel() }
  }
}

extension DispatchQueue {
  /// Where timers fire and quick work runs; work that may block belongs on ``BlockingThreads``.
  package static let playback = DispatchQueue(label: "stubdb.playback", attributes: .concurrent)
}
