import StubDBEngine
import StubDBModel

/// An answer that a stub always gives to requests for all of its response.
private final class PlainAnswer: MadeAnswer {
  let answer: Answer

  /// Nil if it depends on the time or on chance, or if something else happens too.
  init?(_ answer: Answer, of response: StubResponse) {
    guard case .reply(let reply) = answer.kind, reply.isWhole, response.callbacks.isEmpty
    else { return nil }
    self.answer = answer
  }
}

extension Player {
  /// The decision of the scenario; the answer of a stub that does nothing else is made once.
  func decision(_ outcome: ScenarioRun.PlainOutcome?) -> Decision {
    switch outcome {
    case nil:
      return .failure(.ended)
    case .other(let outcome):
      return decision(outcome)
    case .plain(let turn):
      if let known = turn.made as? PlainAnswer { return .answer(known.answer, turn.event) }
      let selection = turn.selection()
      let decision = decision(.respond(selection))
      if case .answer(let answer, _) = decision,
        let plain = PlainAnswer(answer, of: selection.response)
      {
        turn.keep(plain)
      }
      return decision
    }
  }
}
