import StubDBModel

/// `URLProtocol` classes, and which run answers for each.
///
/// `URLSession` makes protocol instances itself, so the class is the only thing that tells two sessions apart without
/// adding anything to a request. Classes are never freed (1 to 3 KB each): those that nobody can reach any more
/// are leased again.
final class ClassPool: Sendable {
  /// The one that protocol instances ask.
  static let shared = ClassPool()

  private struct State {
    var made = 0
    var free: [StubURLProtocol.Type] = []
    var leased: [ObjectIdentifier: RunResponder] = [:]
    var retired: [RetiredClass] = []
  }

  /// How many retired classes a lease looks at; the rest is looked at by later ones.
  private static let retiredPerLease = 8

  private let state = Locked(State())

  /// A class that belongs to the responder until it is retired.
  func lease(for responder: RunResponder) -> StubURLProtocol.Type {
    state.withLock { state in
      collect(&state)
      let leased = state.free.popLast() ?? make(&state)
      state.leased[ObjectIdentifier(leased)] = responder
      return leased
    }
  }

  /// What answers for the class; nil once it was retired.
  func responder(of leased: AnyClass) -> RunResponder? {
    state.withLock { $0.leased[ObjectIdentifier(leased)] }
  }

  /// Ends the lease; the class is leased again when the last of the sessions is gone.
  ///
  /// `sessions` is nil where the class was handed out, so that nobody knows all sessions: it is then never leased again.
  func retire(_ leased: StubURLProtocol.Type, sessions: [WeakSession]?) {
    state.withLock { state in
      state.leased[ObjectIdentifier(leased)] = nil
      guard let sessions else { return }
      state.retired.append(RetiredClass(leased: leased, sessions: sessions))
    }
  }

  /// How many classes were made so far.
  var madeCount: Int { state.withLock { $0.made } }

  private func collect(_ state: inout State) {
    for _ in 0..<min(Self.retiredPerLease, state.retired.count) {
      let candidate = state.retired.removeFirst()
      if candidate.isUnreachable {
        state.free.append(candidate.leased)
      } else {
        state.retired.append(candidate)
      }
    }
  }

  private func make(_ state: inout State) -> StubURLProtocol.Type {
    defer { state.made += 1 }
    return LeasedClass.number(state.made)
  }
}
