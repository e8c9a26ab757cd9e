import StubDBPlayback
import StubDBSupport

/// The `URLProtocol` classes, with the run that answers for each.
///
/// `URLSession` makes protocol instances itself, so the class is all that distinguishes two sessions without changing
/// requests. A class never serves a second run: a copy of a configuration can keep the class as long as the process
/// lives, and there is no notification when the last copy is gone. Classes are never freed; one costs 0.7 KB and 3 microseconds
/// (20,000 of them 14 MB), so it is made only on demand.
final class ClassTable: Sendable {
  /// The table that protocol instances use.
  static let shared = ClassTable()

  private struct State {
    var made = 0
    var responders: [ObjectIdentifier: RunResponder] = [:]
    /// The tests of responders that were removed.
    var endedTests: [ObjectIdentifier: LateRequests.Ended] = [:]
    var abandoned = AbandonedRuns()
  }

  private static let checkedPerClass = 8

  private let state = Locked(State())

  /// Makes a class for which the responder answers until it ends.
  func makeClass(for responder: RunResponder) -> StubURLProtocol.Type {
    state.withLock { state in
      let made = NumberedClass.number(state.made)
      state.made += 1
      state.responders[ObjectIdentifier(made)] = responder
      return made
    }
  }

  /// Ends some of the runs that nothing can use any more; call it after making a class, without a lock.
  ///
  /// Only a few are checked, so that a new class costs the same however many there are.
  func endUnreachable() {
    let (unreachable, kept) = state.withLock { state in
      let look = state.abandoned.look(atMost: Self.checkedPerClass)
      let responders = look.unreachable.compactMap { state.responders.removeValue(forKey: $0) }
      return (responders, look.kept)
    }
    for responder in unreachable { responder.player.end() }
    withExtendedLifetime(kept) {}
  }

  /// The responder of the class; nil once its run has ended.
  func responder(of protocolClass: AnyClass) -> RunResponder? {
    state.withLock { $0.responders[ObjectIdentifier(protocolClass)] }
  }

  /// The test that the run of the class has ended with; nil if it is not known.
  func endedTest(of protocolClass: AnyClass) -> LateRequests.Ended? {
    state.withLock { $0.endedTests[ObjectIdentifier(protocolClass)] }
  }

  /// Removes the responder of the class.
  func end(_ protocolClass: StubURLProtocol.Type) {
    let ended = state.withLock { state in
      let identifier = ObjectIdentifier(protocolClass)
      state.abandoned.remove(identifier)
      let ended = state.responders.removeValue(forKey: identifier)
      if let test = ended?.player.endedTest { state.endedTests[identifier] = test }
      return ended
    }
    // Its closures are released with it, and must not find the table locked.
    withExtendedLifetime(ended) {}
  }

  /// Keeps the run alive as long as one of the objects exists.
  func abandon(_ protocolClass: StubURLProtocol.Type, watching watched: WatchedObjects) {
    state.withLock { $0.abandoned.add(ObjectIdentifier(protocolClass), watching: watched) }
  }

  /// Keeps an abandoned run alive as long as the object exists too.
  func watch(_ object: AnyObject, for protocolClass: AnyClass) {
    // The object is compared and stored weakly; the caller keeps it meanwhile.
    nonisolated(unsafe) let object = object
    let kept = state.withLock { $0.abandoned.watch(object, for: ObjectIdentifier(protocolClass)) }
    withExtendedLifetime(kept) {}
  }

  /// How many classes were made so far.
  var madeCount: Int { state.withLock { $0.made } }
  /// How many of them have a responder.
  var answeredCount: Int { state.withLock { $0.responders.count } }
}

/// A separate `URLProtocol` class for every `Tag`.
///
/// Classes cannot be declared at run time on Linux, but generic ones are instantiated there. The number of a class is
/// spelled in binary as a type, so there is no limit to their number.
final class NumberedClass<Tag>: StubURLProtocol {}

extension NumberedClass where Tag == ClassNumber.End {
  /// The class with this number, 0 and up; the same number always gives the same class.
  static func number(_ number: Int) -> StubURLProtocol.Type {
    // A leading bit distinguishes 1, 01 and 001.
    spelled(ClassNumber.End.self, rest: number + 2)
  }

  private static func spelled<Digits>(_: Digits.Type, rest: Int) -> StubURLProtocol.Type {
    guard rest > 1 else { return NumberedClass<Digits>.self }
    return rest & 1 == 1
      ? spelled(ClassNumber.One<Digits>.self, rest: rest >> 1)
      : spelled(ClassNumber.Zero<Digits>.self, rest: rest >> 1)
  }
}

/// The digits of a class number.
enum ClassNumber {
  enum End {}
  enum Zero<Rest> {}
  enum One<Rest> {}
}
