#if canImport(Testing)
  import StubDBEngine
  import StubDBModel
  import StubDBPlayback
  import StubDBSupport
  import StubDBVariations

  /// Controls the answers of a repetition.
  protocol RepetitionControl: AnswerControl {
    /// How many requests wait because of it, and not for their answers.
    var heldCount: Int { get }
    /// The requests to the stub that is varied, in order.
    var varied: [VariedRequest] { get }
    /// What was asked too often; nil if nothing was.
    var excess: StubRequest? { get }
    /// Whether the variation has changed anything.
    var hasVaried: Bool { get }
    /// Why the repetition was not the one that is named; nil if it was.
    var obstacle: String? { get }
    /// What of the variation was left when the test ended, as a sentence; nil if nothing was.
    var unfinished: String? { get }
    /// Works beside the repetition, until its task is cancelled.
    func drive(_ player: Player) async
  }

  extension RepetitionControl {
    var obstacle: String? { nil }
    var unfinished: String? { nil }
  }

  /// Changes the answers of one stub in a repetition, and stops a client that asks again and again.
  final class VariationControl: RepetitionControl {
    private struct State {
      var counts: [StubName: Int] = [:]
      var varied: [VariedRequest] = []
      /// What was asked too often; its client waits from then on, since one that retries would never rest.
      var excess: StubRequest?
      var hasVaried = false
    }

    private let variation: Variation
    /// How often stubs may be asked.
    private let limits: [StubName: Int]
    private let retries: Int
    private let events: AsyncStream<RepetitionEvent>.Continuation
    private let state = Locked(State())

    init(
      _ variation: Variation, unchanged journal: [ServeEvent], retries: Int,
      events: AsyncStream<RepetitionEvent>.Continuation
    ) {
      self.variation = variation
      self.retries = retries
      self.events = events
      limits = journal.compactMap(StubName.init).reduce(into: [:]) { $0[$1, default: retries] += 1 }
    }

    var holdsAnswers: Bool { state.withLock { $0.excess != nil } }

    var heldCount: Int { 0 }

    var varied: [VariedRequest] { state.withLock(\.varied) }

    var excess: StubRequest? { state.withLock(\.excess) }

    /// True without a change, as nothing is to be varied.
    var hasVaried: Bool { variation.change == nil || state.withLock(\.hasVaried) }

    func response(
      _ response: StubResponse, to event: ServeEvent, of player: Player
    ) -> StubResponse {
      guard let stub = StubName(event) else { return response }
      let isVaried = stub == variation.stub
      let request = VariedRequest(
        request: event.request, virtualTime: player.virtualTime.now, realTime: .now)
      let isExcess = state.withLock { state in
        state.counts[stub, default: 0] += 1
        if isVaried { state.varied.append(request) }
        guard state.excess == nil, state.counts[stub] ?? 0 > limits[stub] ?? retries else {
          return false
        }
        state.excess = event.request
        return true
      }
      if isExcess { events.yield(.givenUp(.endlessRetry)) }
      guard isVaried, let change = variation.change else { return response }
      let changed = change.response(response, to: event, in: player.run)
      if changed != response { state.withLock { $0.hasVaried = true } }
      return changed
    }

    func drive(_ player: Player) async {}

    /// Never gives the answer.
    func hold(
      _ event: ServeEvent, give: @escaping @Sendable () -> Void
    ) -> any Cancellable { NothingToCancel() }
  }
#endif
