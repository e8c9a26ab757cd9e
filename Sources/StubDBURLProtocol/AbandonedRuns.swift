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

/// Weak references to objects.
///
/// Checking an object retains it for a moment, and if it is released last here, it is freed here with all that it owns.
/// Checked objects are therefore returned, to be released without a lock held: a delegate of a session may own the
/// interceptor, whose end takes the same lock.
struct WatchedObjects: Sendable {
  private struct Watched: Sendable {
    // Safe to share: weak references are read atomically, and the object is only compared.
    nonisolated(unsafe) weak var object: AnyObject?
  }

  /// Objects that were checked, retained so that they are not released with a lock held.
  struct Kept: Sendable {
    // Safe to share: the objects are only released, which any thread may do.
    nonisolated(unsafe) fileprivate(set) var objects: [AnyObject] = []
  }

  private static let fewest = 16

  private var objects: [ObjectIdentifier: Watched] = [:]
  /// How many references there may be before dead ones are removed.
  private var limit = fewest

  /// Watches the object too; does nothing if it is watched already.
  mutating func add(_ object: AnyObject) -> Kept {
    var kept = Kept()
    let identifier = ObjectIdentifier(object)
    // An earlier object may be gone and its address reused. The caller keeps the object, so this frees nothing.
    if objects[identifier]?.object === object { return kept }
    if objects.count >= limit {
      objects = objects.filter { _, watched in
        guard let object = watched.object else { return false }
        kept.objects.append(object)
        return true
      }
      limit = max(Self.fewest, 2 * objects.count)
    }
    objects[identifier] = Watched(object: object)
    return kept
  }

  /// Whether none of them exists any more; the first that exists is added to the retained ones.
  func areGone(keeping kept: inout Kept) -> Bool {
    for watched in objects.values {
      guard let object = watched.object else { continue }
      kept.objects.append(object)
      return false
    }
    return true
  }
}
