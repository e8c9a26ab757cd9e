#if Server
import StubDBSupport

/// Tells those who follow a journal that it has grown.
final class EventFeed: Sendable {
  private struct State {
    var followers: [Int: @Sendable () -> Void] = [:]
    var number = 0
  }

  private let state = Locked(State())

  /// Calls the closure after each change, on any thread; it must not wait.
  func follow(_ changed: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.number += 1
      state.followers[state.number] = changed
      return state.number
    }
  }

  func stop(_ number: Int) {
    state.withLock { $0.followers[number] = nil }
  }

  func notify() {
    let followers = state.withLock { $0.followers.isEmpty ? nil : Array($0.followers.values) }
    for follower in followers ?? [] { follower() }
  }
}
#endif
