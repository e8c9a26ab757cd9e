/// An answer that is decided, and what is left to do until it can be sent.
struct AnswerDecision: Sendable {
  /// How the answer comes about.
  enum Preparation: Sendable {
    /// It is there.
    case ready(Answer)
    /// It takes I/O, which must not happen on the thread of `startLoading`.
    case deferred(@Sendable () -> Answer)

    /// The answer; may do I/O.
    func answer() -> Answer {
      switch self {
      case .ready(let answer): answer
      case .deferred(let prepare): prepare()
      }
    }
  }

  /// How long to hold the answer back.
  var delay: Duration = .zero
  /// How the answer comes about.
  var preparation: Preparation
}
