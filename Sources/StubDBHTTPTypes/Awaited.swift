import StubDBPlayback
import StubDBSupport

/// Why a session has no answer.
enum AnswerFailure: Error {
  case response(ResponseFailure)
  case cancelled
}

/// One outcome that a task waits for; the first one counts.
final class Awaited<Outcome: Sendable>: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Outcome, Never>)
    /// The end came before it was waited for.
    case ended(Outcome)
    case told
  }

  private let state = Locked(State.new)

  /// Waits for the outcome of what `start` begins; called once.
  func value(of start: () -> Void) async -> Outcome {
    await withCheckedContinuation { continuation in
      begin(continuation)
      start()
    }
  }

  private func begin(_ continuation: CheckedContinuation<Outcome, Never>) {
    let outcome = state.withLock { state -> Outcome? in
      guard case .ended(let outcome) = state else {
        state = .waiting(continuation)
        return nil
      }
      state = .told
      return outcome
    }
    if let outcome { continuation.resume(returning: outcome) }
  }

  /// Ends the wait; false if it has ended before.
  @discardableResult
  func end(_ outcome: Outcome) -> Bool {
    let (waiting, isFirst) = state.withLock {
      state -> (CheckedContinuation<Outcome, Never>?, Bool) in
      switch state {
      case .new:
        state = .ended(outcome)
        return (nil, true)
      case .waiting(let continuation):
        state = .told
        return (continuation, true)
      case .ended, .told:
        return (nil, false)
      }
    }
    waiting?.resume(returning: outcome)
    return isFirst
  }
}
