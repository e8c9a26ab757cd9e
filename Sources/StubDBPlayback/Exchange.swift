import Foundation
import HTTPTypes
package import StubDBEngine
package import StubDBModel
import StubDBSupport

/// Carries out the answer to one request: waits, prepares, and sends the front end one event after another.
///
/// Works away from the caller's thread. ``cancel()`` or the last release gives it up.
package final class Exchange: Sendable {
  private let player: Player
  package let patience: Patience
  private let sink: any ResponseSink
  private let state = Locked(ExchangeState())

  /// Makes an exchange for a request without an answer; nil once the run has ended.
  package init?(_ player: Player, patience: Patience, sink: any ResponseSink) {
    self.player = player
    self.patience = patience
    self.sink = sink
    guard player.add(self) else { return nil }
  }

  deinit {
    for cancellable in state.withLock({ $0.takePending() }) { cancellable.cancel() }
    player.remove(ObjectIdentifier(self))
  }

  /// The scenario time that has passed.
  package var elapsed: Duration { state.withLock { $0.elapsed } }

  /// The entry of the journal; nil until the request is decided.
  package var event: ServeEvent? { state.withLock { $0.event } }

  /// The calls that are made after the answer; none until the request is decided.
  package var callbacks: [ResponseCallback] { state.withLock { $0.callbacks } }

  /// Begins to wait for the content of the request, which ``answer(_:)`` ends; the request times out meanwhile.
  package func waitForContent() {
    let (limit, number) = state.withLock { state in
      (patience.timeLeft(after: state.elapsed, forever: true), state.beginWait())
    }
    hold(realTimer(limit), for: number)
  }

  /// Decides about a request and answers it; called again for the request that follows a redirect.
  package func answer(_ request: StubRequest) {
    giveUpPending()
    // It has timed out, or its client is gone, before its content was read.
    guard !state.withLock({ $0.isOver }) else { return }
    carryOut(player.decide(about: request), request)
  }

  /// Tells the client what was decided.
  package func carryOut(_ decision: Player.Decision, _ request: StubRequest) {
    switch decision {
    case .failure(let failure):
      tell(.failure(failure))
    case .answer(let answer, let event):
      state.withLock { ($0.event, $0.callbacks) = (event, answer.callbacks) }
      release(event) { exchange in
        exchange.wait(answer.delay) { $0.give(answer.kind, for: event) }
      }
    case .closures(let candidates, let waiting):
      ask(candidates, waiting)
    case .unmatched(let event):
      state.withLock { $0.event = event }
      release(event) { $0.giveWithoutMatch(event) }
    }
  }

  /// Continues at once, or when what holds answers lets this one go.
  private func release(_ event: ServeEvent, _ next: @escaping @Sendable (Exchange) -> Void) {
    guard let control = player.options.control?.control, control.holdsAnswers else {
      return next(self)
    }
    let number = state.withLock { $0.beginWait() }
    let held = control.hold(event) { [weak self] in
      if let self { next(self) }
    }
    hold([held], for: number)
  }

  private func give(_ kind: Answer.Kind, for event: ServeEvent) {
    switch kind {
    case .error(let error, let fault): tell(.failure(.stubbed(error, fault)))
    case .never: fallSilent()
    case .network: giveFromNetwork(event)
    case .webSocket(let answer):
      if !sink.openWebSocket(answer) { tell(.failure(player.refusalOfWebSocket(for: event))) }
    case .reply(let reply): give(reply, for: event)
    }
  }

  private func give(_ reply: Answer.Reply, for event: ServeEvent) {
    guard let content = reply.content else { return play(reply.steps(Data(), patience)[...]) }
    if case .bytes(let bytes) = content.body.content, content.range == nil,
      patience.isOnWire || !reply.head.headers.contains(.contentEncoding)
    {
      return play(reply.steps(bytes, patience)[...])
    }
    BlockingThreads.shared.run { [weak self] in
      guard let self else { return }
      do throws(Player.UnavailableContent) {
        play(
          reply.steps(
            try player.bytes(of: reply, for: event, decoded: !patience.isOnWire), patience)[...])
      } catch {
        tell(.failure(error.failure))
      }
    }
  }

  private func giveWithoutMatch(_ event: ServeEvent) {
    guard player.options.unmatched != .passthrough else {
      event.discardExplanation()
      return giveFromNetwork(event)
    }
    BlockingThreads.shared.run { [weak self, player] in
      // The journal explains it on demand.
      guard let self, !state.withLock({ $0.isOver }) else { return }
      let told = player.eventWithoutMatch(event)
      tell(told)
    }
  }

  private func giveFromNetwork(_ event: ServeEvent) {
    if event.isMatched, let refusal = player.refusalOfPassthrough(for: event) {
      return tell(.failure(refusal))
    }
    // The network itself limits the time until something arrives.
    let (limit, number) = state.withLock { state in
      (
        patience.timeLeft(after: state.elapsed, forever: false, isIdle: false), state.beginWait()
      )
    }
    guard let sent = sink.sendToNetwork() else {
      if let refusal = player.refusalOfPassthrough(for: event, hasNetwork: false) {
        tell(.failure(refusal))
      }
      return
    }
    hold([sent] + realTimer(limit), for: number)
  }

  private func ask(_ candidates: [ClosureStub], _ request: WaitingRequest) {
    let (limit, number) = state.withLock { state in
      (patience.timeLeft(after: state.elapsed, forever: true), state.beginWait())
    }
    let timer = realTimer(limit)
    let call = ClosureCall(candidates: candidates, request: request, player: player)
      .begin { [weak self] decision in
        guard let self else { return }
        giveUpPending()
        carryOut(decision, request.request)
      }
    hold(timer + [call], for: number)
  }

  // MARK: Telling

  private func tell(_ event: ResponseEvent) {
    guard !state.withLock({ $0.isOver }) else { return }
    sink.tell(event)
  }

  /// Tells immediate events, and waits for the others.
  private func play(_ steps: ArraySlice<AnswerStep>) {
    var rest = steps
    while let step = rest.first, step.after <= .zero, let event = step.event {
      tell(event)
      rest = rest.dropFirst()
      guard !patience.isOnWire || rest.isEmpty else { return playAfterDelivery(rest) }
    }
    guard let step = rest.first else { return }
    let after = rest.dropFirst()
    wait(step.after, isIdle: step.isIdle) { exchange in
      guard let event = step.event else { return exchange.fallSilent() }
      exchange.tell(event)
      exchange.playAfterDelivery(after)
    }
  }

  private func fallSilent() {
    sink.fallSilent()
    wait(nil) { _ in }
  }

  private func playAfterDelivery(_ steps: ArraySlice<AnswerStep>) {
    guard patience.isOnWire, !steps.isEmpty else { return play(steps) }
    sink.afterDelivery { [weak self] in self?.play(steps) }
  }

  // MARK: Waiting

  /// Continues after a time of the scenario, nil for never, unless the request times out before.
  private func wait(
    _ time: Duration?, isIdle: Bool = true, _ next: @escaping @Sendable (Exchange) -> Void
  ) {
    if let time, time <= .zero { return next(self) }
    let (limit, number) = state.withLock { state in
      (
        patience.timeLeft(after: state.elapsed, forever: time == nil, isIdle: isIdle),
        state.beginWait(passing: time ?? .zero)
      )
    }
    if let limit, time.map({ $0 >= limit }) ?? true {
      hold([schedule(after: limit) { $0.timeOut() }], for: number)
    } else if let time {
      hold([schedule(after: time, next)], for: number)
    }
  }

  private func schedule(
    after time: Duration, _ action: @escaping @Sendable (Exchange) -> Void
  ) -> any Cancellable {
    player.clock.schedule(after: time, for: ObjectIdentifier(self)) { [weak self] in
      if let self { action(self) }
    }
  }

  /// Others take real time.
  private func realTimer(_ limit: Duration?) -> [any Cancellable] {
    guard let limit else { return [] }
    return [
      ScenarioClock(pace: .real).schedule(after: limit, for: ObjectIdentifier(self)) {
        [weak self] in self?.timeOut()
      }
    ]
  }

  private func hold(_ pending: [any Cancellable], for wait: Int) {
    guard !state.withLock({ $0.hold(pending, for: wait) }) else { return }
    for cancellable in pending { cancellable.cancel() }
  }

  private func giveUpPending() {
    for cancellable in state.withLock({ $0.takePending() }) { cancellable.cancel() }
  }

  private func timeOut() {
    // Set first, because what is cancelled may report an error of its own.
    tell(.failure(.timedOut))
    cancel()
  }

  // MARK: The end

  /// Gives the request up: no further event is sent.
  package func cancel() {
    let pending = state.withLock { state in
      state.isOver = true
      return state.takePending()
    }
    for cancellable in pending { cancellable.cancel() }
  }

  /// The run has ended, and the wait with it.
  func runEnded() {
    guard !state.withLock({ $0.isOver }) else { return }
    sink.runEnded()
  }
}

