import Foundation
import HTTPTypes
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the protocol instances of one interceptor ask.
///
/// They keep it for as long as they live.
final class RunResponder: Sendable {
  let run: ScenarioRun
  /// Whether there is a scenario, and not closures alone.
  let hasScenario: Bool
  let clock: ScenarioClock
  let tasks = LiveTasks()
  let closures = ClosureStubs()
  /// Where the sessions keep their cookies, kept by them; nil where each has its own that can be found.
  let cookieStorage: WeakCookieStorage
  /// What is known of the sessions that ask.
  let sessions = Locked(Sessions())
  let options: InterceptorOptions
  private let heads = AnswerHeads()
  private let failures = Locked([VerificationProblem]())

  struct Sessions {
    /// Whether there may be sessions whose configuration others made.
    var areForeign = false
    /// Whether the run ends with the last of its sessions, since its interceptor is gone.
    var keepRun = false
  }

  init(
    run: ScenarioRun, hasScenario: Bool = true, options: InterceptorOptions,
    cookieStorage: HTTPCookieStorage?
  ) {
    self.run = run
    self.hasScenario = hasScenario
    self.options = options
    self.cookieStorage = WeakCookieStorage(value: cookieStorage)
    clock = ScenarioClock(pace: run.pace)
  }

  private var policy: UnmatchedPolicy { options.unmatched }

  /// Why no request is answered at all; nil where they are.
  func refusal(of url: URL) -> (any Error)? {
    options.refusal.map { AnswerErrors.make(UnmatchedPolicy.errorCode, url: url, message: $0) }
  }

  // MARK: Deciding

  /// Asks the closures and then the run, and says what is left to do.
  func decide(about hop: RequestHop) -> AnswerDecision {
    let candidates = closures.candidates(for: hop.stubRequest)
    if candidates.isEmpty { return decideFromRun(about: hop) }
    return AnswerDecision(
      preparation: .awaited(isTimed: true) { [self] receiver in
        ClosureCall(candidates: candidates, hop: hop, responder: self).begin(receiver)
      })
  }

  /// What the scenario says.
  func decideFromRun(about hop: RequestHop) -> AnswerDecision {
    switch run.outcome(for: hop.stubRequest) {
    case nil:
      cancellation(of: hop)
    case .respond(let plan, let event):
      decision(of: plan, for: event, hop: hop)
    case .unmatched(let nearMisses):
      decisionWithoutMatch(hop, nearMisses: nearMisses)
    }
  }

  /// What a request gets that is under way when the run ends.
  func cancellation(of hop: RequestHop) -> AnswerDecision {
    AnswerDecision(preparation: .ready(.failure(AnswerErrors.ended(hop.url))))
  }

  /// How a plan is carried out.
  func decision(of plan: ResponsePlan, for event: ServeEvent, hop: RequestHop) -> AnswerDecision {
    AnswerDecision(delay: plan.delay, preparation: preparation(of: plan, for: event, hop: hop))
  }

  private func preparation(
    of plan: ResponsePlan, for event: ServeEvent, hop: RequestHop
  ) -> AnswerDecision.Preparation {
    switch plan.action {
    case .error(let error):
      return .ready(.failure(AnswerErrors.stubbed(error, url: hop.url)))
    case .never:
      return .ready(.silence)
    case .passthrough:
      return passthrough(of: event, hop: hop)
    case .response(let status, let headers, let body):
      let builder = ResponseBuilder(
        status: status, headers: headers, plan: plan, method: hop.stubRequest.method, url: hop.url,
        heads: heads)
      guard let body, builder.mayHaveContent else { return .ready(builder.answer(content: nil)) }
      if case .bytes(let content) = body.content, !builder.isEncoded {
        return .ready(builder.answer(content: content))
      }
      return .deferred { [self] in
        do {
          return builder.answer(content: try run.scenario.body(of: body))
        } catch {
          return unreadableContent(error, event: event, url: hop.url)
        }
      }
    }
  }

  private func decisionWithoutMatch(
    _ hop: RequestHop, nearMisses: [NearMiss]
  ) -> AnswerDecision {
    if policy == .passthrough { return AnswerDecision(preparation: Self.network(hop)) }
    // The report may look into the catalog.
    return AnswerDecision(
      preparation: .deferred { [self] in answerUnmatched(hop, nearMisses: nearMisses) })
  }

