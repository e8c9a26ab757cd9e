import Foundation
import HTTPTypes
import StubDBEngine
import StubDBModel

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the protocol instances of one interceptor ask.
///
/// They keep it for as long as they live, so that a class which is leased anew never mixes up two runs.
final class RunResponder: Sendable {
  private struct Tasks {
    var isEnded = false
    var live: [ObjectIdentifier: WeakTask] = [:]
  }

  let run: ScenarioRun
  private let policy: UnmatchedPolicy
  private let tasks = Locked(Tasks())
  private let failures = Locked([VerificationProblem]())

  init(run: ScenarioRun, policy: UnmatchedPolicy) {
    self.run = run
    self.policy = policy
  }

  // MARK: Deciding

  /// Asks the run, and says what is left to do.
  func decide(about request: StubRequest, url: URL) -> AnswerDecision {
    switch run.respond(to: request) {
    case .respond(let plan, let event):
      AnswerDecision(
        delay: run.pace.scaled(plan.delay), preparation: preparation(of: plan, for: event, url: url)
      )
    case .unmatched(let nearMisses):
      // The report may look into the catalog.
      AnswerDecision(
        preparation: .deferred { [self] in
          answerUnmatched(request, nearMisses: nearMisses, url: url)
        })
    }
  }

  private func preparation(
    of plan: ResponsePlan, for event: ServeEvent, url: URL
  ) -> AnswerDecision.Preparation {
    switch plan.action {
    case .never, .passthrough:
      // No stub that is loaded asks for these.
      return .ready(.failure(AnswerErrors.timedOut(url)))
    case .error(let error):
      return .ready(.failure(AnswerErrors.stubbed(error, url: url)))
    case .response(let status, let headers, let body):
      let method = event.request.method
      guard let body, ResponseBuilder.mayHaveContent(status: status, method: method) else {
        return .ready(
          ResponseBuilder.answer(
            status: status, headers: headers, content: nil, method: method, url: url))
      }
      if case .bytes(let content) = body.content {
        return .ready(
          ResponseBuilder.answer(
            status: status, headers: headers, content: content, method: method, url: url))
      }
      return .deferred { [self] in
        do {
          return ResponseBuilder.answer(
            status: status, headers: headers, content: try run.scenario.body(of: body),
            method: method, url: url)
        } catch {
          return unreadableContent(error, event: event, url: url)
        }
      }
    }
  }

  private func answerUnmatched(_ request: StubRequest, nearMisses: [NearMiss], url: URL) -> Answer {
    let event = run.journal.last { !$0.isMatched && $0.request == request }
    let report =
      event.map(run.report)
      ?? UnmatchedReport(request: request, scenario: run.scenario.name, nearMisses: nearMisses)
    switch policy {
    case .fail:
      return .failure(AnswerErrors.unmatched(report: report.text, url: url))
    case .respond(let status):
      return ResponseBuilder.answer(
        status: status, headers: [.contentType: "text/plain; charset=utf-8"],
        content: Data(report.text.utf8), method: request.method, url: url)
    }
  }

  private func unreadableContent(_ error: any Error, event: ServeEvent, url: URL) -> Answer {
    let origin =
      "stub \"\(event.stubKey ?? "")\" of scenario \"\(event.scenario ?? run.scenario.name)\""
    let message = "The content that \(origin) answers with cannot be read: \(error)"
    failures.withLock {
      $0.append(
        VerificationProblem(
          kind: .unreadableContent, message: message, scenario: event.scenario ?? run.scenario.name,
          stubKey: event.stubKey, request: event.request))
    }
    return .failure(AnswerErrors.unreadableContent(message, url: url))
  }

  // MARK: Verifying

  /// What did not go as the scenario says.
  func problems() -> [VerificationProblem] {
    let found = run.problems().filter { problem in
      // With this policy the answer to such a request is what the test asked for.
      if case .respond = policy { return problem.kind != .unmatchedRequest }
      return true
    }
    return found + failures.withLock { $0 }
  }

  // MARK: Tasks

  /// Whether requests are answered no more.
  var isEnded: Bool { tasks.withLock { $0.isEnded } }

  /// Notes a task that is waiting for its answer; false once the run has ended.
  func register(_ task: URLSessionTask?, for loader: ObjectIdentifier) -> Bool {
    tasks.withLock { tasks in
      guard !tasks.isEnded else { return false }
      if let task { tasks.live[loader] = WeakTask(task) }
      return true
    }
  }

  /// The task of this instance needs no cancelling any more.
  func forget(_ loader: ObjectIdentifier) {
    tasks.withLock { _ = $0.live.removeValue(forKey: loader) }
  }

  /// From now on nothing is decided; what waits for its answer is cancelled, shortly after this returns.
  func end() {
    let waiting = tasks.withLock { tasks in
      tasks.isEnded = true
      return Array(tasks.live.values)
    }
    guard !waiting.isEmpty else { return }
    // Elsewhere, because this may run on the queue that `cancel()` waits for: the last reference to an interceptor can
    // sit in a completion handler.
    DispatchQueue.global().async {
      for task in waiting { task.cancel() }
    }
  }
}
