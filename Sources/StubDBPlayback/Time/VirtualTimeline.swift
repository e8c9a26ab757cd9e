import Dispatch
import StubDBModel
import StubDBSupport

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
