import Dispatch

/// Where one protocol instance is between the first `startLoading` and the end of its answer.
///
/// `URLSession` calls `startLoading` again after `suspend()` and `resume()`, after a second `resume()`, and on Linux
/// whenever there is something to tell; `stopLoading` comes for a suspension as well as for the end.
/// Decides only; the protocol acts.
struct LoadingState {
  private enum Phase {
    case new
    case underWay
    case over
  }

  private var phase = Phase.new
  private var isStopped = false
  private var isWaiting = false
  /// What the client is to be told now, in order.
  private var events: [ClientEvent] = []
  /// Whether the client's thread is on its way or at work, so that it must not be called.
  ///
  /// On Linux calling it once more after the end is a fatal error until Foundation has noticed the end.
  private var isClientComing = false
  /// What to cancel when the request is given up: a timer, a request to the network, a closure.
  private var pending: [any Cancellable] = []
  /// How many waits have begun or ended so far; only the last one holds anything.
  private var waits = 0
  /// Scenario time since the request was made.
  private(set) var elapsed = Duration.zero
  /// What is known of the task, once it had to be asked.
  var facts: TaskFacts?

  /// Whether this is the first start, which decides about the answer.
  mutating func start() -> Bool {
    isStopped = false
    guard case .new = phase else { return false }
    phase = .underWay
    return true
  }

  /// Nothing is to be sent until the next start.
  mutating func stop() {
    isStopped = true
  }

  /// The time of the event has come; nothing is added once the end is.
  mutating func append(_ event: ClientEvent) {
    guard case .underWay = phase, events.last?.isLast != true else { return }
    events.append(event)
  }

  /// The time of the events has come; true where the client's thread has to be called for them.
  mutating func arrive(_ arrived: [ClientEvent]) -> Bool {
    for event in arrived { append(event) }
    guard case .underWay = phase, !events.isEmpty, !isClientComing else { return false }
    isClientComing = true
    return true
  }

  /// What to tell the client next; nil when there is nothing yet, nothing any more, or loading is stopped.
  mutating func takeEvent() -> ClientEvent? {
    guard !isStopped, case .underWay = phase, !events.isEmpty else {
      isClientComing = false
      return nil
    }
    isClientComing = true
    let event = events.removeFirst()
    if event.isLast { phase = .over }
    return event
  }

  /// The answer is not there yet, and others know of the task; false where they did already.
  mutating func beginWaiting() -> Bool {
    defer { isWaiting = true }
    return !isWaiting
  }

  /// Something is about to be waited for, while some of the scenario's time passes; gives the number of the wait.
  mutating func beginWait(passing time: Duration = .zero) -> Int {
    elapsed += time
    waits += 1
    return waits
  }

  /// What a wait consists of, to be given up with the request; false where that is to be done now.
  ///
  /// What is waited for may come, and the next wait begin, before this one is heard of: it must not displace the next one,
  /// whose timer would go with it.
  mutating func hold(_ cancellables: [any Cancellable], for wait: Int) -> Bool {
    guard case .underWay = phase, wait == waits else { return false }
    pending = cancellables
    return true
  }

  /// What was waited for is there, or is not waited for any more.
  mutating func takePending() -> [any Cancellable] {
    waits += 1
    defer { pending = [] }
    return pending
  }

  /// Gives up what is under way; says whether others know of the task.
  mutating func endWaiting() -> (isKnown: Bool, pending: [any Cancellable]) {
    (isWaiting, takePending())
  }
}
