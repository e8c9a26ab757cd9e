import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBSupport

/// `URLProtocol` classes, and which run answers for each.
///
/// `URLSession` makes protocol instances itself, so the class is the only thing that tells two sessions apart without
/// adding anything to a request. A class never serves a second run: whoever copied a configuration can keep the class for
/// as long as the process lives, and nothing tells when the last copy is gone. Classes are never freed; one costs 0.7 KB
/// and 3 microseconds (20,000 of them 14 MB), so it is made only when somebody asks for it.
final class ClassTable: Sendable {
  /// The one that protocol instances ask.
  static let shared = ClassTable()

  private struct State {
    var made = 0
    var responders: [ObjectIdentifier: RunResponder] = [:]
    var abandoned = AbandonedRuns()
  }

  private static let checkedPerClass = 8

  private let state = Locked(State())

  /// A new class, for which the responder answers until the end.
  func makeClass(for responder: RunResponder) -> StubURLProtocol.Type {
    state.withLock { state in
      let made = NumberedClass.number(state.made)
      state.made += 1
      state.responders[ObjectIdentifier(made)] = responder
      return made
    }
  }

  /// Ends some of the runs that nothing can ask any more; to be called where a class was made, and without a lock.
  ///
  /// Looks at a few of them only, so that a new class costs the same however many there are.
  func endUnreachable() {
    let (unreachable, kept) = state.withLock { state in
      let look = state.abandoned.look(atMost: Self.checkedPerClass)
      let responders = look.unreachable.compactMap { state.responders.removeValue(forKey: $0) }
      return (responders, look.kept)
    }
    for responder in unreachable { responder.player.end() }
    withExtendedLifetime(kept) {}
  }

  /// What answers for the class; nil once its run has ended.
  func responder(of protocolClass: AnyClass) -> RunResponder? {
    state.withLock { $0.responders[ObjectIdentifier(protocolClass)] }
  }

  /// Nothing answers for the class any more.
  func end(_ protocolClass: StubURLProtocol.Type) {
    let ended = state.withLock { state in
      state.abandoned.remove(ObjectIdentifier(protocolClass))
      return state.responders.removeValue(forKey: ObjectIdentifier(protocolClass))
    }
    // What its closures hold goes with it, and must not find the table locked.
    withExtendedLifetime(ended) {}
  }

  /// The run goes on for as long as one of the objects is there.
  func abandon(_ protocolClass: StubURLProtocol.Type, watching watched: WatchedObjects) {
    state.withLock { $0.abandoned.add(ObjectIdentifier(protocolClass), watching: watched) }
  }

  /// A run goes on for as long as the object is there too, if its interceptor is gone.
  func watch(_ object: AnyObject, for protocolClass: AnyClass) {
    // The object is compared and stored weakly; the caller keeps it meanwhile.
    nonisolated(unsafe) let object = object
    let kept = state.withLock { $0.abandoned.watch(object, for: ObjectIdentifier(protocolClass)) }
    withExtendedLifetime(kept) {}
  }

  /// How many classes were made so far.
  var madeCount: Int { state.withLock { $0.made } }
  /// How many of them something answers for.
  var answeredCount: Int { state.withLock { $0.responders.count } }
}
