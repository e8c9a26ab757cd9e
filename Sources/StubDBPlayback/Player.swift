package import Foundation
import HTTPTypes
package import StubDBEngine
package import StubDBModel
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
  /// The calls that are made after answers.
  package let callbacks: CallbackSchedule
  private let state = Locked(State())

  private struct State {
    /// The problems in carrying out answers.
    var problems: [VerificationProblem] = []
    /// What the usage ledger gets at the end; nil if it gets nothing.
    var ledgerRun: LedgerRun?
    var endedTest: LateRequests.Ended?
  }

  /// The requests that wait for their answers, also those of the players that this one continues.
  let waiting: WaitingExchanges
  private let mostProblems: Int
  /// Reads contents; nil to read them from the scenario each time.
  private let contents: ContentReader?

  /// Returns the bytes of a body of a scenario, perhaps those that it read before.
  package typealias ContentReader = @Sendable (ResponseBody, LoadedScenario) throws -> Data

  /// Plays a scenario, or closures alone.
  ///
  /// A limit bounds the journal, the callbacks and the problems that are kept. `contents` reads contents in place
  /// of the scenario. Without a sender callbacks are not sent.
  package init(
    _ scenario: LoadedScenario?, options: PlaybackOptions,
    journalLimit: JournalLimit = .unlimited, contents: ContentReader? = nil,
    callbackSender: (any CallbackSender)? = nil, observer: ScenarioRun.Observer? = nil
  ) {
    let dated = options.dated(scenario ?? .closuresOnly)
    run = dated.scenario.run(
      seed: options.seed, journalLimit: journalLimit, observer: observer,
      clock: { Date() + dated.clockOffset })
    waiting = WaitingExchanges()
    mostProblems = journalLimit.entryCount
    self.contents = contents
    hasScenario = scenario != nil
    self.options = options
    clock = ScenarioClock(pace: options.pace)
    callbacks = CallbackSchedule(clock: clock, limit: journalLimit, sender: callbackSender)
  }

  /// Goes on with another scenario, or a later version of it, where a player is; that one decides nothing any more, and
  /// finishes what it has decided.
  package init(continuing other: Player, with scenario: LoadedScenario) {
    run = ScenarioRun(
      continuing: other.run, with: scenario.moved(to: other.run.shift, on: other.run.scenario.today)
    )
    mostProblems = other.mostProblems
    contents = other.contents
    hasScenario = true
    options = other.options
    (clock, callbacks) = (other.clock, other.callbacks)
    waiting = other.waiting
    let problems = other.state.withLock(\.problems)
    state.withLock { $0.problems = problems }
    if let before = other.ledgerRun {
      before.end()
      let continued = before.continued(by: run)
      state.withLock { $0.ledgerRun = continued }
    }
  }

  /// Has the usage ledger, if there is one, tell at the end what the run used.
  ///
  /// `isServed` says that the hosts of all stubs decide which URL a request is for.
  package func keepInLedger(_ ledger: UsageLedger = .shared, isServed: Bool = false) {
    guard hasScenario, options.control == nil else { return }
    // Any stub may be the one that was recorded last, from which dates are moved.
    let usesAll = isServed || options.requiresStubs || options.today != nil
    var demands: [LedgerEntry.Demand] = usesAll ? [.allStubs] : []
    if options.check != nil { demands.append(.description) }
    let entry = ledger.begin(run, overlays: options.overlays, demands: demands)
    if let entry { state.withLock { $0.ledgerRun = entry } }
  }

  /// The entry of the run in the usage ledger; nil if it has none.
  package var ledgerRun: LedgerRun? { state.withLock(\.ledgerRun) }

  /// The decision about a request.
  package enum Decision: Sendable {
    case answer(Answer, ServeEvent)
    /// Ask these closures in order, and then the scenario.
    case closures([ClosureStub], WaitingRequest)
    case unmatched(ServeEvent)
    case failure(ResponseFailure)
  }

  /// Asks the closures and then the scenario, which share what was parsed and the limit on the work of matching.
  ///
  /// A server says by which URL the client reached it.
  /// Work that its front end gives up, or that lacks memory, fails as if the run had ended.
  package func decide(
    about request: StubRequest, at url: ServedURL? = nil, work: RequestWork? = nil
  ) -> Decision {
    if let refusal = options.refusal ?? options.today?.problem {
      return .failure(.refused(message: refusal))
    }
    if isEnded { return .failure(.ended) }
    return decide(about: run.prepare(request, at: url, work: work))
  }

  /// The same for a request that is parsed.
  func decide(about request: PreparedRequest) -> Decision {
    let candidates = closures.candidates(for: request)
    guard !candidates.isEmpty else { return decision(run.respond(to: request)) }
    return run.reserve(request).map { .closures(candidates, $0) } ?? .failure(.ended)
  }

  /// The scenario's decision about a request that no closure answered.
  func decideFromRun(about request: WaitingRequest) -> Decision {
    decision(run.respond(to: request))
  }

  /// The decision that a closure made by returning a response.
  func decide(
    about request: WaitingRequest, returning response: StubResponse, from closure: String
  ) -> Decision {
    guard let event = run.record(request, answeredBy: closure, status: response.sentStatus)
    else { return .failure(.ended) }
    guard !response.hasTemplates else { return .failure(refusalOfTemplate(event)) }
    return planned(
      Selection(event: event, response: response, pacing: run.pacing(of: response), frames: nil))
  }

  /// The decision for an answer, whose callbacks are planned.
  private func planned(_ selection: Selection) -> Decision {
    let event = selection.event
    let response =
      options.control?.control.response(selection.response, to: event, of: self)
      ?? selection.response
    var answer = Answer(
      response, pacing: selection.pacing, to: event.request, frames: selection.frames)
    guard !response.callbacks.isEmpty else { return .answer(answer, event) }
    callbacks.plan(response.callbacks, after: answer.duration, of: event)
    answer.callbacks = response.callbacks
    return .answer(answer, event)
  }

  /// The decision that a closure made by throwing an error.
  func decide(
    about request: WaitingRequest, throwing error: any Error, from closure: String
  ) -> Decision {
    .failure(run.record(request, answeredBy: closure) == nil ? .ended : .thrown(error))
  }

  /// The decision of the scenario; nil once its run has ended.
  private func decision(_ outcome: Outcome<Selection>?) -> Decision {
    switch outcome {
    case nil: .failure(.ended)
    case .respond(let selection): planned(selection)
    case .unmatched(let event): .unmatched(event)
    }
  }

  /// The event that can be sent to a client immediately; nil if the answer has to wait or to be read.
  ///
  /// `decoded` says that content must not have a coding.
  package func immediateEvent(of decision: Decision, decoded: Bool = true) -> ResponseEvent? {
    switch decision {
    case .failure(let failure):
      return .failure(failure)
    case .answer(let answer, _)
    where answer.delay <= .zero && options.control?.control.holdsAnswers != true:
      switch answer.kind {
      case .error(let error, let fault):
        return .failure(.stubbed(error, fault))
      case .reply(let reply) where reply.isWhole:
        guard let content = reply.content else { return .whole(reply.head, Data()) }
        guard !decoded || !reply.head.headers.contains(.contentEncoding), content.range == nil,
          case .bytes(let bytes) = content.body.content
        else { return nil }
        return .whole(reply.head, bytes)
      case .reply, .never, .network, .webSocket:
        return nil
      }
    case .answer, .closures, .unmatched:
      return nil
    }
  }

  /// The bytes of content, decoded as a client's loader would, unless a range is asked for.
  func bytes(
    of reply: Answer.Reply, for event: ServeEvent, decoded: Bool = true
  ) throws(UnavailableContent) -> Data {
    guard let content = reply.content else { return Data() }
    let bytes: Data
    do {
      bytes =
        try contents?(content.body, run.scenario) ?? run.scenario.body(of: content.body)
    } catch {
      let message = "The content that \(origin(of: event)) answers with cannot be read: \(error)"
      note(.unreadableContent, message, event)
      throw UnavailableContent(failure: .unreadableContent(message: message))
    }
    if let range = content.range?.clamped(to: 0..<bytes.count) {
      return Data(bytes.dropFirst(range.lowerBound).prefix(range.count))
    }
    if !decoded { return bytes }
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

  /// Runs the action on another thread after a time of the scenario, unless its owner is gone.
  package func schedule(
    after time: Duration, for owner: ObjectIdentifier, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    clock.schedule(after: time, for: owner, action)
  }

  func note(_ kind: VerificationProblem.Kind, _ message: String, _ event: ServeEvent) {
    let problem = VerificationProblem(
      kind: kind, message: message, scenario: event.scenario ?? run.scenario.name,
      stubKey: event.stubKey, request: event.request)
    state.withLock { if $0.problems.count < mostProblems { $0.problems.append(problem) } }
  }

  /// Forgets parts of what the run has kept.
  package func reset(_ parts: RunParts = .all) {
    run.reset(parts)
    if parts.contains(.journal) {
      callbacks.reset()
      state.withLock { $0.problems = [] }
    }
  }

  /// The problems so far.
  package func problems() -> [VerificationProblem] {
    // With other policies, the test asked for the answer that an unmatched request gets.
    let found = run.problems(
      requiringStubs: options.requiresStubs,
      requiringWholeSequences: options.requiresWholeSequences,
      acceptingUnmatched: options.unmatched != .fail)
    let checked = options.check.map {
      $0.check.problems(of: run, catalog: $0.catalog ?? run.scenario.catalogDescription)
    }
    return found + state.withLock { $0.problems } + (checked ?? [])
  }

  /// Whether the run has ended.
  package var isEnded: Bool { waiting.isEnded }

  /// The test that has ended with the run; nil if it is not known.
  package var endedTest: LateRequests.Ended? { state.withLock(\.endedTest) }

  /// How many requests wait for their answers; those that are answered at once never do.
  package var waitingCount: Int { waiting.count }

  /// The time of a run at the pace `.instant`, and whether nothing is due later.
  package var virtualTime: (now: Duration, isIdle: Bool) { clock.virtualTime }

  /// Adds a request that waits for its answer; false once the run has ended.
  func add(_ exchange: Exchange) -> Bool { waiting.add(exchange) }

  func remove(_ exchange: ObjectIdentifier) { waiting.remove(exchange) }

  /// Ends the run: no further request is decided, and waiting requests are notified shortly after this returns.
  ///
  /// The run ends before the closures, or it would be asked to answer their requests. Later requests are noted as those
  /// of the test.
  package func end(withTest test: String? = nil) {
    if let test { state.withLock { $0.endedTest = LateRequests.Ended(test: test) } }
    let exchanges = waiting.end()
    run.end()
    ledgerRun?.end()
    closures.end()
    callbacks.reset(ending: true)
    for exchange in exchanges { exchange.runEnded() }
  }
}
