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
