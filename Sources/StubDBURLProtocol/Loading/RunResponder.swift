import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the protocol instances of one interceptor ask.
///
/// They keep it for as long as they live.
final class RunResponder: Sendable {
  let player: Player
  /// Where the sessions keep their cookies, kept by them; nil where each has its own that can be found.
  let cookieStorage: WeakCookieStorage
  /// What is known of the sessions that ask.
  let sessions = Locked(Sessions())
  private let heads = FoundationHeadCache()

  struct Sessions {
    /// Whether there may be sessions whose configuration others made.
    var areForeign = false
    /// Whether the run ends with the last of its sessions, since its interceptor is gone.
    var keepRun = false
  }

  init(_ player: Player, cookieStorage: HTTPCookieStorage?) {
    self.player = player
    self.cookieStorage = WeakCookieStorage(value: cookieStorage)
  }

  /// What the client of a protocol is told, for what is told to every front end.
  func clientEvent(_ event: ResponseEvent, for hop: RequestHop) -> ClientEvent {
    switch event {
    case .whole(let head, let content):
      guard let made = heads.head(head, url: hop.url) else { return Self.invalid(head, hop) }
      return ClientEvent.whole(made, content).redirected(for: hop)
    case .head(let head):
      return heads.head(head, url: hop.url).map(ClientEvent.response) ?? Self.invalid(head, hop)
    case .content(let content):
      return .content(content)
    case .finish:
      return .finish
    case .failure(let failure):
      return .failure(failure.foundationError(url: hop.url))
    }
  }

  private static func invalid(_ head: ResponseHead, _ hop: RequestHop) -> ClientEvent {
    .failure(RequestError.invalidResponse(status: head.status, url: hop.url))
  }
}

/// Where sessions keep their cookies, watched but not kept alive.
struct WeakCookieStorage: Sendable {
  // Safe to share: weak references are read atomically, and a storage may be used from any thread.
  nonisolated(unsafe) private(set) weak var value: HTTPCookieStorage?
}
