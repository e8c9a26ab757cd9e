/// A class whose lease is over, and the sessions that may still make instances of it.
struct RetiredClass {
  let leased: StubURLProtocol.Type
  let sessions: [WeakSession]

  /// Whether every session is gone, so that the class can serve another run.
  ///
  /// A task keeps its session alive, and an instance keeps the responder it began with: nothing of the old run can
  /// reach the new one.
  var isUnreachable: Bool { sessions.allSatisfy(\.isGone) }
}
