import StubDBEngine
import StubDBModel
import StubDBSupport

/// The callbacks of a run: planned with the answers, due one by one, and kept with their outcomes.
///
/// Safe to use from any thread.
package final class CallbackSchedule: Sendable {
  /// The largest number of callbacks that wait for their time.
  static let mostPending = 1000

  private struct State {
    var isEnded = false
    var lastID = 0
    /// What to cancel of the calls that are planned or on their way; nil until it is known.
    var pending: [Int: (any Cancellable)?] = [:]
    /// The calls that were due, and the numbers by which their outcomes find them.
    var due: [(id: Int, event: CallbackEvent)] = []
    var byteCount = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

    mutating func makeID() -> Int {
      lastID += 1
      return lastID
    }

    /// Keeps a place for a call that is planned, beside so many that are about to end; false if too many wait.
    mutating func keepPlace(for id: Int, beside ending: Int = 0) -> Bool {
      guard pending.count - ending < CallbackSchedule.mostPending else { return false }
      pending.updateValue(nil, forKey: id)
      return true
    }

    /// Those who wait for the end of all calls, if all have ended.
    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
      guard pending.isEmpty else { return [] }
      defer { waiting = [:] }
      return Array(waiting.values)
    }
  }

  /// A call that is planned.
  private struct Plan {
    let id: Int
    let callback: ResponseCallback
    let number: Int
    /// The request that is answered before, without its content.
    let cause: StubRequest
    let turn: Int

    func next(_ id: Int) -> Plan? {
      turn < callback.times
        ? Plan(id: id, callback: callback, number: number, cause: cause, turn: turn + 1) : nil
    }
  }

  private let clock: ScenarioClock
  private let sender: (any CallbackSender)?
  private let limit: JournalLimit
  private let state = Locked(State())

  init(clock: ScenarioClock, limit: JournalLimit, sender: (any CallbackSender)?) {
    (self.clock, self.limit, self.sender) = (clock, limit, sender)
  }

  deinit {
    for case let cancellable? in state.withLock({ $0.pending.values }) { cancellable.cancel() }
  }

  // MARK: Planning

  /// Plans the callbacks of an answer that takes some time of the scenario.
  func plan(_ callbacks: [ResponseCallback], after time: Duration, of event: ServeEvent) {
    let cause = StubRequest(
      method: event.request.method, url: event.request.url, headers: event.request.headers)
    for callback in callbacks {
      let place = state.withLock { state -> (id: Int, isKept: Bool)? in
        guard !state.isEnded else { return nil }
        let id = state.makeID()
        return (id, state.keepPlace(for: id))
      }
      guard let place else { return }
      let plan = Plan(
        id: place.id, callback: callback, number: event.number, cause: cause, turn: 1)
      schedule(plan, after: time + callback.after, hasPlace: place.isKept)
    }
  }

  private func schedule(_ plan: Plan, after time: Duration, hasPlace: Bool) {
    guard hasPlace else {
      let reason = "\(Self.mostPending) other callbacks wait for their time"
      record(plan, .refused(reason: reason))
      return
    }
    let timer = clock.schedule(after: time, for: ObjectIdentifier(self)) { [weak self] in
      self?.carryOut(plan)
    }
    hold(timer, for: plan.id)
  }

  /// Keeps what cancels a call, unless the call has ended meanwhile.
  private func hold(_ cancellable: any Cancellable, for id: Int) {
    let isHeld = state.withLock { state in
      guard state.pending.keys.contains(id) else { return false }
      state.pending[id] = cancellable
      return true
    }
    if !isHeld { cancellable.cancel() }
  }

  // MARK: Carrying out

  private func carryOut(_ plan: Plan) {
    let following = state.withLock { state -> (plan: Plan?, hasPlace: Bool)? in
      guard state.pending.keys.contains(plan.id) else { return nil }
      state.pending.updateValue(nil, forKey: plan.id)
      guard let next = plan.next(state.lastID + 1) else { return (nil, false) }
      return (next, state.keepPlace(for: state.makeID(), beside: 1))
    }
    guard let following else { return }
    let event = record(plan, nil)
    if let next = following.plan {
      schedule(next, after: plan.callback.after, hasPlace: following.hasPlace)
    }
    guard let sender else { return finish(plan.id) }
    let sent = sender.send(event.request, after: plan.cause) { [weak self] outcome in
      self?.finish(plan.id, outcome)
    }
    hold(sent, for: plan.id)
  }

  @discardableResult
  private func record(_ plan: Plan, _ outcome: CallbackOutcome?) -> CallbackEvent {
    let event = CallbackEvent(
      requestNumber: plan.number, request: StubRequest(plan.callback), turn: plan.turn,
      outcome: outcome)
    state.withLock { state in
      state.due.append((plan.id, event))
      guard limit != .unlimited else { return }
      state.byteCount += event.byteCount
      while state.due.count > limit.entryCount
        || state.byteCount > limit.byteCount && state.due.count > 1
      {
        state.byteCount -= state.due.removeFirst().event.byteCount
      }
    }
    return event
  }

  private func finish(_ id: Int, _ outcome: CallbackOutcome? = nil) {
    let waiting = state.withLock { state in
      state.pending.removeValue(forKey: id)
      if let outcome, let index = state.due.lastIndex(where: { $0.id == id }) {
        state.due[index].event.outcome = outcome
      }
      return state.takeWaiting()
    }
    for continuation in waiting { continuation.resume() }
  }

  // MARK: Asking

  /// The calls that were due so far, in that order; the oldest ones are missing if the limit has dropped them.
  package var events: [CallbackEvent] { state.withLock { $0.due.map(\.event) } }

  /// The calls after the answer to a request.
  package func events(ofRequest number: Int) -> [CallbackEvent] {
    state.withLock { $0.due.lazy.map(\.event).filter { $0.requestNumber == number } }
  }

  /// Waits until no call is planned or on its way, or the task is cancelled.
  package func waitForAll() async {
    let id = state.withLock { $0.makeID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          if state.pending.isEmpty || Task.isCancelled { return true }
          state.waiting[id] = continuation
          return false
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
    }
  }

  // MARK: The end

  /// Forgets all calls, and cancels those that are planned or on their way.
  func reset(ending: Bool = false) {
    let (pending, waiting) = state.withLock { state in
      let pending = state.pending.values.compactMap(\.self)
      state.pending = [:]
      if ending { state.isEnded = true } else { (state.due, state.byteCount) = ([], 0) }
      return (pending, state.takeWaiting())
    }
    for cancellable in pending { cancellable.cancel() }
    for continuation in waiting { continuation.resume() }
  }
}

extension CallbackEvent {
  fileprivate var byteCount: Int { request.content?.count ?? 0 }
}
