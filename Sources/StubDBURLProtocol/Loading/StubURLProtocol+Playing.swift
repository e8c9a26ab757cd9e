import Foundation
import StubDBEngine
import StubDBModel
import StubDBSupport

/// What happens off the client's thread: waiting, preparing, and one piece after another.
///
/// Never on it: starting a task there, or resuming one, stops the process on Linux.
extension StubURLProtocol {
  /// Decides about a request, elsewhere than on the client's thread.
  func decide(about hop: RequestHop) {
    guard let responder else { return }
    guard !responder.tasks.isEnded else { return arrive([.failure(AnswerErrors.ended(hop.url))]) }
    carryOut(responder.decide(about: hop), hop)
  }

  /// Waits, prepares the answer, and tells it.
  func carryOut(_ decision: AnswerDecision, _ hop: RequestHop) {
    let loader = WeakLoader(self)
    wait(decision.delay, hop) {
      switch decision.preparation {
      case .ready(let answer):
        loader.value?.play(answer, hop)
      case .deferred(let prepare):
        DispatchQueue.stubdb.async {
          let answer = prepare()
          loader.value?.play(answer, hop)
        }
      case .awaited(let isTimed, let begin):
        loader.value?.await(begin, isTimed: isTimed, hop)
      }
    }
  }

  private func await(
    _ begin: @Sendable (AnswerReceiver) -> any Cancellable, isTimed: Bool, _ hop: RequestHop
  ) {
    let loader = WeakLoader(self)
    let receiver = AnswerReceiver(
      isIncremental: state.withLock { $0.facts?.isIncremental ?? false },
      timeout: state.withLock { $0.facts?.timeout },
      decide: { decision in
        guard let self = loader.value else { return }
        self.giveUpPending()
        self.carryOut(decision, hop)
      },
      tell: { event in loader.value?.arrive([event.redirected(for: hop)]) })
    let (limit, number) = state.withLock { state in
      // Who is not timed keeps the time between two things that come, not the one for everything.
      (
        state.facts?.timeLeft(after: state.elapsed, forever: isTimed, isIdle: isTimed),
        state.beginWait()
      )
    }
    var pending: [any Cancellable] = []
    if let limit {
      // The time of others is real time.
      pending.append(
        ScenarioClock(pace: .real).schedule(after: limit, for: ObjectIdentifier(self)) {
          loader.value?.timeOut(hop.url)
        })
    }
    pending.append(begin(receiver))
    hold(pending, for: number)
  }

  private func play(_ answer: Answer, _ hop: RequestHop) {
    if let event = ClientEvent(answer) { return arrive([event.redirected(for: hop)]) }
    guard case .pieces(let pieces) = answer else { return wait(nil, hop) {} }
    let facts = state.withLock { $0.facts }
    // What is redirected is told as a whole, once it is complete.
    let isIncremental = pieces.head.redirectTarget == nil && facts?.isIncremental ?? false
    play(pieces.steps(isIncremental: isIncremental, idleLimit: facts?.idleLimit)[...], hop)
  }

  /// Tells at once what takes no time, and waits for what does.
  private func play(_ steps: ArraySlice<PiecewiseAnswer.Step>, _ hop: RequestHop) {
    var rest = steps
    var events: [ClientEvent] = []
    while let step = rest.first, step.after <= .zero, let event = step.event {
      events.append(event.redirected(for: hop))
      rest = rest.dropFirst()
    }
    if !events.isEmpty { arrive(events) }
    guard let step = rest.first else { return }
    let (loader, after) = (WeakLoader(self), rest.dropFirst())
    guard let event = step.event else {
      return wait(step.after, hop, isIdle: step.isIdle) { loader.value?.wait(nil, hop) {} }
    }
    wait(step.after, hop, isIdle: step.isIdle) {
      loader.value?.arrive([event.redirected(for: hop)])
      loader.value?.play(after, hop)
    }
  }

  /// Goes on after a time of the scenario, nil for never, unless the request times out before.
  private func wait(
    _ time: Duration?, _ hop: RequestHop, isIdle: Bool = true,
    _ next: @escaping @Sendable () -> Void
  ) {
    if let time, time <= .zero { return next() }
    guard let responder else { return }
    let (loader, owner) = (WeakLoader(self), ObjectIdentifier(self))
    let (limit, number) = state.withLock { state in
      (
        state.facts?.timeLeft(after: state.elapsed, forever: time == nil, isIdle: isIdle),
        state.beginWait(passing: time ?? .zero)
      )
    }
    let pending: any Cancellable
    if let limit, time.map({ $0 >= limit }) ?? true {
      pending = responder.clock.schedule(after: limit, for: owner) {
        loader.value?.timeOut(hop.url)
      }
    } else if let time {
      pending = responder.clock.schedule(after: time, for: owner, next)
    } else {
      return
    }
    hold([pending], for: number)
  }

  private func hold(_ pending: [any Cancellable], for wait: Int) {
    guard !state.withLock({ $0.hold(pending, for: wait) }) else { return }
    for cancellable in pending { cancellable.cancel() }
  }

  private func timeOut(_ url: URL) {
    // First, since what is given up may answer with an error of its own.
    arrive([.failure(AnswerErrors.timedOut(url))])
    giveUpPending()
  }

  private func giveUpPending() {
    for cancellable in state.withLock({ $0.takePending() }) { cancellable.cancel() }
  }

  /// The time of the events has come.
  func arrive(_ events: [ClientEvent]) {
    if state.withLock({ $0.arrive(events) }) { returnToClient() }
  }
}

extension ClientEvent {
  /// The redirect that a response asks for, where it does.
  func redirected(for hop: RequestHop) -> ClientEvent {
    switch self {
    case .whole(let head, let content) where head.redirectTarget != nil:
      Redirect(head, content: content, hop: hop).map(ClientEvent.redirect) ?? self
    default:
      self
    }
  }
}
