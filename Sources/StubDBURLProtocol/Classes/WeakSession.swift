import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session that is watched but not kept alive.
struct WeakSession: Sendable {
  // Safe to share: only ever compared with nil after the initializer.
  nonisolated(unsafe) private weak var session: URLSession?

  init(_ session: URLSession) {
    self.session = session
  }

  /// Whether the session no longer exists.
  var isGone: Bool { session == nil }
}
