package import StubDBEngine

extension Player {
  /// The answer that requests like this one always get, unless closures may be asked; nil if there is none.
  ///
  /// `status` is what its client has got.
  package func steadyAnswer(like event: ServeEvent, status: Int) -> SteadyAnswer? {
    closures.isEmpty ? run.steadyAnswer(like: event, status: status) : nil
  }

  /// Records another request that gets the answer, which has taken this many nanoseconds.
  ///
  /// Nil if a closure may answer, or once the run has ended: the request must be decided then.
  package func record(_ answer: SteadyAnswer, after nanoseconds: Int64) -> ServeEvent? {
    guard closures.isEmpty else { return nil }
    return run.record(answer, after: nanoseconds)
  }
}
