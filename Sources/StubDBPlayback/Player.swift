import Foundation
import HTTPTypes
package import StubDBEngine
import StubDBModel
import StubDBSupport

/// Plays a scenario to front ends: decides about requests, and collects problems.
///
/// An ``Exchange`` carries out the decisions. Safe to use from any thread.
public final class Player: Sendable {
  package let run: ScenarioRun
  /// Whether there is a scenario, and not only closures.
  package let hasScenario: Bool
  package let options: PlaybackOptions
  let clock: ScenarioClock
  let closures = ClosureStubs()
  private let state = Locked(State())

  private struct State {
    var isEnded = false
    /// The requests that wait for their answers.
    var exchanges: [ObjectIdentifier: WeakExchange] = [:]
    /// The problems in carrying out answers.
    var failures: [VerificationProblem] = []
  }

  /// Plays a scenario, or closures alone.
  package init(_ scenario: LoadedScenario?, options: PlaybackOptions) {
    let played =
      scenario ?? LoadedScenario(emptyNamed: ScenarioName(unchecked: "closures-only"))
    run = played.run(seed: options.seed)
    hasScenario = scenario != nil
    self.options = options
    clock = ScenarioClock(pace: options.pace)
  }

  // MARK: Deciding

  /// The decision about a request.
  package enum Decision: Sendable {
    case answer(Answer, ServeEvent)
    /// Ask these closures in order, and then the scenario.
    case closures([ClosureStub])
    case unmatched(ServeEvent)
    case failure(ResponseFailure)
  }

  /// Asks the closures and then the scenario.
  package func decide(about request: StubRequest) -> Decision {
    if let refusal = options.refusal { return .failure(.refused(message: refusal)) }
    if isEnded { return .failure(.ended) }
    return decide(about: run.prepare(request))
  }

  /// Asks the closures and then the scenario, which share what was parsed and the limit on the work of matching.
  func decide(about request: PreparedRequest) -> Decision {
    let candidates = closures.candidates(for: request)
    return candidates.isEmpty ? decideFromRun(about: request) : .closures(candidates)
  }

  /// The scenario's decision.
  func decideFromRun(about request: PreparedRequest) -> Decision {
    switch run.respond(to: request) {
    case nil: .failure(.ended)
    case .respond(let selection): .answer(Answer(selection), selection.event)
    case .unmatched(let event): .unmatched(event)
    }
  }

  /// The event that a client can be told immediately; nil if the answer has to wait or to be read.
  package func immediateEvent(of decision: Decision) -> ResponseEvent? {
    switch decision {
    case .failure(let failure):
      return .failure(failure)
    case .answer(let answer, _) where answer.delay <= .zero:
      switch answer.kind {
      case .error(let error):
        return .failure(.stubbed(error))
      case .reply(let reply) where reply.isWhole:
        guard let content = reply.content else { return .whole(reply.head, Data()) }
        guard !reply.head.headers.contains(.contentEncoding), content.range == nil,
          case .bytes(let bytes) = content.body.content
        else { return nil }
        return .whole(reply.head, bytes)
      case .reply, .never, .network:
        return nil
      }
    case .answer, .closures, .unmatched:
      return nil
    }
  }

  // MARK: Carrying out

  /// The bytes of content, decoded as a client's loader would, unless a range is asked for.
  func bytes(
    of reply: Answer.Reply, for event: ServeEvent
  ) throws(UnavailableContent) -> Data {
    guard let content = reply.content else { return Data() }
    let bytes: Data
    do {
      bytes = try run.scenario.body(of: content.body)
    } catch {
      let message = "The content that \(origin(of: event)) answers with cannot be read: \(error)"
      note(.unreadableContent, message, event)
      throw UnavailableContent(failure: .unreadableContent(message: message))
    }
    if let range = content.range?.clamped(to: 0..<bytes.count) {
      return Data(bytes.dropFirst(range.lowerBound).prefix(range.count))
    }
    do {
      return try ContentDecoding.content(bytes, headers: reply.head.headers)
    } catch {
      throw UnavailableContent(failure: .undecodableContent(message: "\(error)"))
    }
  }

  /// Reports content that cannot be sent.
  struct UnavailableContent: Error {
    let failure: ResponseFailure
  }

