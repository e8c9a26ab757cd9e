#if Server
import NIOCore
import StubDBEngine
package import StubDBPlayback
import StubDBSupport

/// A run with an address of its own.
///
/// Its clients share counters, flows, captured values and the journal, and nothing with those of other sessions.
package final class Session: Sendable {
  /// What is played, and how.
  package struct Settings: Sendable {
    /// The name of the scenario.
    package var scenario: String
    /// Scenarios on top of it; the last one answers first.
    package var overlays: [String] = []
    package var pace = Pace.real
    package var seed: UInt64 = 0
    /// The status for requests that no stub answers.
    package var unmatchedStatus = 404

    package init(scenario: String) {
      self.scenario = scenario
    }
  }

  private struct State {
    var settings: Settings
    var served: ServedScenario
    var lastUse = NIODeadline.now()
  }

  /// What its addresses contain; `default` for the session of requests that name none.
  package let id: String
  /// What whoever made it calls it.
  package let name: String?
  /// Whether it stays however long no request comes.
  let isKept: Bool
  let feed: EventFeed
  private let state: Locked<State>

  init(
    id: String, name: String?, isKept: Bool, _ settings: Settings, _ served: ServedScenario,
    _ feed: EventFeed
  ) {
    self.isKept = isKept
    self.feed = feed
    (self.id, self.name) = (id, name)
    state = Locked(State(settings: settings, served: served))
  }

  package var settings: Settings { state.withLock(\.settings) }
  var served: ServedScenario { state.withLock(\.served) }
  /// The player of the run at present.
  package var player: Player { served.player }

  /// The scenario for a request that came now.
  func use() -> ServedScenario {
    state.withLock { state in
      state.lastUse = .now()
      return state.served
    }
  }

  /// Whether no request has come for a time.
  func isIdle(for time: TimeAmount) -> Bool {
    let lastUse = state.withLock(\.lastUse)
    return NIODeadline.now() - lastUse > time
  }

  /// Plays another scenario from now on, or the same in another way; the run before ends.
  func play(_ served: ServedScenario, _ settings: Settings) {
    let before = state.withLock { state in
      defer { (state.served, state.settings) = (served, settings) }
      return state.served
    }
    before.player.end()
    feed.notify()
  }

  /// Goes on with a later version of its scenario, where it is.
  ///
  /// Requests that are being decided are decided by the run before or by the new one.
  func `continue`(with scenario: LoadedScenario, _ origins: OriginMap) {
    state.withLock { state in
      let player = Player(continuing: state.served.player, with: scenario)
      state.served = ServedScenario(
        player, origins: origins, unmatchedStatus: state.served.unmatchedStatus)
    }
  }

  func end() {
    player.end()
    feed.notify()
  }
}
#endif
