#if canImport(Testing)
  import StubDBEngine
  import StubDBModel
  import StubDBPlayback
  import StubDBSupport
  import StubDBVariations

  /// Holds the answers and the sleeps of a repetition, and releases one after the other.
  final class OrderControl: RepetitionControl, SleepControl {
    private struct Held {
      enum Kind {
        /// The place of the target of the request, and the number among the requests to it.
        case answer(target: Int, number: Int)
        case sleep(due: Duration)
      }

      let name: String
      let kind: Kind
      let give: @Sendable () -> Void

      var isAnswer: Bool { if case .answer = kind { true } else { false } }
    }

    private struct State {
      var names: OrderNames
      var counts: [String: Int] = [:]
      var held: [Held] = []
      /// How many requests and sleeps came or were given up.
      var changes = 0
      var order: [String] = []
      /// How many sleeps were ended since the last answer.
      var endedSleeps = 0

      /// A name for each use of one of a target or of a sleep.
      mutating func number(_ name: String) -> Int {
        counts[name, default: 0] += 1
        return counts[name] ?? 1
      }

      mutating func add(
        _ name: String, _ number: Int, _ kind: Held.Kind, _ give: @escaping @Sendable () -> Void
      )
        -> String
      {
        let name = OrderNames.numbered(name, number)
        held.append(Held(name: name, kind: kind, give: give))
        changes += 1
        return name
      }
    }

    /// While an answer waits, no more sleeps end one after the other: a client that looks again and again whether the
    /// answer is there would do so for ever.
    private static let mostSleepsInARow = 3

    private let plan: any OrderPlan
    private let state: Locked<State>

    init(_ plan: any OrderPlan, names: OrderNames) {
      self.plan = plan
      state = Locked(State(names: names))
    }

    var holdsAnswers: Bool { true }
    var heldCount: Int { state.withLock { $0.held.count(where: \.isAnswer) } }
    var varied: [VariedRequest] { [] }
    var excess: StubRequest? { nil }
    var hasVaried: Bool { true }
    var obstacle: String? { plan.obstacle }
    var unfinished: String? { plan.unfinished }

    /// The names of the answers and sleeps in the order in which they were released.
    var order: [String] { state.withLock(\.order) }

    func response(
      _ response: StubResponse, to event: ServeEvent, of player: Player
    ) -> StubResponse { response }

    func hold(_ event: ServeEvent, give: @escaping @Sendable () -> Void) -> any Cancellable {
      let name = state.withLock { state -> String? in
        guard let target = state.names.name(of: event) else { return nil }
        let number = state.number(target.name)
        return state.add(target.name, number, .answer(target: target.place, number: number), give)
      }
      guard let name else {
        give()
        return NothingToCancel()
      }
      return HeldAnswer(control: self, name: name)
    }

    func hold(
      sleep length: Duration, until due: Duration, end: @escaping @Sendable () -> Void
    ) -> any Cancellable {
      let name = state.withLock { state in
        let name = OrderNames.name(ofSleep: length)
        return state.add(name, state.number(name), .sleep(due: due), end)
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

    /// The names of what can be released: the answers in the order of their stubs, of equal requests only the first, and
    /// then the sleep that ends first.
    private var pending: [String] {
      state.withLock { state in
        var answers: [(place: (target: Int, number: Int), name: String)] = []
        var next: (due: Duration, name: String)?
        for held in state.held {
          switch held.kind {
          case .answer(let target, let number): answers.append(((target, number), held.name))
          case .sleep(let due): if next.map({ due < $0.due }) ?? true { next = (due, held.name) }
          }
        }
        var seen: Set<Int> = []
        let names = answers.sorted { $0.place < $1.place }
          .filter { seen.insert($0.place.target).inserted }.map(\.name)
        guard let next, names.isEmpty || state.endedSleeps < Self.mostSleepsInARow else {
          return names
        }
        return names + [next.name]
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
        let held = state.held.remove(at: index)
        state.endedSleeps = held.isAnswer ? 0 : state.endedSleeps + 1
        return held.give
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
    /// Why the order was not the one that is named; nil if it was.
    var obstacle: String? { get }
    /// What of the order was left when the test ended, as a sentence; nil if nothing was.
    var unfinished: String? { get }
  }

  extension OrderPlan {
    var obstacle: String? { nil }
    var unfinished: String? { nil }
  }
#endif
