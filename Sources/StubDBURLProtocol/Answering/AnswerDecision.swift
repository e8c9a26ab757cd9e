/// An answer that is decided, and what is left to do until it can be sent.
struct AnswerDecision: Sendable {
  /// How the answer comes about.
  enum Preparation: Sendable {
    /// It is there.
    case ready(Answer)
    /// It takes I/O, which must not happen on the thread of `startLoading`.
    case deferred(@Sendable () -> Answer)
    /// Somebody else gives it, some time; who is not timed keeps the request's time-out.
    case awaited(isTimed: Bool, @Sendable (AnswerReceiver) -> any Cancellable)
  }

  /// How long to hold the answer back, in the scenario's time.
  var delay: Duration = .zero
  /// How the answer comes about.
  var preparation: Preparation
}
