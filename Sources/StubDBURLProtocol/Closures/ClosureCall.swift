import StubDBEngine
import StubDBModel
import StubDBSupport

/// Asks one closure after another, and at last the scenario.
struct ClosureCall: Sendable {
  let candidates: [ClosureStub]
  let hop: RequestHop
  let responder: RunResponder

  func begin(_ receiver: AnswerReceiver) -> any Cancellable {
    let chain = Chain()
    ask(0, receiver, chain)
    return chain
  }

  private func ask(_ index: Int, _ receiver: AnswerReceiver, _ chain: Chain) {
    // Closures go with the run; what they were to answer is not the scenario's.
    guard !responder.tasks.isEnded else { return receiver.decide(responder.cancellation(of: hop)) }
    guard index < candidates.count else {
      return receiver.decide(responder.decideFromRun(about: hop))
    }
    let stub = candidates[index]
    let call = stub.call(hop.stubRequest) { result in
      switch result {
      case .success(nil):
        ask(index + 1, receiver, chain)
      case .success(let response?):
        let event = responder.run.record(hop.stubRequest, answeredBy: stub.origin)
        let plan = responder.run.plan(for: response, to: hop.stubRequest)
        receiver.decide(responder.decision(of: plan, for: event, hop: hop))
      case .failure(let error):
        _ = responder.run.record(hop.stubRequest, answeredBy: stub.origin)
        receiver.decide(AnswerDecision(preparation: .ready(.failure(error))))
      }
    }
    chain.wait(for: call, at: index)
  }

  /// The call that is under way.
  private final class Chain: Cancellable {
    private struct State {
      var call: (any Cancellable)?
      var index = -1
      var isCancelled = false
    }

    private let state = Locked(State())

    /// A later call may be known before an earlier one, which has then ended.
    func wait(for call: any Cancellable, at index: Int) {
      let isCancelled = state.withLock { state in
        if index > state.index { (state.call, state.index) = (call, index) }
        return state.isCancelled
      }
      if isCancelled { call.cancel() }
    }

    func cancel() {
      let call = state.withLock { state in
        state.isCancelled = true
        return state.call
      }
      call?.cancel()
    }
  }
}
