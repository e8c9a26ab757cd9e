import Dispatch

/// Where one protocol instance is between the first `startLoading` and its answer.
///
/// `URLSession` calls `startLoading` again after `suspend()` and `resume()`, after a second `resume()`, and on Linux
/// whenever an answer is ready; `stopLoading` comes for a suspension as well as for the end.
/// Decides only; the protocol acts.
struct LoadingState {
  private enum Phase {
    case new
    case preparing
    case ready(Answer)
    case delivered
  }

  private var phase = Phase.new
  private var isStopped = false
  private var isWaiting = false
  /// What waits for the time of a delayed answer; it goes with the instance, and the answer with it.
  private var timer: (any DispatchSourceTimer)?

  /// Whether this is the first start, which decides about the answer.
  mutating func start() -> Bool {
    isStopped = false
    guard case .new = phase else { return false }
    phase = .preparing
    return true
  }

  /// Nothing is to be sent until the next start.
  mutating func stop() {
    isStopped = true
  }

  /// The answer is there and its time has come.
  mutating func becomeReady(_ answer: Answer) {
    guard case .preparing = phase else { return }
    phase = .ready(answer)
  }

  /// The answer to send now, at most once; nil when there is none yet, none any more, or loading is stopped.
  mutating func takeAnswer() -> Answer? {
    guard !isStopped, case .ready(let answer) = phase else { return nil }
    phase = .delivered
    return answer
  }

  /// The answer is not there yet, and others know of the task.
  mutating func beginWaiting() {
    isWaiting = true
  }

  /// The answer is there when the timer fires.
  mutating func wait(for timer: any DispatchSourceTimer) {
    self.timer = timer
  }

  /// Gives the timer up; says whether others know of the task.
  mutating func endWaiting() -> Bool {
    timer?.cancel()
    return isWaiting
  }
}
