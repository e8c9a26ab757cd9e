import Foundation
import HTTPTypes
internal import StubDBSupport

/// Why no stub answered a request; computed once, on first use.
///
/// This compares the request with all stubs and searches the catalog, which must not delay the client. It is done
/// without the lock, which a search may take long to give back; of two that search at once, the first one's result
/// counts.
final class UnmatchedExplanation: Sendable {
  /// The state that the computation needs, from the time of the request.
  private struct Moment: Sendable {
    let stubs: CompiledStubs
    let request: StubRequest
    let arrival: Date
    let progress: RunState.Progress
    let held: [Int]
    /// Whether whoever made the request is shown secrets; the search may run in another task.
    let showsSecrets: Bool
    let work: RequestWork?

    /// Whether the content may take much memory in the forms that are compared.
    var isLarge: Bool {
      (request.content?.count ?? 0) > 64 << 10
        || request.content?.isEmpty == false && request.headers.contains(.contentEncoding)
    }
  }

  private struct State {
    /// Nil once the nearest stubs are known, or not needed.
    var moment: Moment?
    var nearMisses: [NearMiss] = []
    var report: UnmatchedReport?
  }

  private let state: Locked<State>

  init(
    _ stubs: CompiledStubs, _ request: PreparedRequest, progress: RunState.Progress, held: [Int]
  ) {
    let moment = Moment(
      stubs: stubs, request: request.request, arrival: request.context.arrival, progress: progress,
      held: held, showsSecrets: SecretDisplay.isShown, work: request.context.work)
    state = Locked(State(moment: moment))
  }

  /// The nearest stubs, at most three, nearest first.
  var nearMisses: [NearMiss] { searched().found }

  /// The nearest stubs, and whether all were compared: the search ends when the client goes.
  private func searched() -> (found: [NearMiss], isWhole: Bool) {
    let (moment, known) = state.withLock { ($0.moment, $0.nearMisses) }
    guard let moment else { return (known, true) }
    // Who asks after the client has gone wants to know for another reason.
    let work = moment.work?.isCancelled == true ? nil : moment.work
    let prepared = PreparedRequest(
      moment.request,
      context: MatchContext(arrival: moment.arrival, budget: .explaining, work: work))
    let search = NearMissSearch(
      stubs: moment.stubs, request: prepared, progress: moment.progress, held: moment.held)
    let found = SecretDisplay.$isShown.withValue(moment.showsSecrets) { search.nearest() }
    guard !prepared.context.isAbandoned else { return (found, false) }
    return state.withLock { state in
      if state.moment != nil { (state.moment, state.nearMisses) = (nil, found) }
      return (state.nearMisses, true)
    }
  }

  /// The report, made of the nearest stubs on first use.
  ///
  /// The large requests of one front end are explained one after the other, because each may take much memory. A report
  /// that the client does not wait for any more has no stubs, and is made again on demand.
  func report(
    _ make: (_ nearMisses: [NearMiss], _ isComplete: Bool) -> UnmatchedReport
  ) -> UnmatchedReport {
    if let known = state.withLock(\.report) { return known }
    guard let moment = state.withLock(\.moment), moment.isLarge, let work = moment.work else {
      return madeReport(make)
    }
    let wasWaitedFor = !work.isCancelled
    return work.inTurn {
      wasWaitedFor && work.isCancelled ? make([], false) : madeReport(make)
    }
  }

  private func madeReport(
    _ make: (_ nearMisses: [NearMiss], _ isComplete: Bool) -> UnmatchedReport
  ) -> UnmatchedReport {
    let (found, isWhole) = searched()
    let made = make(found, isWhole)
    guard isWhole else { return made }
    return state.withLock { state in
      let report = state.report ?? made
      state.report = report
      return report
    }
  }

  /// Releases what only the search needs, if no report will be made: the nearest stubs are then unknown.
  func discard() {
    state.withLock { $0.moment = nil }
  }
}
