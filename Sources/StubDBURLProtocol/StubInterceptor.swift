public import Foundation
public import StubDBEngine
import StubDBModel
public import StubDBPlayback
internal import StubDBSupport

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A scenario that answers the requests of its own URL sessions.
///
/// Any number can be used at the same time: each has a `URLProtocol` class of its own, so nothing is added to
/// a request and nothing is shared. The run lasts until ``end()``, or for as long as the interceptor, one of its sessions or
/// the cookie storage of a configuration that it made is there; what comes later fails with `URLError.cancelled`. Where only
/// ``protocolClass`` was asked for, or the shared session is answered, it lasts as long as the interceptor, which you
/// keep then. Safe to use from any thread.
public final class StubInterceptor: ScenarioPlayback {
  private struct State {
    var isEnded = false
    /// The class that answers; nil until somebody needs it.
    var protocolClass: StubURLProtocol.Type?
    /// The sessions and configurations, and what copies of them hold as well.
    var watched = WatchedObjects()
  }

  /// What plays the scenario.
  public let player: Player
  let responder: RunResponder
  /// Where sessions keep their cookies; nil where each has its own that can be found.
  private let cookieStorage = PlatformURLProtocol.makeCookieStorage()
  private let state = Locked(State())

  /// Begins a run of a loaded scenario.
  ///
  /// Nothing reaches the real network but with the policy `.passthrough`, and, where the options allow it, for responses
  /// that ask for it. The cost is some 15 microseconds.
  public convenience init(
    _ scenario: LoadedScenario, options: PlaybackOptions = PlaybackOptions()
  ) {
    self.init(playing: scenario, options: options)
  }

  /// Begins a run without a scenario, for closures alone.
  public convenience init(options: PlaybackOptions = PlaybackOptions()) {
    self.init(playing: nil, options: options)
  }

  /// Begins a run of a loaded scenario, or without one for closures alone.
  package init(playing scenario: LoadedScenario?, options: PlaybackOptions) {
    player = Player(scenario, options: options)
    responder = RunResponder(player, cookieStorage: cookieStorage)
  }

  deinit {
    let (protocolClass, watched) = state.withLock { ($0.protocolClass, $0.watched) }
    var kept = WatchedObjects.Kept()
    guard let protocolClass, !watched.areGone(keeping: &kept), !player.isEnded else {
      return end()
    }
    SharedSession.end(protocolClass)
    responder.sessions.withLock { $0.keepRun = true }
    ClassTable.shared.abandon(protocolClass, watching: watched)
  }

  // MARK: Sessions

  /// The class that answers, for clients that want to make their own configuration.
  ///
  /// It has to be the first of `protocolClasses`. Set `urlCache` to nil as well.
  public var protocolClass: URLProtocol.Type {
    responder.sessions.withLock { $0.areForeign = true }
    return answeringClass()
  }

  /// A new ephemeral configuration whose sessions this interceptor answers.
  ///
  /// Without cache and stored credentials, so that nothing but the scenario answers; each session has
  /// cookies of its own.
  public func configuration() -> URLSessionConfiguration {
    responder.sessions.withLock { $0.areForeign = true }
    let configuration = makeConfiguration(answeredBy: answeringClass())
    watch(configuration)
    if let storage = configuration.httpCookieStorage { watch(storage) }
    return configuration
  }

  /// A new session that this interceptor answers.
  ///
  /// It is not invalidated when the interceptor ends, since a request in an invalidated session stops the
  /// process: requests that come later fail.
  public func urlSession(
    delegate: (any URLSessionDelegate)? = nil, delegateQueue: OperationQueue? = nil
  ) -> URLSession {
    let configuration = makeConfiguration(answeredBy: answeringClass())
    let session = URLSession(
      configuration: configuration, delegate: delegate, delegateQueue: delegateQueue)
    watch(session)
    // Copies of the configuration name the class too, and hold the same storage.
    if let storage = configuration.httpCookieStorage { watch(storage) }
    return session
  }

  /// Has this interceptor answer `URLSession.shared` too, until it ends or nobody keeps it.
  ///
  /// Calling it again changes nothing. What the shared session has under way goes on as it began, and its cookies are at the end what they were before. After the
  /// end nothing happens.
  /// - Throws: ``SharedSessionError`` while another interceptor answers it.
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
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [protocolClass]
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    if let storage = cookieStorage { configuration.httpCookieStorage = storage }
    return configuration
  }

  /// After the end one that nothing answers for, and which so refuses everything.
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

  /// The run goes on for as long as the object is there, if the interceptor is gone.
  private func watch(_ object: AnyObject) {
    // The object is compared and stored weakly; the caller keeps it meanwhile.
    nonisolated(unsafe) let object = object
    let kept = state.withLock { $0.watched.add(object) }
    withExtendedLifetime(kept) {}
  }

  // MARK: The end

  /// Ends the run: requests that wait for their answer are cancelled, later ones fail.
  ///
  /// Both get `URLError.cancelled`. The journal stays as it is, without requests that a closure had not answered yet. Ending
  /// twice does nothing.
  public func end() {
    let isFirst = state.withLock { state in
      defer { state.isEnded = true }
      return !state.isEnded
    }
    guard isFirst else { return }
    player.end()
    guard let protocolClass = state.withLock({ $0.protocolClass }) else { return }
    SharedSession.end(protocolClass)
    ClassTable.shared.end(protocolClass)
  }
}
