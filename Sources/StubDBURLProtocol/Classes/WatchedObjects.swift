/// Objects that are watched but not kept alive.
struct WatchedObjects: Sendable {
  private struct Watched: Sendable {
    // Safe to share: weak references are read atomically, and the object is only compared.
    nonisolated(unsafe) weak var object: AnyObject?
  }

  private static let fewest = 16

  private var objects: [Watched] = []
  /// How many there may be until those that are gone are taken out.
  private var limit = fewest

  /// Watches the object too; nothing happens where it is watched already.
  mutating func add(_ object: AnyObject) {
    guard !objects.contains(where: { $0.object === object }) else { return }
    if objects.count >= limit {
      objects.removeAll { $0.object == nil }
      limit = max(Self.fewest, 2 * objects.count)
    }
    objects.append(Watched(object: object))
  }

  /// Whether none of them exists any more.
  var areGone: Bool { objects.allSatisfy { $0.object == nil } }
}
