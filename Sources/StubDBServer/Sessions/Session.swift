#if Server
import NIOCore
import StubDBEngine
import StubDBJSON
import StubDBModel
package import StubDBPlayback
import StubDBServing
import StubDBSupport

import struct Foundation.Date

/// A run with its own address.
///
/// Its clients share counters, flows, captured values and the journal, and nothing with those of other sessions.
package final class Session: Sendable {
  /// The most characters that the name of a session may have.
  static let longestName = 200

  /// What is played, and how.
  package struct Settings: Sendable {
    package var scenario: String
    /// The most overlays that clients may ask for.
    static let mostOverlays = 100

    /// Scenarios on top of it; the last one answers first.
    package var overlays: [String] = []
    package var pace = Pace.real
    package var seed: UInt64 = 0
    /// The status for requests that no stub answers.
    package var unmatchedStatus = 404
    /// Whether pages of other origins may read the answers.
    package var allowsOtherOrigins = true

    package init(scenario: String) {
      self.scenario = scenario
    }
  }

  private struct State {
    var settings: Settings
    var served: ServedScenario
    var lastUse = NIODeadline.now()
    /// The scenario without what clients have added.
    var base: LoadedScenario
    var added: [AddedStub] = []
    /// What compiles the stubs that were added since `served` was made; nil if there are none.
    var pending: SessionMaker?
    /// When stubs that had answered were changed or removed.
    var changes: [StubName: Date] = [:]
  }

  /// A stub by the scenario whose document contains it.
  fileprivate struct StubName: Hashable {
    let scenario: ScenarioName
    let key: String
  }

  /// What its addresses contain; `default` for the session of requests that name none.
  package let id: String
  /// What whoever made it calls it.
  package let name: String?
  /// Whether it stays however long no request comes.
  let isKept: Bool
  let feed: EventFeed
  private let state: Locked<State>
  /// Held while a later version of the scenario is made, which takes too long for the other lock.
  private let changes = Locked(())

  init(
    id: String, name: String?, isKept: Bool, _ settings: Settings, _ served: ServedScenario,
    _ feed: EventFeed
  ) {
    self.isKept = isKept
    self.feed = feed
    (self.id, self.name) = (id, name)
    state = Locked(
      State(settings: settings, served: served, base: served.player.run.scenario))
  }

  package var settings: Settings { state.withLock(\.settings) }
  /// What is played at present; compiles what was added since the last request.
  var served: ServedScenario {
    let (served, isSettled) = state.withLock { ($0.served, $0.pending == nil) }
    return isSettled ? served : settled()
  }
  /// The player of the run at present.
  package var player: Player { served.player }

  /// The scenario for a request that came now.
  func use() -> ServedScenario {
    let (served, isSettled) = state.withLock { state in
      state.lastUse = .now()
      return (state.served, state.pending == nil)
    }
    return isSettled ? served : settled()
  }

  /// Whether no request has come for a time.
  func isIdle(for time: TimeAmount) -> Bool {
    let lastUse = state.withLock(\.lastUse)
    return NIODeadline.now() - lastUse > time
  }

  /// Plays another scenario from now on, or the same in another way; the run before ends.
  func play(_ served: ServedScenario, _ settings: Settings) {
    let before = state.withLock { state in
      defer {
        (state.served, state.settings) = (served, settings)
        (state.base, state.added, state.pending) = (served.player.run.scenario, [], nil)
        state.changes = [:]
      }
      return state.served
    }
    before.player.end()
    feed.notify()
  }

  /// Changes in the same run what does not belong to a run: the status for unmatched requests, and whether pages of
  /// other origins may read the answers.
  func adopt(_ settings: Settings) {
    state.withLock { state in
      state.settings.unmatchedStatus = settings.unmatchedStatus
      state.settings.allowsOtherOrigins = settings.allowsOtherOrigins
      state.served = ServedScenario(
        state.served.player, origins: state.served.origins,
        unmatchedStatus: settings.unmatchedStatus,
        allowsOtherOrigins: settings.allowsOtherOrigins, run: state.served.run)
    }
  }

  /// Goes on with a later version of its scenario, where it is.
  ///
  /// Requests that are being decided are decided by the run before or by the new one.
  /// - Throws: `EngineError` if what clients have added cannot be played with it.
  func `continue`(
    with scenario: LoadedScenario, _ maker: SessionMaker
  ) throws(EngineError) {
    try change(maker, base: { $0 = scenario }, added: { $0 })
  }

  /// What clients have added, the newest first.
  var added: [AddedStub] { state.withLock(\.added) }

  /// Adds a stub, which answers before all others.
  ///
  /// All of them are compiled lazily, so that hundreds of stubs that are added one after
  /// another are not compiled again for each.
  /// - Throws: `EngineError` if the stub cannot be played.
  func add(_ stub: AddedStub, _ maker: SessionMaker) throws(EngineError) {
    let source = LoadedScenario.Source(origin: AddedStub.scenario, stub: stub.stub)
    _ = try LoadedScenario(name: AddedStub.scenario, stubs: [source])
    changes.withLock { _ in
      state.withLock { state in
        state.added.insert(stub, at: 0)
        state.pending = maker
      }
    }
  }

  /// Whether the next request has to wait until what was added is compiled.
  var isPending: Bool { state.withLock { $0.pending != nil } }

  /// Compiles what was added.
  private func settled() -> ServedScenario {
    if let maker = state.withLock(\.pending) {
      do throws(EngineError) {
        try change(maker, base: { _ in }, added: { $0 })
      } catch {
        // Each stub can be played alone, and none depends on others; the old ones go on.
        state.withLock { $0.pending = nil }
      }
    }
    return state.withLock(\.served)
  }

  /// Changes what clients have added.
  ///
  /// - Throws: `EngineError` if it cannot be played.
  func changeAdded(
    _ maker: SessionMaker, _ change: ([AddedStub]) -> [AddedStub]
  ) throws(EngineError) {
    try self.change(maker, base: { _ in }, added: change)
  }

  private func change(
    _ maker: SessionMaker, base change: (inout LoadedScenario) -> Void,
    added: ([AddedStub]) -> [AddedStub]
  ) throws(EngineError) {
    let failure: EngineError? = changes.withLock { _ in
      var (base, stubs) = state.withLock { ($0.base, $0.added) }
      change(&base)
      stubs = added(stubs)
      do throws(EngineError) {
        let scenario =
          stubs.isEmpty ? base : try base.adding(stubs.map(\.stub), named: AddedStub.scenario)
        let origins = maker.origins(of: scenario)
        let changed = changed(state.withLock(\.served).player.run, in: scenario)
        state.withLock { state in
          for name in changed { state.changes[name] = .now }
          let player = Player(continuing: state.served.player, with: scenario)
          state.served = ServedScenario(
            player, origins: origins, unmatchedStatus: state.served.unmatchedStatus,
            allowsOtherOrigins: state.served.allowsOtherOrigins, run: state.served.run)
          (state.base, state.added, state.pending) = (base, stubs, nil)
        }
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  /// When the stub that answered was changed or removed last, if that was after the request; nil if it is the same.
  func change(ofStubOf event: ServeEvent) -> Date? {
    guard let scenario = event.scenario, let key = event.stubKey else { return nil }
    let change = state.withLock { $0.changes[StubName(scenario: scenario, key: key)] }
    return change.flatMap { $0 > event.arrival ? $0 : nil }
  }

  /// The stubs that have answered and are not the same in a later version of the scenario.
  private func changed(_ run: ScenarioRun, in scenario: LoadedScenario) -> [StubName] {
    let used = run.stubUses.filter { $0.answerCount > 0 }.map(\.source)
    guard !used.isEmpty else { return [] }
    let names = Set(used.map(StubName.init(of:)))
    let now = Set(scenario.sources.filter { names.contains(StubName(of: $0)) })
    return used.filter { !now.contains($0) }.map(StubName.init(of:))
  }

  func end() {
    player.end()
    feed.notify()
  }
}

extension Session.StubName {
  fileprivate init(of source: LoadedScenario.Source) {
    self.init(scenario: source.origin, key: source.stub.key.rawValue)
  }
}

/// A stub that a client of WireMock's API has added to a session, which is in no catalog.
struct AddedStub: Sendable {
  /// The scenario that the journal names for such stubs.
  static let scenario = ScenarioName(unchecked: "wiremock/mappings")

  let id: String
  /// The mapping as the client gets it back.
  let mapping: JSONObject
  let stub: Stub
}
#endif
