#if Server
import NIOCore
import StubDBEngine
import StubDBPlayback

extension Responder {
  /// Decides at once, or on another thread if that may take long.
  func decide(about request: StubRequest, _ served: ServedScenario) {
    let player = served.player
    if served.isQuick(request) {
      return carryOut(player.decide(about: request, at: answer.base), request, player)
    }
    let (responder, server) = (NIOLoopBound(self, eventLoop: loop), server)
    let (loop, number, base) = (loop, answer.number, answer.base)
    let work = RequestWork(memory: server.contents)
    answer.work = work
    BlockingThreads.shared.run {
      let decision = player.decide(about: request, at: base, work: work)
      loop.execute {
        guard responder.value.owes(number) else { return }
        guard !work.lacksMemory else { return responder.value.giveProblem(server.contents.refusal) }
        responder.value.carryOut(decision, request, player)
      }
    }
  }

  private func carryOut(
    _ decision: Player.Decision, _ request: StubRequest, _ player: Player
  ) {
    if case .failure(.ended) = decision, let served = answer.session?.served,
      served !== answer.served
    {
      // The catalog has changed meanwhile, and a later run decides.
      answer.served = served
      return decide(about: request, served)
    }
    let event = Self.event(of: decision)
    answer.event = event
    answer.entry?.event = event
    // An immediate answer is reported once, when it is complete.
    let number = answer.number
    defer { if owes(number) { tellFollowers() } }
    if let event = player.immediateEvent(of: decision, decoded: false) {
      return deliver(event)
    }
    let sink = ResponderSink(self, answer: answer.number, to: request, event: event)
    guard let exchange = Exchange(player, patience: .ofServer, sink: sink) else {
      return deliver(.failure(.ended))
    }
    answer.exchange = exchange
    exchange.carryOut(decision, request)
  }

  private static func event(of decision: Player.Decision) -> ServeEvent? {
    switch decision {
    case .answer(_, let event), .unmatched(let event): event
    case .closures, .failure: nil
    }
  }
}

extension Patience {
  /// The patience of a server, which leaves all of that to its clients.
  fileprivate static let ofServer: Patience = {
    var patience = Patience(isIncremental: true)
    patience.isOnWire = true
    return patience
  }()
}
#endif
