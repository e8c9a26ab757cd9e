/// Runs that were not ended by interceptors that are gone, with the objects that may still use them.
///
/// They are checked in turn, a few at a time, so that each operation costs the same however many there are.
struct AbandonedRuns: Sendable {
  /// The result of one check.
  struct Look: Sendable {
    /// The classes of runs that nothing can use any more, which were removed.
    var unreachable: [ObjectIdentifier] = []
    /// Objects to release without a lock held.
    var kept = WatchedObjects.Kept()
    /// How many runs were checked.
    var count = 0
  }

  private struct Run: Sendable {
    var watched: WatchedObjects
    /// The index of its class in the order.
    var place: Int
  }

  private var runs: [ObjectIdentifier: Run] = [:]
  /// The classes of all of them.
  private var order: [ObjectIdentifier] = []
  /// The index of the next one to check.
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

  /// Watches an object for a run; does nothing if there is no run of this class.
  mutating func watch(
    _ object: AnyObject, for protocolClass: ObjectIdentifier
  ) -> WatchedObjects.Kept {
    runs[protocolClass]?.watched.add(object) ?? WatchedObjects.Kept()
  }

  /// Checks the next runs and removes those that nothing can use any more.
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
        // Another one takes its place, and is checked next.
        remove(protocolClass)
      }
    }
    return look
  }
}
