package import Dispatch
import StubDBModel
import StubDBSupport

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

/// A virtual time that jumps to the next event, so that nothing waits and the order is that of real time.
///
/// Before it jumps, it gives the code under test a moment to add earlier events, unless there is only one request,
/// which waits for one event after another.
final class VirtualTimeline: Sendable {
  private struct Entry {
    let due: Duration
    let number: Int
    let owner: ObjectIdentifier
    let action: @Sendable () -> Void
  }

  private struct State {
    var now = Duration.zero
    var made = 0
    /// By time, latest first.
    var entries: [Entry] = []
    var isRunning = false

    /// Removes the next entry and advances the time to it; without an entry, the timeline stops.
    mutating func takeNext() -> Entry? {
      guard let next = entries.popLast() else {
        isRunning = false
        return nil
      }
      now = max(now, next.due)
      return next
    }
  }

  private let grace: DispatchTimeInterval
  private let state = Locked(State())

  init(grace: DispatchTimeInterval = .microseconds(500)) {
    self.grace = grace
  }

  /// Runs the action on another thread when its time comes.
  func schedule(
    after time: Duration, for owner: ObjectIdentifier, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let (number, begins) = state.withLock { state -> (Int, Bool) in
      state.made += 1
      let entry = Entry(
        due: state.now + max(.zero, time), number: state.made, owner: owner, action: action)
      let place = state.entries.firstIndex { $0.due <= entry.due } ?? state.entries.endIndex
      state.entries.insert(entry, at: place)
      defer { state.isRunning = true }
      return (entry.number, !state.isRunning)
    }
    if begins { runLater() }
    return ScheduledEntry(timeline: self, number: number)
  }

  private func runLater() {
    DispatchQueue.playback.asyncAfter(deadline: .now() + grace) { self.run() }
  }

  /// Runs the entries of one time, and continues immediately if the next one is certain.
  private func run() {
    while let next = state.withLock({ $0.takeNext() }) {
      next.action()
      let goesOn = state.withLock { state in
        guard let following = state.entries.last else { return true }
        return following.due == state.now || state.entries.allSatisfy { $0.owner == next.owner }
      }
      if !goesOn { return runLater() }
    }
  }

  private func cancel(_ number: Int) {
    state.withLock { $0.entries.removeAll { $0.number == number } }
  }

  private struct ScheduledEntry: Cancellable {
    let timeline: VirtualTimeline
    let number: Int
    func cancel() { timeline.cancel(number) }
  }
}

/// Work in progress that can be cancelled, from any thread, any number of times.
package protocol Cancellable: Sendable {
  func cancel()
}

extension Task: Cancellable {}

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
