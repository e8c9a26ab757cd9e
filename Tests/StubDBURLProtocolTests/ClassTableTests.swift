import Dispatch
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBSupport
import Testing

@testable import StubDBURLProtocol

/// Runs that are not ended explicitly.
@Suite struct ClassTableTests {
  private final class Witness: Sendable {}

  private func classes(_ count: Int) -> [ObjectIdentifier] {
    (0..<count).map { ObjectIdentifier(NumberedClass.number($0)) }
  }

  private func watching(_ object: AnyObject) -> WatchedObjects {
    var watched = WatchedObjects()
    _ = watched.add(object)
    return watched
  }

  @Test func abandonedRunsAreLookedAtInTurnAFewAtATime() {
    let (classes, kept) = (classes(1_000), Witness())
    var runs = AbandonedRuns()
    for (index, protocolClass) in classes.enumerated() {
      // Every tenth can still be used.
      runs.add(protocolClass, watching: index % 10 == 0 ? watching(kept) : WatchedObjects())
    }
    var found: [ObjectIdentifier] = []
    for _ in 0..<125 {
      let look = runs.look(atMost: 8)
      #expect(look.count == 8)
      found += look.unreachable
    }
    let wanted = Set(classes.enumerated().filter { $0.offset % 10 != 0 }.map(\.element))
    #expect(found.count == wanted.count && Set(found) == wanted)
    #expect(runs.look(atMost: 1_000).count == 100)
  }

  @Test func anAbandonedRunCanBeWatchedForMoreAndTakenAway() {
    let (classes, kept) = (classes(20), Witness())
    var runs = AbandonedRuns()
    for protocolClass in classes { runs.add(protocolClass, watching: WatchedObjects()) }
    for index in [0, 7, 19] { _ = runs.watch(kept, for: classes[index]) }
    for index in [0, 3, 19] { runs.remove(classes[index]) }
    runs.remove(classes[3])
    #expect(runs.watch(kept, for: classes[3]).objects.isEmpty)
    let look = runs.look(atMost: 100)
    #expect(look.count == 17)
    #expect(Set(look.unreachable) == Set(classes).subtracting([0, 3, 7, 19].map { classes[$0] }))
    #expect(runs.look(atMost: 100).count == 1)
    withExtendedLifetime(kept) {}
  }

  @Test func manyObjectsAreWatchedAndThoseThatAreGoneAreForgotten() {
    var watched = WatchedObjects()
    var kept = WatchedObjects.Kept()
    let witness = Witness()
    for _ in 0..<1_000 {
      let other = Witness()
      _ = watched.add(other)
      _ = watched.add(witness)
    }
    #expect(!watched.areGone(keeping: &kept))
    #expect(kept.objects.count == 1 && kept.objects.first === witness)
    var others = WatchedObjects()
    do {
      let other = Witness()
      _ = others.add(other)
    }
    #expect(others.areGone(keeping: &kept))
  }

  /// Ends a run by releasing its last reference, as a session's delegate does if it owns an interceptor.
  private final class Owner: Sendable {
    private let table: ClassTable
    private let protocolClass: StubURLProtocol.Type

    init(_ table: ClassTable, _ protocolClass: StubURLProtocol.Type) {
      self.table = table
      self.protocolClass = protocolClass
    }

    deinit { table.end(protocolClass) }
  }

  @Test func whatIsLetGoOfWhileItIsLookedAtIsFreedWithoutTheLock() throws {
    let table = ClassTable()
    let responder = RunResponder(
      Player(try answering(StubResponse()), options: PlaybackOptions()), cookieStorage: nil)
    for _ in 0..<5_000 {
      let protocolClass = table.makeClass(for: responder)
      let owner = Locked<Owner?>(Owner(table, table.makeClass(for: responder)))
      if let owner = owner.withLock({ $0 }) {
        table.abandon(protocolClass, watching: watching(owner))
      }
      DispatchQueue.concurrentPerform(iterations: 2) { side in
        if side == 0 {
          for _ in 0..<20 { table.endUnreachable() }
        } else {
          let last = owner.withLock { owner in
            defer { owner = nil }
            return owner
          }
          withExtendedLifetime(last) {}
        }
      }
      table.end(protocolClass)
    }
    #expect(table.answeredCount == 0)
  }
}