  /// Why a stub's request for the real network is refused; nil if it is granted.
  func refusalOfPassthrough(for event: ServeEvent, hasNetwork: Bool = true) -> ResponseFailure? {
    guard !hasNetwork || !(options.allowsPassthrough || options.unmatched == .passthrough) else {
      return nil
    }
    let reason =
      hasNetwork
      ? "which this interceptor does not allow; make it with allowsPassthrough: true, or give the stub a response."
      : "which this session does not have; give the stub a response, or use a StubInterceptor."
    let request = "\(event.request.method) \(SecretDisplay.text(event.request.url))"
    let message = "\(origin(of: event)) passes \(request) on to the network, \(reason)"
    note(.refusedPassthrough, message, event)
    return .refusedPassthrough(event, message: message)
  }

  /// The answer to an unmatched request; searches the catalog.
  func eventWithoutMatch(_ event: ServeEvent) -> ResponseEvent {
    let text = unmatchedText(event)
    switch options.unmatched {
    case .respond(let status):
      let head = ResponseHead(
        status: status, headers: [.contentType: "text/plain; charset=utf-8"])
      return .whole(head, event.request.method == "HEAD" ? Data() : Data(text.utf8))
    case .fail, .passthrough:
      let message = options.isReportedElsewhere ? Self.heading(of: text) : text
      return .failure(.unmatched(event, message: message))
    }
  }

  /// The report in one line, for an error that is printed beside the whole report.
  private static func heading(of report: String) -> String {
    let lines = report.split(separator: "\n", omittingEmptySubsequences: false)
    let heading = lines.prefix { !$0.isEmpty }.map { $0.trimmingPrefix { $0 == " " } }
    return heading.joined(separator: " ") + "; the test reports what differs."
  }

  private func unmatchedText(_ event: ServeEvent) -> String {
    hasScenario ? run.report(on: event).text : Self.report(onClosuresFor: event.request)
  }

  /// The report on a request that no closure answered, if there is no scenario to change.
  private static func report(onClosuresFor request: StubRequest) -> String {
    let url = SecretDisplay.text(request.url)
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let known = HTTPRequest.Method(request.method).flatMap { Self.methodNames[$0] }
    let asked =
      known.map { ".\($0), \"\(path)\"" }
      ?? "matching: RequestPattern(method: HTTPRequest.Method(\"\(request.method)\"), url: \"\(path)\")"
    return """
      No closure of this interceptor answers
        \(request.method) \(url)

      To answer it:
        try interceptor.stub(\(asked)) { request in .json([:]) }
      """
  }

  /// The methods that swift-http-types has names for.
  private static let methodNames: [HTTPRequest.Method: String] = [
    .get: "get", .head: "head", .post: "post", .put: "put", .delete: "delete",
    .connect: "connect", .options: "options", .trace: "trace", .patch: "patch",
  ]

  private func origin(of event: ServeEvent) -> String {
    "stub \"\(event.stubKey ?? "")\" of scenario \"\(event.scenario ?? run.scenario.name)\""
  }

  private func note(_ kind: VerificationProblem.Kind, _ message: String, _ event: ServeEvent) {
    state.withLock {
      $0.failures.append(
        VerificationProblem(
          kind: kind, message: message, scenario: event.scenario ?? run.scenario.name,
          stubKey: event.stubKey, request: event.request))
    }
  }

  /// The problems so far.
  package func problems() -> [VerificationProblem] {
    let problems = run.problems(requiringWholeSequences: options.requiresWholeSequences)
    let found = problems.compactMap { problem -> VerificationProblem? in
      guard problem.kind == .unmatchedRequest else { return problem }
      // With other policies, the test asked for the answer that such a request gets.
      guard options.unmatched == .fail else { return nil }
      guard !hasScenario, let request = problem.request else { return problem }
      return VerificationProblem(
        kind: .unmatchedRequest, message: Self.report(onClosuresFor: request),
        scenario: problem.scenario, stubKey: nil, request: request)
    }
    return found + state.withLock { $0.failures }
  }

  // MARK: The end

  /// Whether the run has ended.
  package var isEnded: Bool { state.withLock { $0.isEnded } }

  /// A weak reference to an exchange, which its front end keeps alive.
  private struct WeakExchange: Sendable {
    weak var value: Exchange?
  }

  /// Adds a request that waits for its answer; false once the run has ended.
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

  /// Ends the run: nothing is decided any more, and waiting requests are told shortly after this returns.
  ///
  /// The run ends before the closures, or it would be asked to answer their requests.
  package func end() {
    let waiting = state.withLock { state in
      state.isEnded = true
      return state.exchanges.values.compactMap(\.value)
    }
    run.end()
    closures.end()
    for exchange in waiting { exchange.runEnded() }
  }
}
