import Foundation
import StubDBEngine
import StubDBPlayback
import StubDBSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The run and the player of an interceptor, as its protocol instances use them.
///
/// They keep it as long as they live.
final class RunResponder: Sendable {
  let player: Player
  /// The cookie storage of the sessions, which they keep; nil if each session has its own that can be found.
  let cookieStorage: WeakCookieStorage
  /// Facts about the sessions.
  let sessions = Locked(Sessions())
  /// Records what the network answers; nil if nothing is recorded.
  let recorder: (any RunTap)?
  /// The header fields of requests.
  let fields = RequestFields()
  private let heads = FoundationHeadCache.shared

  struct Sessions {
    /// Whether there may be sessions with configurations that others made.
    var areForeign = false
    /// Whether the run ends with the last of its sessions, since its interceptor is gone.
    var keepRun = false
  }

  init(_ player: Player, cookieStorage: HTTPCookieStorage?, recorder: (any RunTap)? = nil) {
    self.player = player
    self.recorder = recorder
    self.cookieStorage = WeakCookieStorage(value: cookieStorage)
  }

  /// The event for the client of a protocol, made of an event for any front end.
  func clientEvent(_ event: ResponseEvent, for hop: RequestHop) -> ClientEvent {
    switch event {
    case .whole(let head, let content):
      guard let made = heads.head(head, url: hop.url, key: hop.stubRequest.url) else {
        return Self.invalid(head, hop)
      }
      return ClientEvent.whole(made, content).redirected(for: hop)
    case .head(let head):
      return heads.head(head, url: hop.url, key: hop.stubRequest.url).map(ClientEvent.response)
        ?? Self.invalid(head, hop)
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

/// A weak reference to the cookie storage of sessions.
struct WeakCookieStorage: Sendable {
  // Safe to share: weak references are read atomically, and a storage may be used from any thread.
  nonisolated(unsafe) private(set) weak var value: HTTPCookieStorage?
}

/// A protocol instance as the front end of an exchange.
struct LoaderSink: ResponseSink {
  let loader: WeakLoader
  let task: WeakTask

  func tell(_ event: ResponseEvent) {
    loader.value?.receive(event)
  }

  func sendToNetwork() -> (any Cancellable)? {
    guard let loader = loader.value else { return NothingToCancel() }
    return loader.sendToNetwork()
  }

  /// Cancels the task; its client is notified even if it is suspended.
  ///
  /// On another thread, because this may run on the queue that `cancel()` waits for: the last reference to an
  /// interceptor can be in a completion handler.
  func runEnded() {
    DispatchQueue.global().async { [task] in task.cancel() }
  }
}

/// A weak reference to a protocol instance, which is gone once its task is.
struct WeakLoader: Sendable {
  // Safe to share: weak references are read atomically, and calls from other threads only use the instance's lock box,
  // its constants and its platform's way back to the client's thread.
  nonisolated(unsafe) private(set) weak var value: StubURLProtocol?

  init(_ value: StubURLProtocol) {
    self.value = value
  }
}

/// A weak reference to a task.
struct WeakTask: Sendable {
  // Safe to share: weak references are read atomically, and tasks may be cancelled from any thread.
  nonisolated(unsafe) private weak var task: URLSessionTask?

  init(_ task: URLSessionTask?) {
    self.task = task
  }

  func cancel() {
    task?.cancel()
  }
}
