#if Server
import StubDBEngine
import StubDBPlayback

/// Makes sessions, and what they play.
struct SessionMaker: Sendable {
  /// What sessions say nothing about.
  let playing: PlaybackOptions
  let rules: [OriginMap.Rule]
  let options: ServerOptions

  func session(
    _ id: String, _ name: String?, isKept: Bool, _ scenario: LoadedScenario,
    _ settings: Session.Settings
  ) -> Session {
    let feed = EventFeed()
    return Session(
      id: id, name: name, isKept: isKept, settings, served(scenario, settings, feed), feed)
  }

  /// A new run of a scenario.
  func served(
    _ scenario: LoadedScenario, _ settings: Session.Settings, _ feed: EventFeed
  ) -> ServedScenario {
    var playing = playing
    (playing.pace, playing.seed) = (settings.pace, settings.seed)
    let player = Player(
      scenario, options: playing,
      journalLimit: JournalLimit(
        entryCount: options.journalEntryCount, byteCount: options.journalByteCount),
      contents: StoredContents(limit: 64 << 20), observer: { _ in feed.notify() })
    return ServedScenario(
      player, origins: origins(of: scenario), unmatchedStatus: settings.unmatchedStatus)
  }

  func origins(of scenario: LoadedScenario) -> OriginMap {
    OriginMap(
      origins: scenario.origins, rules: rules, takesAbsoluteTargets: options.takesAbsoluteTargets)
  }
}
#endif
