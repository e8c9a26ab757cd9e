import Foundation
import StubDBModel
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
      held: held, showsSecrets: SecretDisplay.isShown)
    state = Locked(State(moment: moment))
  }

  /// The nearest stubs, at most three, nearest first.
  var nearMisses: [NearMiss] {
    let (moment, known) = state.withLock { ($0.moment, $0.nearMisses) }
    guard let moment else { return known }
    let prepared = PreparedRequest(
      moment.request, context: MatchContext(arrival: moment.arrival, budget: .explaining))
    let search = NearMissSearch(
      stubs: moment.stubs, request: prepared, progress: moment.progress, held: moment.held)
    let found = SecretDisplay.$isShown.withValue(moment.showsSecrets) { search.nearest() }
    return state.withLock { state in
      if state.moment != nil { (state.moment, state.nearMisses) = (nil, found) }
      return state.nearMisses
    }
  }

  /// The report, made of the nearest stubs on first use.
  func report(_ make: (_ nearMisses: [NearMiss]) -> UnmatchedReport) -> UnmatchedReport {
    if let known = state.withLock(\.report) { return known }
    let made = make(nearMisses)
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
