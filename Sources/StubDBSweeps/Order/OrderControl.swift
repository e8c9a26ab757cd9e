#if canImport(Testing)
  import StubDBEngine
  import StubDBModel
  import StubDBPlayback
  import StubDBSupport
  import StubDBVariations

  /// Holds the answers of a repetition, and releases one after the other.
  final class OrderControl: RepetitionControl {
    private struct Held {
      let name: String
      /// The place of its target, and its number among the requests to the target.
      let place: (target: Int, number: Int)
      let give: @Sendable () -> Void
    }

    private struct State {
      var names: OrderNames
      var counts: [String: Int] = [:]
      var held: [Held] = []
      /// How many requests came or were given up.
      var changes = 0
      var order: [String] = []
    }

    private let plan: any OrderPlan
    private let state: Locked<State>

    init(_ plan: any OrderPlan, names: OrderNames) {
      self.plan = plan
      state = Locked(State(names: names))
    }

    var holdsAnswers: Bool { true }
    var heldCount: Int { state.withLock(\.held.count) }
    var varied: [VariedRequest] { [] }
    var excess: StubRequest? { nil }

    /// The names of the answers in the order in which they were released.
    var order: [String] { state.withLock(\.order) }

    func response(
      _ response: StubResponse, to event: ServeEvent, of player: Player
    ) -> StubResponse { response }

    func hold(_ event: ServeEvent, give: @escaping @Sendable () -> Void) -> any Cancellable {
      let name = state.withLock { state -> String? in
        guard let target = state.names.name(of: event) else { return nil }
        let number = (state.counts[target.name] ?? 0) + 1
        state.counts[target.name] = number
        let name = target.name + (number > 1 ? ".\(number)" : "")
        state.held.append(Held(name: name, place: (target.place, number), give: give))
        state.changes += 1
        return name
      }
      guard let name else {
        give()
        return NothingToCancel()
      }
      return HeldAnswer(control: self, name: name)
    }

    private struct HeldAnswer: Cancellable {
      let control: OrderControl
      let name: String

      func cancel() { control.giveUp(name) }
    }

    private func giveUp(_ name: String) {
      state.withLock { state in
        let count = state.held.count
        state.held.removeAll { $0.name == name }
        if state.held.count < count { state.changes += 1 }
      }
    }

    // MARK: Releasing

    /// The names of the answers that can be released, in the order of their stubs; of equal requests only the first.
    private var pending: [String] {
      state.withLock { state in
        let sorted = state.held.sorted { $0.place < $1.place }
        var seen: Set<Int> = []
        return sorted.filter { seen.insert($0.place.target).inserted }.map(\.name)
      }
    }

    func drive(_ player: Player) async {
      while !Task.isCancelled {
        await settle(player)
        let pending = pending
        guard !pending.isEmpty, !Task.isCancelled else { continue }
        release(plan.choose(among: pending) ?? pending[0])
      }
    }

    private func release(_ name: String) {
      let give = state.withLock { state -> (@Sendable () -> Void)? in
        guard let index = state.held.firstIndex(where: { $0.name == name }) else { return nil }
        state.order.append(name)
        return state.held.remove(at: index).give
      }
      give?()
    }

    /// Waits until the code under test waits for answers: until nothing more comes, nothing is due in the scenario's time,
    /// and what earlier runs had here is here.
    private func settle(_ player: Player) async {
      var quiet = Quiet()
      while !Task.isCancelled {
        let before = state.withLock(\.changes)
        await quiet.window()
        // What was released is not in the way any more once its client has been told.
        let isTold = player.waitingCount <= heldCount || quiet.hasWaitedLong
        let isUnchanged =
          isTold && state.withLock(\.changes) == before && player.virtualTime.isIdle
        guard quiet.isSettled(isUnchanged: isUnchanged) else { continue }
        let missing = Set(plan.expected).subtracting(pending)
        if missing.isEmpty || quiet.hasWaitedLong { return }
      }
    }
  }

  /// Chooses the order of the answers of a repetition.
  protocol OrderPlan: Sendable {
    /// The answers that can probably be released next.
    var expected: [String] { get }
    /// Chooses one; nil for any.
    func choose(among pending: [String]) -> String?
  }
#endif
