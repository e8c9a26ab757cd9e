#if Server
import StubDBEngine
import StubDBPlayback
import StubDBServing
import StubDBSupport

/// Makes sessions, and what they play.
final class SessionMaker: Sendable {
  /// What sessions say nothing about.
  let playing: PlaybackOptions
  let rules: [OriginMap.Rule]
  let options: ServerOptions
  /// Nil if callbacks are not sent.
  let callbackSender: (any CallbackSender)?
  /// Receives the requests of all sessions.
  let events: ServerEvents
  private let runCount = Locked(0)

  /// The settings for a session of a scenario of which nothing else is said.
  func settings(of scenario: String) -> Session.Settings {
    var settings = Session.Settings(scenario: scenario)
    (settings.pace, settings.seed) = (playing.pace, playing.seed)
    settings.unmatchedStatus = options.unmatchedStatus
    settings.allowsOtherOrigins = options.allowsOtherOrigins
    return settings
  }

  func session(
    _ id: String, _ name: String?, isKept: Bool, _ scenario: LoadedScenario,
    _ settings: Session.Settings
  ) -> Session {
    let feed = EventFeed()
    return Session(
      id: id, name: name, isKept: isKept, settings, served(scenario, settings, id, feed), feed)
  }

  /// A new run of a scenario, in a session with this id.
  func served(
    _ scenario: LoadedScenario, _ settings: Session.Settings, _ session: String, _ feed: EventFeed
  ) -> ServedScenario {
    let run = runCount.withLock { count in
      count += 1
      return count
    }
    var playing = playing
    (playing.pace, playing.seed) = (settings.pace, settings.seed)
    playing.allowsPassthrough = options.forwarding.allowsPassthrough
    if options.passesUnmatchedOn { playing.unmatched = .passthrough }
    let player = Player(
      scenario, options: playing,
      journalLimit: JournalLimit(
        entryCount: options.journalEntryCount, byteCount: options.journalByteCount),
      contents: StoredContents(limit: 64 << 20).data, callbackSender: callbackSender,
      observer: { [events] event in
        events.add(.request(session: session, run: run, number: event.number))
      })
    player.keepInLedger(isServed: true)
    return ServedScenario(
      player, origins: origins(of: scenario), unmatchedStatus: settings.unmatchedStatus,
      allowsOtherOrigins: settings.allowsOtherOrigins, run: run)
  }

  init(
    playing: PlaybackOptions, rules: [OriginMap.Rule], options: ServerOptions, events: ServerEvents,
    callbackSender: (any CallbackSender)?
  ) {
    (self.playing, self.rules, self.options, self.events) = (playing, rules, options, events)
    self.callbackSender = callbackSender
  }

  func origins(of scenario: LoadedScenario) -> OriginMap {
    OriginMap(
      origins: scenario.origins, rules: rules,
      takesAbsoluteTargets: options.takesAbsoluteTargets, isProxy: options.isProxy)
  }
}
#endif
