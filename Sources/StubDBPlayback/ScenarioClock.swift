package import Dispatch
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

  /// The virtual time, and whether nothing is due later.
  var virtualTime: (now: Duration, isIdle: Bool) { timeline.time }

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
  /// The place of an event in time; events of one time keep their order.
  private struct Place {
    let due: Duration
    let number: Int

    func isBefore(_ other: Place) -> Bool { (due, number) < (other.due, other.number) }
  }

  private struct Event {
    let owner: ObjectIdentifier
    let action: @Sendable () -> Void
  }

  private struct State {
    var now = Duration.zero
    var made = 0
    /// The events to come, by number, and how many of them each owner has.
    var events: [Int: Event] = [:]
    var counts: [ObjectIdentifier: Int] = [:]
    /// A heap: each place is before the two below it, at twice its index plus 1 and 2.
    ///
    /// Those of cancelled events stay until their time comes.
    var heap: [Place] = []
    var isRunning = false

    mutating func add(_ event: Event, due: Duration) -> Int {
      made += 1
      events[made] = event
      counts[event.owner, default: 0] += 1
      heap.append(Place(due: due, number: made))
      var index = heap.count - 1
      while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
        heap.swapAt(index, (index - 1) / 2)
        index = (index - 1) / 2
      }
      return made
    }

    /// Removes an event, because its time has come or it was cancelled; nil if it is gone.
    mutating func remove(_ number: Int) -> Event? {
      guard let event = events.removeValue(forKey: number) else { return nil }
      let count = counts[event.owner, default: 0] - 1
      counts[event.owner] = count > 0 ? count : nil
      return event
    }

    /// When the next event is due; nil without one.
    mutating func nextDue() -> Duration? {
      while let first = heap.first, events[first.number] == nil { removeFirstPlace() }
      return heap.first?.due
    }

    /// Removes the next event and advances the time to it; without an event, the timeline stops.
    mutating func takeNext() -> Event? {
      guard nextDue() != nil, let next = heap.first else {
        isRunning = false
        return nil
      }
      removeFirstPlace()
      now = max(now, next.due)
      return remove(next.number)
    }

    private mutating func removeFirstPlace() {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
      var index = 0
      while true {
        let first = 2 * index + 1
        let below = first..<max(first, min(first + 2, heap.count))
        guard let next = below.min(by: { heap[$0].isBefore(heap[$1]) }),
          heap[next].isBefore(heap[index])
        else { return }
        heap.swapAt(index, next)
        index = next
      }
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
      let event = Event(owner: owner, action: action)
      let number = state.add(event, due: state.now + max(.zero, time))
      defer { state.isRunning = true }
      return (number, !state.isRunning)
    }
    if begins { runLater() }
    return ScheduledEvent(timeline: self, number: number)
  }

  var time: (now: Duration, isIdle: Bool) { state.withLock { ($0.now, $0.nextDue() == nil) } }

  private func runLater() {
    DispatchQueue.playback.asyncAfter(deadline: .now() + grace) { self.run() }
  }

  /// Runs the events of one time, and continues immediately if the next one is certain.
  private func run() {
    while let next = state.withLock({ $0.takeNext() }) {
      next.action()
      let goesOn = state.withLock { state in
        guard let due = state.nextDue() else { return true }
        return due == state.now || state.counts.keys.allSatisfy { $0 == next.owner }
      }
      if !goesOn { return runLater() }
    }
  }

  private func cancel(_ number: Int) {
    // Released without the lock: it may hold the last reference to anything.
    _ = state.withLock { $0.remove(number) }
  }

  private struct ScheduledEvent: Cancellable {
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

/// Stands for work that is done, or that ends by itself.
package struct NothingToCancel: Cancellable {
  package init() {}

  package func cancel() {}
}

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
