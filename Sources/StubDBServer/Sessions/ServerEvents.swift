#if Server
import StubDBJSON
import StubDBSupport

/// What happens in all sessions and to the catalog, in order, for those who follow the whole server.
///
/// Requests are recorded from the first follower on, so that they cost nothing without one. The last ones are kept, so
/// that a follower whose connection broke goes on where it was.
final class ServerEvents: Sendable {
  enum Event: Sendable {
    /// An entry of a session's journal, by the run that it belongs to.
    case request(session: String, run: Int, number: Int)
    /// A session begins anew.
    case run(session: String)
  }

  struct Page {
    var events: [(number: Int, event: Event)] = []
    /// The number after which the next page begins.
    var last: Int
    /// The number of requested events that were already dropped.
    var missing: Int
  }

  /// The largest number of events that are kept.
  private static let most = 10_000
  /// How many of the last changes of the catalog are kept for those who follow.
  private static let mostChanges = 100

  private struct State {
    var isFollowed = false
    var events: [Event] = []
    /// The number of the event before the first one in `events`.
    var offset = 0
    var changes: [String] = []
    var changeOffset = 0
  }

  private let state = Locked(State())
  /// Tells those who follow the whole server.
  let feed = EventFeed()

  /// The number of the last event; recording begins with the first call.
  func begin() -> Int {
    state.withLock { state in
      state.isFollowed = true
      return state.offset + state.events.count
    }
  }

  /// Adds an event; the caller notifies the followers.
  func add(_ event: Event) {
    state.withLock { state in
      guard state.isFollowed else { return }
      state.events.append(event)
      if state.events.count >= 2 * Self.most {
        state.offset += Self.most
        state.events.removeFirst(Self.most)
      }
    }
  }

  /// The events after a number.
  func page(after number: Int, limit: Int) -> Page {
    state.withLock { state in
      let begin = max(state.offset, min(number, state.offset + state.events.count))
      var page = Page(last: begin, missing: max(0, begin - number))
      for event in state.events[(begin - state.offset)...].prefix(limit) {
        page.last += 1
        page.events.append((page.last, event))
      }
      return page
    }
  }

  // MARK: The catalog

  /// The number of changes of the catalog so far.
  var changeCount: Int { state.withLock { $0.changeOffset + $0.changes.count } }

  /// Says that the catalog was read again, or why that was not possible.
  func catalogChanged(problems: [String]) {
    let result = problems.isEmpty ? "reloaded" : "failed"
    let value = JSONValue.object([
      "result": .string(result), "problems": .array(problems.map(JSONValue.string)),
    ])
    state.withLock { state in
      state.changes.append(value.canonicalText)
      guard state.changes.count > Self.mostChanges else { return }
      state.changes.removeFirst()
      state.changeOffset += 1
    }
    feed.notify()
  }

  /// The changes of the catalog after the first ones, as JSON.
  func changes(after count: Int) -> [String] {
    state.withLock { state in
      Array(state.changes.dropFirst(max(0, count - state.changeOffset)))
    }
  }
}
#endif
