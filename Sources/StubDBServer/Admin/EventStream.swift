#if Server
import Foundation
import StubDBEngine
import StubDBJSON
import StubDBPlayback
import StubDBSupport

/// The entries of a journal as server-sent events, for one client.
///
/// It looks at the journal when there is something new and the client has read what came before, so that a client that
/// does not read costs nothing. What the journal has dropped meanwhile is told as a gap.
///
/// https://html.spec.whatwg.org/multipage/server-sent-events.html
final class EventStream: Sendable {
  /// How many entries are written at once.
  private static let batch = 100

  private struct State {
    var after: Int
    var run: ObjectIdentifier
    var follower: Int?
    /// Whether the follower was told of something new, and has not looked yet.
    var isTold = false
  }

  private let session: Session
  private let state: Locked<State>

  init(_ session: Session, after: Int) {
    self.session = session
    state = Locked(State(after: after, run: ObjectIdentifier(session.player.run)))
  }

  deinit {
    end()
  }

  /// Calls the closure when there may be something new; it must not wait.
  func follow(_ changed: @escaping @Sendable () -> Void) {
    let number = session.feed.follow { [weak self] in
      guard let self else { return }
      let isNew = state.withLock { state in
        defer { state.isTold = true }
        return !state.isTold
      }
      if isNew { changed() }
    }
    state.withLock { $0.follower = number }
  }

  func end() {
    let follower = state.withLock { state in
      defer { state.follower = nil }
      return state.follower
    }
    if let follower { session.feed.stop(follower) }
  }

  /// Whether no more events come.
  var isOver: Bool { session.player.isEnded }

  /// The bytes of the next events; nil if there are none at present.
  func next() -> Data? {
    let run = session.player.run
    let (after, isNew) = state.withLock { state in
      state.isTold = false
      let isNew = state.run != ObjectIdentifier(run)
      if isNew { (state.run, state.after) = (ObjectIdentifier(run), 0) }
      return (state.after, isNew)
    }
    let page = run.journal(after: after, limit: Self.batch)
    state.withLock { $0.after = page.last }
    var text = isNew ? "event: run\ndata: {}\n\n" : ""
    if page.missing > 0 { text += "event: gap\ndata: {\"dropped\":\(page.missing)}\n\n" }
    for event in page.entries {
      text += "id: \(event.number)\nevent: request\ndata: \(event.json.jsonValue.canonicalText)\n\n"
    }
    return text.isEmpty ? nil : Data(text.utf8)
  }

  /// A comment, which tells proxies and clients that the connection lives.
  static let ping = Data(": ping\n\n".utf8)
}
#endif
