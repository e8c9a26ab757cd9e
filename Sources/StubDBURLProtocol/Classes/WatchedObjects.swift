import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session that is watched but not kept alive, and with it those whose configuration was copied from its own.
struct WeakSession: Sendable {
  // Safe to share: only ever compared with nil after the initializer.
  nonisolated(unsafe) private weak var session: URLSession?
  /// Copies of the configuration name the class too, and hold the same storage.
  nonisolated(unsafe) private weak var cookieStorage: HTTPCookieStorage?

  init(_ session: URLSession) {
    self.session = session
    cookieStorage = session.configuration.httpCookieStorage
  }

  /// Whether neither the session nor a copy of its configuration exists any more.
  var isGone: Bool { session == nil && cookieStorage == nil }
}
