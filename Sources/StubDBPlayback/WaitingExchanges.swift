import StubDBSupport

/// The requests that wait for their answers, of a player and of those that continue it one after the other.
///
/// In one place, because an exchange that began with one player ends while a later one plays.
final class WaitingExchanges: Sendable {
  /// A weak reference to an exchange, which its front end keeps alive.
  private struct WeakExchange: Sendable {
    weak var value: Exchange?
  }

  private struct State {
    var isEnded = false
    var exchanges: [ObjectIdentifier: WeakExchange] = [:]
  }

  private let state = Locked(State())

  /// Whether the run has ended.
  var isEnded: Bool { state.withLock(\.isEnded) }

  /// The number of requests.
  var count: Int { state.withLock(\.exchanges.count) }

  /// Adds a request; false once the run has ended.
  func add(_ exchange: Exchange) -> Bool {
    state.withLock { state in
      guard !state.isEnded else { return false }
      state.exchanges[ObjectIdentifier(exchange)] = WeakExchange(value: exchange)
      return true
    }
  }

  func remove(_ exchange: ObjectIdentifier) {
    state.withLock { _ = $0.exchanges.removeValue(forKey: exchange) }
  }

  /// Ends the run, and returns the requests that wait.
  func end() -> [Exchange] {
    state.withLock { state in
      state.isEnded = true
      return state.exchanges.values.compactMap(\.value)
    }
  }
}
