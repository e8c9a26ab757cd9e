#if Server
import Foundation
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBPlayback
import StubDBServing
import StubDBSupport

/// The entries of one journal or of all as server-sent events, for one client.
///
/// It looks at what is new when there is something and the client has read what came before, so that a client that
/// does not read costs nothing. Dropped events are reported as a gap. A request whose answer takes time is reported
/// when it comes, and once more when the answer is over.
///
/// https://html.spec.whatwg.org/multipage/server-sent-events.html
final class EventStream: Sendable {
  /// How many entries are written at once.
  private static let batch = 100
  /// Of how many requests the end of the answer is waited for.
  private static let mostOpen = 500

  /// A request that was sent before its answer was complete.
  private struct OpenRequest {
    var session: String
    var run: Int
    var number: Int
  }

  private struct State {
    var after: Int
    /// The run of the session that is followed.
    var run: Int
    /// The number of catalog changes that were sent.
    var changes: Int
    var open: [OpenRequest] = []
    var followers: [(feed: EventFeed, number: Int)] = []
    /// Whether the follower was notified, and has not read yet.
    var isTold = false
  }

  private let sessions: SessionTable
  /// The session that is followed; nil for all.
  private let session: Session?
  private let state: Locked<State>

  /// Begins after an event; nil for the newest one.
  ///
  /// A number that no event has yet belongs to a run before, or to a server before: everything is new then.
  init(_ sessions: SessionTable, _ session: Session?, after: Int?) {
    (self.sessions, self.session) = (sessions, session)
    let last = session?.player.run.lastNumber ?? sessions.events.begin()
    let after = after ?? last
    let run = session?.served.run ?? 0
    state = Locked(
      State(
        after: after > last ? 0 : after, run: after > last ? -1 : run,
        changes: sessions.events.changeCount))
  }

  deinit {
    end()
  }

  /// Calls the closure when there may be something new; it must not wait.
  func follow(_ changed: @escaping @Sendable () -> Void) {
    let feeds = [sessions.events.feed, session?.feed].compactMap(\.self)
    let followers = feeds.map { feed in
      let number = feed.follow { [weak self] in
        guard let self else { return }
        let isNew = state.withLock { state in
          defer { state.isTold = true }
          return !state.isTold
        }
        if isNew { changed() }
      }
      return (feed, number)
    }
    state.withLock { $0.followers = followers }
  }

  func end() {
    let followers = state.withLock { state in
      defer { state.followers = [] }
      return state.followers
    }
    for (feed, number) in followers { feed.stop(number) }
  }

  /// Whether no more events come.
  var isOver: Bool { session?.player.isEnded ?? sessions.hasEnded }

  /// The bytes of the next events; nil if there are none at present.
  func next() -> Data? {
    let known = state.withLock { state in
      state.isTold = false
      return state
    }
    let changes = sessions.events.changes(after: known.changes)
    var text = changes.map { "event: catalog\ndata: \($0)\n\n" }.joined()
    var next = known
    next.changes += changes.count
    text += answers(&next)
    if let session {
      text += entries(of: session, known, &next)
    } else {
      text += entriesOfAll(known, &next)
    }
    next.open = next.open.suffix(Self.mostOpen)
    state.withLock {
      ($0.after, $0.run, $0.changes, $0.open) = (next.after, next.run, next.changes, next.open)
    }
    return text.isEmpty ? nil : Data(text.utf8)
  }

  private func entries(of session: Session, _ known: State, _ next: inout State) -> String {
    let served = session.served
    var text = ""
    if known.run != served.run {
      (next.run, next.after) = (served.run, 0)
      text += Self.run(session.id)
    }
    let page = served.player.run.journal(after: next.after, limit: Self.batch)
    next.after = page.last
    text += Self.gap(page.missing)
    for (event, duration) in zip(page.entries, page.durations) {
      text += Self.entry(event, duration, id: event.number, session.id)
      if duration == nil {
        next.open.append(
          OpenRequest(session: session.id, run: served.run, number: event.number))
      }
    }
    return text
  }

  /// The answers that have ended since their requests were sent.
  private func answers(_ next: inout State) -> String {
    var text = ""
    next.open.removeAll { open in
      guard let served = sessions[open.session]?.served, served.run == open.run,
        let entry = served.player.run.journalEntry(open.number)
      else { return true }
      guard let duration = served.player.run.duration(ofEntry: open.number) else { return false }
      text += Self.entry(entry, duration, id: nil, open.session)
      return true
    }
    return text
  }

  private func entriesOfAll(_ known: State, _ next: inout State) -> String {
    var text = ""
    if known.run < 0 {
      next.run = 0
      text += Self.run(nil)
    }
    let page = sessions.events.page(after: known.after, limit: Self.batch)
    next.after = page.last
    var missing = page.missing
    var entries = ""
    for (number, event) in page.events {
      switch event {
      case .run(let session): entries += "id: \(number)\n" + Self.run(session)
      case .request(let id, let run, let own):
        let served = sessions[id]?.served
        if let served, served.run == run, let entry = served.player.run.journalEntry(own) {
          let duration = served.player.run.duration(ofEntry: own)
          entries += Self.entry(entry, duration, id: number, id)
          if duration == nil { next.open.append(OpenRequest(session: id, run: run, number: own)) }
        } else {
          missing += 1
        }
      }
    }
    return text + Self.gap(missing) + entries
  }

  private static func run(_ session: String?) -> String {
    let value: JSONObject = session.map { ["session": .string($0)] } ?? [:]
    return "event: run\ndata: \(JSONValue.object(value).canonicalText)\n\n"
  }

  private static func gap(_ missing: Int) -> String {
    missing > 0 ? "event: gap\ndata: {\"dropped\":\(missing)}\n\n" : ""
  }

  /// A request, or the end of its answer if there is no number: that is no event of its own to begin after.
  private static func entry(
    _ event: ServeEvent, _ duration: Duration?, id number: Int?, _ session: String
  ) -> String {
    guard case .object(var members) = event.json(duration: duration).jsonValue else { return "" }
    members["session"] = .string(session)
    let data = JSONValue.object(members).canonicalText
    guard let number else { return "event: answer\ndata: \(data)\n\n" }
    return "id: \(number)\nevent: request\ndata: \(data)\n\n"
  }

  /// A comment, which keeps the connection alive for proxies and clients.
  static let ping = Data(": ping\n\n".utf8)
}
#endif
