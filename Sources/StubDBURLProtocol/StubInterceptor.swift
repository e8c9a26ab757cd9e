public import Foundation
public import StubDBCatalog
public import StubDBEngine
public import StubDBModel
public import StubDBPlayback
internal import StubDBSupport

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Answers the requests of its own URL sessions from a scenario.
///
/// Any number can be used at the same time: each has its own `URLProtocol` class, so requests are not changed and
/// nothing is shared. The run lasts until ``end()``, or as long as the interceptor, one of its sessions or the cookie
/// storage of a configuration that it made exists; later requests fail with `URLError.cancelled`. If only
/// ``protocolClass`` is used, or the shared session is intercepted, it lasts as long as the interceptor, which you have
/// to keep. Safe to use from any thread.
public final class StubInterceptor: ScenarioPlayback {
  private struct State {
    var isEnded = false
    /// The test that it belongs to; nil if it is not known.
    var test: String?
    /// The class that answers; nil until it is needed.
    var protocolClass: StubURLProtocol.Type?
    /// The sessions and configurations, and what copies of them share.
    var watched = WatchedObjects()
    /// The cookie storages of the configurations, for later runs; those of abandoned runs are not used again.
    var storages: [HTTPCookieStorage] = []
  }

  /// The player of the scenario.
  public let player: Player
  let responder: RunResponder
  /// Records what the network answers; nil if nothing is recorded.
  package let recorder: (any RunTap)?
  /// The cookie storage of the sessions; nil if each has its own that can be found.
  private let cookieStorage = PlatformURLProtocol.makeCookieStorage()
  private let state = Locked(State())

  /// Begins a run of a loaded scenario.
  ///
  /// Requests reach the real network only with the policy `.passthrough` and, if the options allow it, for responses
  /// that ask for it. The cost is some 15 microseconds.
  public convenience init(
    _ scenario: LoadedScenario, options: PlaybackOptions = PlaybackOptions()
  ) {
    self.init(playing: scenario, options: options.withoutCatalog)
  }

  /// Begins a run without a scenario, for closures alone.
  public convenience init(options: PlaybackOptions = PlaybackOptions()) {
    self.init(playing: nil, options: options.withoutCatalog)
  }

  /// Begins a run of a loaded scenario, or without one for closures alone.
  package init(
    playing scenario: LoadedScenario?, options: PlaybackOptions, recorder: (any RunTap)? = nil
  ) {
    player = Player(scenario, options: options)
    player.keepInLedger()
    self.recorder = recorder
    responder = RunResponder(player, cookieStorage: cookieStorage, recorder: recorder)
  }

  deinit {
    let (protocolClass, watched) = state.withLock { state in
      // A storage that only the interceptor keeps does not keep the run.
      state.storages = []
      return (state.protocolClass, state.watched)
    }
    var kept = WatchedObjects.Kept()
    guard let protocolClass, !watched.areGone(keeping: &kept), !player.isEnded else {
      return end()
    }
    SharedSession.end(protocolClass)
    responder.sessions.withLock { $0.keepRun = true }
    ClassTable.shared.abandon(protocolClass, watching: watched)
  }

  /// Names the test that the run belongs to: its module or class, suites and function, separated by slashes.
  package func name(test: String) {
    player.ledgerRun?.name(test: test)
    recorder?.name(test: test)
    state.withLock { $0.test = test.split(separator: "/").last.map(String.init) }
  }

  // MARK: Sessions

  /// The class that answers, for clients that make their own configuration.
  ///
  /// It must be the first of `protocolClasses`. Also set `urlCache` to nil.
  public var protocolClass: URLProtocol.Type {
    responder.sessions.withLock { $0.areForeign = true }
    return answeringClass()
  }

  /// Makes an ephemeral configuration whose sessions this interceptor answers.
  ///
  /// It has no cache and no stored credentials, so that only the scenario answers. Cookies are kept apart from those of
  /// the process and of other interceptors: on Apple systems all sessions of an interceptor share them, on Linux
  /// those of one configuration.
  public func configuration() -> URLSessionConfiguration {
    responder.sessions.withLock { $0.areForeign = true }
    let configuration = makeConfiguration(answeredBy: answeringClass())
    watch(configuration)
    keepStorage(of: configuration)
    return configuration
  }

