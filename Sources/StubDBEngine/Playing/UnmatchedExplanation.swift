import Foundation
import StubDBModel
internal import StubDBSupport

/// Why no stub answered a request; computed once, on first use.
///
/// This compares the request with all stubs and searches the catalog, which must not delay the client.
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
    /// Nil once the nearest stubs are known.
    var moment: Moment?
    var nearMisses: [NearMiss] = []
    var otherScenarios: [ScenarioName]?
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
    state.withLock { state in
      guard let moment = state.moment else { return state.nearMisses }
      let prepared = PreparedRequest(
        moment.request, context: MatchContext(arrival: moment.arrival, budget: .explaining))
      let search = NearMissSearch(
        stubs: moment.stubs, request: prepared, progress: moment.progress, held: moment.held)
      state.nearMisses = SecretDisplay.$isShown.withValue(moment.showsSecrets) { search.nearest() }
      state.moment = nil
      return state.nearMisses
    }
  }

  /// Other scenarios in which a stub matches, searched on first use.
  func otherScenarios(_ search: () -> [ScenarioName]) -> [ScenarioName] {
    state.withLock { state in
      if let known = state.otherScenarios { return known }
      let found = search()
      state.otherScenarios = found
      return found
    }
  }
}
