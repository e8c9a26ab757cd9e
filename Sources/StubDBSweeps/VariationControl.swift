#if canImport(Testing)
  import StubDBEngine
  import StubDBModel
  import StubDBPlayback
  import StubDBSupport
  import StubDBVariations

  /// Changes the answers of one stub in a repetition, and stops a client that asks again and again.
  final class VariationControl: AnswerControl {
    private struct State {
      var counts: [StubName: Int] = [:]
      var varied: [VariedRequest] = []
      /// What was asked too often; its client waits from then on, since one that retries would never rest.
      var excess: StubRequest?
    }

    private let variation: Variation
    /// How often stubs may be asked.
    private let limits: [StubName: Int]
    private let retries: Int
    /// Called once, when a stub was asked too often.
    private let onExcess: @Sendable () -> Void
    private let state = Locked(State())

    init(
      _ variation: Variation, unchanged journal: [ServeEvent], retries: Int,
      onExcess: @escaping @Sendable () -> Void
    ) {
      self.variation = variation
      self.retries = retries
      self.onExcess = onExcess
      limits = journal.compactMap(StubName.init).reduce(into: [:]) { $0[$1, default: retries] += 1 }
    }

    var holdsAnswers: Bool { state.withLock { $0.excess != nil } }

    /// The requests to the stub that is varied.
    var varied: [VariedRequest] { state.withLock(\.varied) }

    /// What was asked too often; nil if nothing was.
    var excess: StubRequest? { state.withLock(\.excess) }

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
      if isExcess { onExcess() }
      guard isVaried, let change = variation.change else { return response }
      return change.response(response, to: event, in: player.run)
    }

    /// Never gives the answer.
    func hold(
      _ event: ServeEvent, give: @escaping @Sendable () -> Void
    ) -> any Cancellable { NothingToCancel() }
  }
#endif
