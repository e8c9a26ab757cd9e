/// Runs whose interceptors are gone without having ended them, and what may still ask them.
///
/// They are looked at in turn, a few at a time. Every operation costs the same however many there are.
struct AbandonedRuns: Sendable {
  /// What one look found.
  struct Look: Sendable {
    /// The classes of runs that nothing can ask any more; they are no longer among those here.
    var unreachable: [ObjectIdentifier] = []
    /// To be released where no lock is held.
    var kept = WatchedObjects.Kept()
    /// How many runs were looked at.
    var count = 0
  }

  private struct Run: Sendable {
    var watched: WatchedObjects
    /// Where its class stands in the order.
    var place: Int
  }

  private var runs: [ObjectIdentifier: Run] = [:]
  /// The classes of all of them.
  private var order: [ObjectIdentifier] = []
  /// The place of the one to be looked at next.
  private var next = 0

  mutating func add(_ protocolClass: ObjectIdentifier, watching watched: WatchedObjects) {
    remove(protocolClass)
    runs[protocolClass] = Run(watched: watched, place: order.count)
    order.append(protocolClass)
  }

  mutating func remove(_ protocolClass: ObjectIdentifier) {
    guard let place = runs.removeValue(forKey: protocolClass)?.place else { return }
    let last = order.removeLast()
    guard last != protocolClass else { return }
    order[place] = last
    runs[last]?.place = place
  }

  /// Watches an object for one of the runs; nothing happens where there is none of this class.
  mutating func watch(
    _ object: AnyObject, for protocolClass: ObjectIdentifier
  ) -> WatchedObjects.Kept {
    runs[protocolClass]?.watched.add(object) ?? WatchedObjects.Kept()
  }

  /// Looks at the next runs and takes out those that nothing can ask any more.
  mutating func look(atMost limit: Int) -> Look {
    var look = Look()
    for _ in 0..<min(limit, order.count) {
      if next >= order.count { next = 0 }
      let protocolClass = order[next]
      look.count += 1
      if runs[protocolClass]?.watched.areGone(keeping: &look.kept) == false {
        next += 1
      } else {
        look.unreachable.append(protocolClass)
        // Another one takes its place, and is looked at next.
        remove(protocolClass)
      }
    }
    return look
  }
}
