import HTTPTypes
import StubDBModel
import StubDBSupport

/// What the layer above makes of the response of a stub, so that it need not make it for each request.
///
/// It is kept with the scenario, for all its runs.
package protocol MadeAnswer: AnyObject, Sendable {}

extension ScenarioRun {
  /// A run's decision about a request, for a layer that keeps what it makes of responses.
  package enum PlainOutcome {
    case plain(PlainTurn)
    /// Something that is this request's own.
    case other(Outcome)
  }

  /// The turn of a stub that always gives its only response, and of which the request wants all.
  package struct PlainTurn {
    fileprivate let run: ScenarioRun
    fileprivate let claim: Claim
    fileprivate let request: PreparedRequest
    /// What was kept for the stub; nil if nothing was.
    package let made: (any MadeAnswer)?

    /// The entry of the journal.
    package var event: ServeEvent { claim.event }

    /// The response, if nothing was kept.
    package func selection() -> Selection { run.selection(claim, request) }

    /// Keeps what was made of the response.
    package func keep(_ answer: any MadeAnswer) {
      run.scenario.stubs.madeAnswers.withLock { $0[claim.turn.rank] = answer }
    }
  }

  /// Decides what answers a request that is parsed already; nil once the run has ended.
  package func respondPlainly(to prepared: PreparedRequest) -> PlainOutcome? {
    switch resolution(of: prepared) {
    case .answered(let claim):
      let rank = claim.turn.rank
      guard claim.plainStub(of: scenario.stubs) != nil, prepared.asksForAll else {
        return .other(.respond(selection(claim, prepared)))
      }
      let made = scenario.stubs.madeAnswers.withLock { $0[rank] }
      return .plain(PlainTurn(run: self, claim: claim, request: prepared, made: made))
    case .unmatched(let event):
      return .other(.unmatched(event))
    case .ended:
      return nil
    }
  }
}

extension PreparedRequest {
  /// Whether the request is for all of a response, and not for its head or a part.
  fileprivate var asksForAll: Bool { !isHead && !request.headers.contains(.range) }
}
