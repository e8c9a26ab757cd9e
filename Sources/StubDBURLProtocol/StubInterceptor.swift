public import Foundation
public import StubDBEngine
import StubDBModel
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
public final class StubInterceptor: Sendable {
  private struct State {
    var isEnded = false
    /// The class that answers; nil until somebody needs it.
    var protocolClass: StubURLProtocol.Type?
    /// The sessions and configurations, and what copies of them hold as well.
    var watched = WatchedObjects()
  }

  let responder: RunResponder
  /// Where sessions keep their cookies; nil where each has its own that can be found.
  private let cookieStorage = PlatformURLProtocol.makeCookieStorage()
  private let state = Locked(State())

  /// Begins a run of a loaded scenario.
  ///
  /// `unmatched` decides about requests that no stub answers, `pace` how long delays and time-outs take, and `seed`
  /// everything that is random. Nothing reaches the real network but with the policy `.passthrough`, and, where
  /// `allowsPassthrough` is true, for responses that ask for it. With `requiresWholeSequences` every stub that gave some of its
  /// responses has to give them all, not only those whose document says `"required": true` or `"then": "fail"`. The cost
  /// is some 15 microseconds.
  public convenience init(
    _ scenario: LoadedScenario, unmatched: UnmatchedPolicy = .fail, pace: Pace = .real,
    seed: UInt64 = 0, allowsPassthrough: Bool = false, requiresWholeSequences: Bool = false
  ) {
    self.init(
      scenario,
      options: InterceptorOptions(
        unmatched: unmatched, pace: pace, seed: seed, allowsPassthrough: allowsPassthrough,
        requiresWholeSequences: requiresWholeSequences))
  }

  /// Begins a run of a loaded scenario, or without one for closures alone.
  package init(_ scenario: LoadedScenario?, options: InterceptorOptions) {
    let played =
      scenario ?? LoadedScenario(emptyNamed: ScenarioName(unchecked: "closures-only"))
    responder = RunResponder(
      run: played.run(pace: options.pace, seed: options.seed), hasScenario: scenario != nil,
      options: options, cookieStorage: cookieStorage)
  }

  /// Begins a run without a scenario, for closures alone.
  ///
  /// The parameters are those of ``init(_:unmatched:pace:seed:allowsPassthrough:)``.
  public convenience init(
    unmatched: UnmatchedPolicy = .fail, pace: Pace = .real, seed: UInt64 = 0
  ) {
    self.init(
      nil, options: InterceptorOptions(unmatched: unmatched, pace: pace, seed: seed))
  }

  deinit {
    let (protocolClass, watched) = state.withLock { ($0.protocolClass, $0.watched) }
    var kept = WatchedObjects.Kept()
    guard let protocolClass, !watched.areGone(keeping: &kept), !responder.tasks.isEnded else {
      return end()
    }
    SharedSession.end(protocolClass)
    responder.sessions.withLock { $0.keepRun = true }
    ClassTable.shared.abandon(protocolClass, watching: watched)
  }

  /// Whether there is a scenario, and not closures alone.
  package var hasScenario: Bool { responder.hasScenario }

  /// How the scenario is played.
  package var options: InterceptorOptions { responder.options }

  /// The scenario that is played.
  public var scenario: LoadedScenario { responder.run.scenario }

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

  // MARK: What happened

  /// The requests so far and what answered them, in order of arrival; those that nothing answered are among them.
  public var journal: [ServeEvent] { responder.run.journal }

  /// Checks that everything went as the scenario says.
  ///
  /// - Throws: ``VerificationError`` for requests that no stub answered (unless the policy has an answer for them),
  ///   required stubs that answered nothing, and stubs that gave some of their responses and not all, where they are required,
  ///   say `"then": "fail"`, or the interceptor was made with `requiresWholeSequences`.
  public func verify() throws(VerificationError) {
    let problems = responder.problems()
    if !problems.isEmpty { throw VerificationError(problems: problems) }
  }

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
    responder.end()
    guard let protocolClass = state.withLock({ $0.protocolClass }) else { return }
    SharedSession.end(protocolClass)
    ClassTable.shared.end(protocolClass)
  }
}
