/// Objects that are watched but not kept alive.
///
/// To look at one is to keep it for a moment, and whoever then lets go of it last frees it, with all that it owns. What was
/// looked at is therefore handed out, to be released where no lock is held: a delegate of a session may own the
/// interceptor whose end takes the same lock.
struct WatchedObjects: Sendable {
  private struct Watched: Sendable {
    // Safe to share: weak references are read atomically, and the object is only compared.
    nonisolated(unsafe) weak var object: AnyObject?
  }

  /// Objects that were looked at, kept so that a lock is not held when they are released.
  struct Kept: Sendable {
    // Safe to share: nothing is done with the objects but to release them, which any thread may.
    nonisolated(unsafe) fileprivate(set) var objects: [AnyObject] = []
  }

  private static let fewest = 16

  private var objects: [ObjectIdentifier: Watched] = [:]
  /// How many there may be until those that are gone are taken out.
  private var limit = fewest

  /// Watches the object too; nothing happens where it is watched already.
  mutating func add(_ object: AnyObject) -> Kept {
    var kept = Kept()
    let identifier = ObjectIdentifier(object)
    // What was there before may be gone, and its address be used again. The caller keeps the object, so this frees nothing.
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

  /// Whether none of them exists any more; the first that does is added to what is kept.
  func areGone(keeping kept: inout Kept) -> Bool {
    for watched in objects.values {
      guard let object = watched.object else { continue }
      kept.objects.append(object)
      return false
    }
    return true
  }
}
