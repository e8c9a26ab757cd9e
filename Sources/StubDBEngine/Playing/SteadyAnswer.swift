internal import Foundation
package import StubDBModel
internal import StubDBSupport

/// An answer that depends on nothing but the request, so that every equal request gets it as long as the run goes on.
///
/// A front end that knows a request again need not parse it, nor look for the stub.
package final class SteadyAnswer: Sendable {
  fileprivate let rank: Int
  /// The entry of the journal for the first of these requests.
  fileprivate let example: ServeEvent

  fileprivate init(rank: Int, example: ServeEvent) {
    (self.rank, self.example) = (rank, example)
  }

  /// The key of the stub that answers.
  package var stubKey: String { example.stubKey ?? "" }
  /// The scenario whose document contains the stub.
  package var scenario: ScenarioName? { example.scenario }
}

extension ScenarioRun {
  /// The answer that requests like this one always get; nil if that depends on what came before, on the time, or on
  /// chance.
  ///
  /// `status` is what its client has got.
  package func steadyAnswer(like event: ServeEvent, status: Int) -> SteadyAnswer? {
    let stubs = scenario.stubs
    guard event.isMatched, event.remark == nil, event.frames == nil, !stubs.comparesWithTime else {
      return nil
    }
    var matches = StubMatches(stubs, PreparedRequest(event.request))
    matches.findMore()
    guard let rank = matches.ranks.first, stubs.plainStub(rank) != nil,
      matches.verdict(rank, at: 0) == true,
      stubs.sources[rank].stub.key.rawValue == event.stubKey,
      let response = stubs.sources[rank].stub.responses.first, response.isSteady
    else { return nil }
    return SteadyAnswer(rank: rank, example: event.with(status: status).counted())
  }

  /// Records another request that gets the answer; nil once the run has ended.
  ///
  /// The answer has taken this many nanoseconds.
  package func record(_ answer: SteadyAnswer, after nanoseconds: Int64) -> ServeEvent? {
    let arrival = clock()
    let event = state.withLock { $0.record(answer.rank, answer.example, arrival, nanoseconds) }
    if let event { observer?(event) }
    return event
  }
}

extension RunState {
  /// Takes the turn of a stub that does nothing but answer, for a request that was seen before.
  fileprivate mutating func record(
    _ rank: Int, _ example: ServeEvent, _ arrival: Date, _ nanoseconds: Int64
  ) -> ServeEvent? {
    guard !isEnded else { return nil }
    let event = ServeEvent(repeating: example, number: journal.nextNumber, arrival: arrival)
    journal.enter(event, after: nanoseconds)
    progress.given[rank] = (progress.given[rank] ?? 0) + 1
    return event
  }
}

extension StubResponse {
  /// Whether that of a plain stub is given whole, and nothing else happens.
  fileprivate var isSteady: Bool { error == nil && fault == nil && callbacks.isEmpty }
}
