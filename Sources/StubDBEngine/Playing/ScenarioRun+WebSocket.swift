import StubDBModel
internal import StubDBSupport

extension ScenarioRun {
  /// Adds to the journal what became of a message on the WebSocket that a request opened.
  package func record(_ frame: FrameRecord, on event: ServeEvent) {
    state.withLock { $0.journal.update(event.number) { $0.with(frame: frame) } }
  }

  /// Adds a problem in making an answer.
  package func note(_ problem: VerificationProblem) { state.withLock { $0.note(problem) } }

  /// What the frames of the answer expect; nil for an answer that is no WebSocket.
  func framePatterns(_ claim: Claim, _ request: PreparedRequest) -> FramePatterns? {
    guard let index = claim.turn.response, let kept = claim.state,
      let answer = scenario.stubs.answers[claim.turn.rank], let frames = answer.frames[index]
    else { return nil }
    let texts = answer.captured(
      frames.names, from: kept.captured, for: request, path: scenario.stubs.path(claim.turn.rank))
    return FramePatterns(frames, captured: texts)
  }
}