  /// Makes a session that this interceptor answers.
  ///
  /// It is not invalidated when the interceptor ends, since a request in an invalidated session stops the process:
  /// later requests fail.
  public func urlSession(
    delegate: (any URLSessionDelegate)? = nil, delegateQueue: OperationQueue? = nil
  ) -> URLSession {
    let configuration = makeConfiguration(answeredBy: answeringClass())
    let session = URLSession(
      configuration: configuration, delegate: delegate, delegateQueue: delegateQueue)
    watch(session)
    // Copies of the configuration use the class too, and share the storage.
    keepStorage(of: configuration)
    return session
  }

  /// Has this interceptor also answer `URLSession.shared`, until the interceptor ends or is released.
  ///
  /// Calling it again changes nothing, and after the end it does nothing. Requests in progress are not affected, and at
  /// the end the session's cookies are restored.
  /// - Throws: ``SharedSessionError`` if another interceptor answers it.
  public func interceptSharedSession() throws(SharedSessionError) {
    let protocolClass = answeringClass()
    let holder: String? = state.withLock { state in
      guard !state.isEnded else { return nil }
      return SharedSession.begin(protocolClass, scenario: scenario.name.rawValue)
    }
    if let holder {
      throw SharedSessionError(scenario: scenario.name.rawValue, holder: holder)
    }
  }

  private func makeConfiguration(
    answeredBy protocolClass: URLProtocol.Type
  ) -> URLSessionConfiguration {
    let configuration = PlatformURLProtocol.makeConfiguration()
    configuration.protocolClasses = [protocolClass]
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    if let storage = cookieStorage { configuration.httpCookieStorage = storage }
    return configuration
  }

  /// After the end, a class without a responder, which refuses everything.
  private func answeringClass() -> StubURLProtocol.Type {
    let (protocolClass, isNew) = state.withLock { state in
      if state.isEnded { return (StubURLProtocol.self, false) }
      if let protocolClass = state.protocolClass { return (protocolClass, false) }
      let made = ClassTable.shared.makeClass(for: responder)
      state.protocolClass = made
      return (made, true)
    }
    if isNew { ClassTable.shared.endUnreachable() }
    return protocolClass
  }

  /// Keeps the run alive as long as the object exists, if the interceptor is gone.
  private func watch(_ object: AnyObject) {
    // The object is compared and stored weakly; the caller keeps it meanwhile.
    nonisolated(unsafe) let object = object
    let kept = state.withLock { $0.watched.add(object) }
    withExtendedLifetime(kept) {}
  }

  private func keepStorage(of configuration: URLSessionConfiguration) {
    guard let storage = configuration.httpCookieStorage else { return }
    watch(storage)
    state.withLock { state in
      // More are not used again, and would stay until the end.
      let isUseful = state.storages.count < PlatformURLProtocol.reusedStorageCount
      if isUseful, !state.isEnded { state.storages.append(storage) }
    }
  }

  // MARK: The end

  /// Ends the run: requests that wait for their answer are cancelled, later ones fail.
  ///
  /// The error is `URLError.cancelled` in both cases. The journal is kept, without requests that a closure had not
  /// answered yet. Ending twice does nothing.
  public func end() {
    let ended: State? = state.withLock { state in
      defer { (state.isEnded, state.storages) = (true, []) }
      return state.isEnded ? nil : state
    }
    guard let ended else { return }
    player.end(withTest: ended.test)
    // A test says later whether it failed.
    if !options.isReportedElsewhere { recorder?.end(failed: false) }
    guard let protocolClass = ended.protocolClass else { return }
    SharedSession.end(protocolClass, with: player.endedTest)
    ClassTable.shared.end(protocolClass)
    PlatformURLProtocol.reuse(ended.storages)
  }
}

extension StubInterceptor {
  /// Loads a scenario by its name, with the overlays of the options, and begins a run of it.
  ///
  /// If the options ask to record, what the scenario does not answer goes to the real network and into a draft beside
  /// the catalog, which need not have the scenario yet.
  /// - Throws: `CatalogError` if the catalog does not have it or cannot be read, or if this version cannot play it.
  public convenience init(
    _ scenario: some ScenarioNaming, in catalog: Catalog,
    options: PlaybackOptions = PlaybackOptions()
  ) throws(CatalogError) {
    self.init(playing: try RecordedPlay(scenario.scenarioName, in: catalog, options))
  }

  /// Begins a run that may be recorded.
  package convenience init(playing play: RecordedPlay) {
    self.init(playing: play.scenario, options: play.options, recorder: play.recorder)
  }
}
