public import Foundation
public import StubDBEngine
import StubDBModel

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A scenario that answers the requests of its own URL sessions.
///
/// Any number can be used at the same time: each has a `URLProtocol` class of its own, so nothing is added to
/// a request and nothing is shared. Keep it for as long as requests are made; what comes later fails
/// with `URLError.cancelled`. Safe to use from any thread.
public final class Interceptor: Sendable {
  private struct State {
    var isEnded = false
    /// Nil once the class was handed out, so that there may be sessions nobody knows.
    var sessions: [WeakSession]? = []
  }

  let responder: RunResponder
  private let leased: StubURLProtocol.Type
  private let state = Locked(State())

  /// Begins a run of a loaded scenario.
  ///
  /// `unmatched` decides about requests that no stub answers, `pace` how long delays and time-outs take, and `seed`
  /// everything that is random. Nothing reaches the real network but with the policy `.passthrough`, and, where
  /// `allowsPassthrough` is true, for responses that ask for it. The cost is some 15 microseconds.
  public init(
    _ scenario: LoadedScenario, unmatched: UnmatchedPolicy = .fail, pace: Pace = .real,
    seed: UInt64 = 0, allowsPassthrough: Bool = false
  ) {
    responder = RunResponder(
      run: scenario.run(pace: pace, seed: seed), policy: unmatched,
      allowsPassthrough: allowsPassthrough)
    leased = ClassPool.shared.lease(for: responder)
  }

  /// Begins a run without a scenario, for closures alone.
  ///
  /// The parameters are those of ``init(_:unmatched:pace:seed:allowsPassthrough:)``.
  public convenience init(
    unmatched: UnmatchedPolicy = .fail, pace: Pace = .real, seed: UInt64 = 0
  ) {
    self.init(
      LoadedScenario(emptyNamed: ScenarioName(unchecked: "closures-only")), unmatched: unmatched,
      pace: pace, seed: seed)
  }

  deinit {
    end()
  }

  /// The scenario that is played.
  public var scenario: LoadedScenario { responder.run.scenario }

  // MARK: Sessions

  /// The class that answers, for clients that want to make their own configuration.
  ///
  /// It has to be the first of `protocolClasses`. Set `urlCache` to nil as well.
  public var protocolClass: URLProtocol.Type {
    responder.hasForeignSessions.withLock { $0 = true }
    return state.withLock { state in
      state.sessions = nil
      return classToUse(state)
    }
  }

  /// A new ephemeral configuration whose sessions this interceptor answers.
  ///
  /// Without cache and stored credentials, so that nothing but the scenario answers; each session has
  /// cookies of its own.
  public func configuration() -> URLSessionConfiguration {
    makeConfiguration(answeredBy: protocolClass)
  }

  /// A new session that this interceptor answers.
  ///
  /// It is not invalidated when the interceptor ends, since a request in an invalidated session stops the
  /// process: requests that come later fail.
  public func urlSession(
    delegate: (any URLSessionDelegate)? = nil, delegateQueue: OperationQueue? = nil
  ) -> URLSession {
    state.withLock { state in
      let configuration = makeConfiguration(answeredBy: classToUse(state))
      let session = URLSession(
        configuration: configuration, delegate: delegate, delegateQueue: delegateQueue)
      state.sessions?.append(WeakSession(session))
      return session
    }
  }

  /// Has this interceptor answer `URLSession.shared` too, until it ends.
  ///
  /// What the shared session has under way goes on as it began, and its cookies are at the end what they were before. After the
  /// end nothing happens.
  /// - Throws: ``SharedSessionError`` while another interceptor answers it.
  public func interceptSharedSession() throws(SharedSessionError) {
    let holder: String? = state.withLock { state in
      guard !state.isEnded else { return nil }
      state.sessions = nil
      return SharedSession.begin(leased, scenario: scenario.name.rawValue)
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
    if let storage = responder.cookieStorage { configuration.httpCookieStorage = storage }
    return configuration
  }

  /// After the end one that is never leased, and so refuses everything.
  private func classToUse(_ state: State) -> StubURLProtocol.Type {
    state.isEnded ? StubURLProtocol.self : leased
  }

  // MARK: What happened

  /// The requests so far and what answered them, in order of arrival; those that nothing answered are among them.
  public var journal: [ServeEvent] { responder.run.journal }

  /// Checks that everything went as the scenario says.
  ///
  /// - Throws: ``VerificationError`` for requests that no stub answered (unless the policy has an answer for them),
  ///   required stubs that answered nothing, and sequences that were begun and not finished.
  public func verify() throws(VerificationError) {
    let problems = responder.problems()
    if !problems.isEmpty { throw VerificationError(problems: problems) }
  }

  /// Ends the run: requests that wait for their answer are cancelled, later ones fail.
  ///
  /// The journal stays. Ending twice does nothing; an interceptor that nobody keeps ends by itself.
  public func end() {
    let sessions: [WeakSession]?? = state.withLock { state in
      guard !state.isEnded else { return nil }
      state.isEnded = true
      return .some(state.sessions)
    }
    guard let sessions else { return }
    responder.end()
    SharedSession.end(leased)
    ClassPool.shared.retire(leased, sessions: sessions)
  }
}
