#if Server
import NIOCore
package import StubDBCatalog
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServing
import StubDBSupport

/// The sessions of a server: the one of requests that name none, and those that were made.
package final class SessionTable: Sendable {
  /// More sessions than tests run at once, so that a client that never ends its sessions is noticed.
  package static let mostSessions = 1_000
  /// How long a session is kept without a request.
  static let idleTime = TimeAmount.hours(1)

  /// The catalog that scenarios are loaded from; nil if there is only the one that was given.
  package let catalog: Catalog?
  private let given: LoadedScenario?
  let maker: SessionMaker
  /// What sessions are called.
  let ids: SessionIDs
  /// What happens in all sessions, and to the catalog.
  let events = ServerEvents()
  /// Whether the server ends.
  var hasEnded: Bool { ended.withLock { $0 } }
  private let ended = Locked(false)
  private let made = Locked<[String: Session]>([:])
  /// Serializes reloads, so that no session keeps an outdated catalog.
  private let loading = Locked(())
  /// The session of requests that name none; nil if the server was started without a scenario.
  let usual: Session?

  init(
    catalog: Catalog?, given: LoadedScenario?, playing: PlaybackOptions, rules: [OriginMap.Rule],
    options: ServerOptions, callbackSender: (any CallbackSender)? = nil
  ) {
    (self.catalog, self.given) = (catalog, given)
    ids = SessionIDs(replica: options.replica)
    maker = SessionMaker(
      playing: playing, rules: rules, options: options, events: events,
      callbackSender: callbackSender)
    guard let given else {
      usual = nil
      return
    }
    var settings = maker.settings(of: given.name.rawValue)
    settings.overlays = playing.overlays
    usual = maker.session("default", nil, isKept: true, given, settings)
  }

  /// The sessions in no order, that of requests that name none first.
  package var all: [Session] {
    (usual.map { [$0] } ?? []) + made.withLock { Array($0.values) }
  }

  /// The session with an id, or nil.
  package subscript(id: String) -> Session? {
    if let usual, id == usual.id { return usual }
    return made.withLock { $0[id] }
  }

  /// Makes a session, and forgets those that were idle for long.
  ///
  /// Reads the catalog.
  /// - Throws: `CatalogError`, or an ``AdminProblem`` if there are too many sessions.
  package func make(
    _ settings: Session.Settings, name: String?, isKept: Bool = false
  ) throws -> Session {
    endIdle()
    let (session, hasRoom) = try loading.withLock { _ in
      let scenario = try load(settings)
      let session = maker.session(ids.next(), name, isKept: isKept, scenario, settings)
      let hasRoom = made.withLock { made in
        guard made.count < Self.mostSessions else { return false }
        made[session.id] = session
        return true
      }
      return (session, hasRoom)
    }
    guard hasRoom else {
      session.end()
      throw AdminProblem(
        503, "too-many-sessions", "Too many sessions",
        "There are \(Self.mostSessions) sessions; end those that are no longer needed with DELETE.")
    }
    return session
  }

  /// Plays other settings in a session from now on, in a new run.
  package func play(_ settings: Session.Settings, in session: Session) throws {
    try loading.withLock { _ in
      let scenario = try load(settings)
      events.add(.run(session: session.id))
      events.feed.notify()
      session.play(maker.served(scenario, settings, session.id, session.feed), settings)
    }
  }

  /// Reloads all sessions from the catalog as it is now.
  ///
  /// - Returns: What could not be loaded, a sentence for each scenario; its sessions go on as they are.
  func reload() -> [String] {
    loading.withLock { _ in reloaded() }
  }

  private func reloaded() -> [String] {
    guard let catalog else { return [] }
    var problems: [String] = []
    // Sessions of one scenario share what is loaded, and the connection to the file that it may need.
    let groups = Dictionary(grouping: all) { session in
      let settings = session.settings
      return [settings.scenario] + settings.overlays
    }
    for (names, sessions) in groups.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      do throws(CatalogError) {
        let scenario = try catalog.load(names[0], overlays: Array(names.dropFirst()))
        problems += sessions.compactMap { goOn($0, with: scenario) }
      } catch {
        problems.append("\(names[0]) is played as it was before: \(error.message)")
      }
    }
    return Set(problems).sorted()
  }

  private func goOn(_ session: Session, with scenario: LoadedScenario) -> String? {
    do throws(EngineError) {
      try session.continue(with: scenario, maker)
      return nil
    } catch {
      return "\(scenario.name) is played as it was before: \(error.message)"
    }
  }

  /// Ends a session that was made; false for others, and for those of ports.
  package func end(_ id: String) -> Bool {
    let session = made.withLock { made in
      made[id]?.isKept == false ? made.removeValue(forKey: id) : nil
    }
    guard let session else { return false }
    session.end()
    return true
  }

  func endAll() {
    ended.withLock { $0 = true }
    events.feed.notify()
    for session in all { session.end() }
  }

  private func endIdle() {
    for session in made.withLock({ Array($0.values) })
    where !session.isKept && session.isIdle(for: Self.idleTime) {
      _ = end(session.id)
    }
  }

  private func load(_ settings: Session.Settings) throws -> LoadedScenario {
    if let catalog { return try catalog.load(settings.scenario, overlays: settings.overlays) }
    guard let given, given.name.rawValue == settings.scenario, settings.overlays.isEmpty else {
      throw AdminProblem(
        404, "no-such-scenario", "No such scenario",
        "This server plays one scenario without a catalog; it cannot load another one.")
    }
    return given
  }
}
#endif
