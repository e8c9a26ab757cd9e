import StubDBModel

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
    var abandoned: [AbandonedRun] = []

    /// Takes the runs that nothing can ask any more out of the table.
    ///
    /// Looks at some of them only, so that a new class costs the same however many there are.
    mutating func takeUnreachable() -> [RunResponder] {
      var found: [RunResponder] = []
      for _ in 0..<min(ClassTable.checkedPerClass, abandoned.count) {
        let run = abandoned.removeFirst()
        if !run.watched.areGone {
          abandoned.append(run)
        } else if let responder = responders.removeValue(forKey: run.protocolClass) {
          found.append(responder)
        }
      }
      return found
    }
  }

  /// A run whose interceptor is gone without having ended it, and what may still ask it.
  private struct AbandonedRun {
    let protocolClass: ObjectIdentifier
    var watched: WatchedObjects
  }

  private static let checkedPerClass = 8

  private let state = Locked(State())

  /// A new class, for which the responder answers until the end.
  func makeClass(for responder: RunResponder) -> StubURLProtocol.Type {
    let (made, unreachable) = state.withLock { state in
      let made = NumberedClass.number(state.made)
      state.made += 1
      state.responders[ObjectIdentifier(made)] = responder
      return (made, state.takeUnreachable())
    }
    for responder in unreachable { responder.end() }
    return made
  }

  /// What answers for the class; nil once its run has ended.
  func responder(of protocolClass: AnyClass) -> RunResponder? {
    state.withLock { $0.responders[ObjectIdentifier(protocolClass)] }
  }

  /// Nothing answers for the class any more.
  func end(_ protocolClass: StubURLProtocol.Type) {
    let ended = state.withLock { state in
      state.abandoned.removeAll { $0.protocolClass == ObjectIdentifier(protocolClass) }
      return state.responders.removeValue(forKey: ObjectIdentifier(protocolClass))
    }
    // What its closures hold goes with it, and must not find the table locked.
    withExtendedLifetime(ended) {}
  }

  /// The run goes on for as long as one of the objects is there.
  func abandon(_ protocolClass: StubURLProtocol.Type, watching watched: WatchedObjects) {
    state.withLock {
      $0.abandoned.append(
        AbandonedRun(protocolClass: ObjectIdentifier(protocolClass), watched: watched))
    }
  }

  /// A run goes on for as long as the object is there too, if its interceptor is gone.
  func watch(_ object: AnyObject, for protocolClass: AnyClass) {
    state.withLock { state in
      guard
        let index = state.abandoned.firstIndex(where: {
          $0.protocolClass == ObjectIdentifier(protocolClass)
        })
      else { return }
      state.abandoned[index].watched.add(object)
    }
  }

  /// How many classes were made so far.
  var madeCount: Int { state.withLock { $0.made } }
  /// How many of them something answers for.
  var answeredCount: Int { state.withLock { $0.responders.count } }
}