  private func answerUnmatched(_ hop: RequestHop, nearMisses: [NearMiss]) -> Answer {
    let request = hop.stubRequest
    let event = run.journal.last { !$0.isMatched && $0.request == request }
    let report =
      event.map(run.report)
      ?? UnmatchedReport(
        request: request, scenario: run.scenario.name, nearMisses: nearMisses,
        catalog: run.scenario.catalogDescription)
    let text = hasScenario ? report.text : Self.report(onClosuresFor: request)
    guard case .respond(let status) = policy else {
      return .failure(
        AnswerErrors.unmatched(
          report: options.isReportedElsewhere ? Self.heading(of: text) : text, url: hop.url))
    }
    return ResponseBuilder(
      status: status, headers: [.contentType: "text/plain; charset=utf-8"],
      method: request.method, url: hop.url
    ).answer(content: Data(text.utf8))
  }

  /// The report in one line, for an error that is printed beside the whole of it.
  private static func heading(of report: String) -> String {
    let lines = report.split(separator: "\n", omittingEmptySubsequences: false)
    let heading = lines.prefix { !$0.isEmpty }.map { $0.trimmingPrefix { $0 == " " } }
    return heading.joined(separator: " ") + "; what is off is reported with the test."
  }

  /// What a person reads about a request that no closure answered; there is no scenario to change.
  private static func report(onClosuresFor request: StubRequest) -> String {
    let url = SecretDisplay.text(request.url)
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return """
      No closure of this interceptor answers
        \(request.method) \(url)

      To answer it:
        try interceptor.stub("\(request.method)", "\(path)") { request in .json([:]) }
      """
  }

  // MARK: The network

  private static func network(_ hop: RequestHop) -> AnswerDecision.Preparation {
    .awaited(isTimed: false) { receiver in NetworkSession.shared.begin(hop, receiver) }
  }

  /// A stub asks for the real network, which it gets where the test allows it.
  private func passthrough(
    of event: ServeEvent, hop: RequestHop
  ) -> AnswerDecision.Preparation {
    if options.allowsPassthrough || policy == .passthrough { return Self.network(hop) }
    let message =
      "\(origin(of: event)) passes \(hop.stubRequest.method) \(SecretDisplay.text(hop.url.absoluteString)) on to the "
      + "network, which this interceptor does not allow; make it with allowsPassthrough: true, or "
      + "give the stub a response."
    note(.refusedPassthrough, message, event)
    return .ready(.failure(AnswerErrors.refusedPassthrough(message, url: hop.url)))
  }

  // MARK: Failing

  private func unreadableContent(_ error: any Error, event: ServeEvent, url: URL) -> Answer {
    let message = "The content that \(origin(of: event)) answers with cannot be read: \(error)"
    note(.unreadableContent, message, event)
    return .failure(AnswerErrors.unreadableContent(message, url: url))
  }

  private func origin(of event: ServeEvent) -> String {
    "stub \"\(event.stubKey ?? "")\" of scenario \"\(event.scenario ?? run.scenario.name)\""
  }

  private func note(_ kind: VerificationProblem.Kind, _ message: String, _ event: ServeEvent) {
    failures.withLock {
      $0.append(
        VerificationProblem(
          kind: kind, message: message, scenario: event.scenario ?? run.scenario.name,
          stubKey: event.stubKey, request: event.request))
    }
  }

  /// What did not go as the scenario says.
  func problems() -> [VerificationProblem] {
    let problems = run.problems(requiringWholeSequences: options.requiresWholeSequences)
    let found = problems.compactMap { problem -> VerificationProblem? in
      guard problem.kind == .unmatchedRequest else { return problem }
      // With the other policies the answer to such a request is what the test asked for.
      guard policy == .fail else { return nil }
      guard !hasScenario, let request = problem.request else { return problem }
      return VerificationProblem(
        kind: .unmatchedRequest, message: Self.report(onClosuresFor: request),
        scenario: problem.scenario, stubKey: nil, request: request)
    }
    return found + failures.withLock { $0 }
  }

  /// From now on nothing is decided; what waits for its answer is cancelled.
  ///
  /// The run ends before the closures go, or it would be asked about requests that they were to answer.
  func end() {
    tasks.end()
    run.end()
    closures.end()
  }
}

/// Where sessions keep their cookies, watched but not kept alive.
struct WeakCookieStorage: Sendable {
  // Safe to share: weak references are read atomically, and a storage may be used from any thread.
  nonisolated(unsafe) private(set) weak var value: HTTPCookieStorage?
}