/// What an exchange waits for.
struct ExchangeState {
  var isOver = false
  /// The latest entry of the journal for its request.
  var event: ServeEvent?
  /// The calls that are made after the answer to it.
  var callbacks: [ResponseCallback] = []
  /// The scenario time since the request was made.
  private(set) var elapsed = Duration.zero
  /// What to cancel when the request is given up: a timer, a closure, a request to the network.
  private var pending: [any Cancellable] = []
  /// The number of waits that have begun or ended; only the last one can have anything pending.
  private var waits = 0

  /// Begins a wait, during which some scenario time passes; returns its number.
  mutating func beginWait(passing time: Duration = .zero) -> Int {
    elapsed += time
    waits += 1
    return waits
  }

  /// Adds something to cancel with the wait; false if it must be cancelled immediately.
  ///
  /// The wait may already be over, and the next one begun, when this is called: it must not replace what belongs to the
  /// next one.
  mutating func hold(_ pending: [any Cancellable], for wait: Int) -> Bool {
    guard !isOver, wait == waits else { return false }
    self.pending = pending
    return true
  }

  /// Ends the wait, because what was waited for has happened or is no longer needed.
  mutating func takePending() -> [any Cancellable] {
    waits += 1
    defer { pending = [] }
    return pending
  }
}
