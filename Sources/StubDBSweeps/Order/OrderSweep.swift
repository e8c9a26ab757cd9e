#if canImport(Testing)
  import StubDBEngine
  import StubDBPlayback
  import StubDBSupport
  import StubDBVariations
  import Testing

  /// Releases the answers to requests that are in flight together in one order after another.
  struct OrderSweep: VariationExplorer {
    private static let namePrefix = "order="
    /// Orders that fail in the same way are one finding, and more than a few are not read.
    private static let mostFindings = 3

    /// Other tests whose orders are tried at the same moment would never let the process rest.
    private static let turn = AsyncTurn()

    /// How many orders are tried at most.
    let limit: Int
    /// Decides which orders are tried if there are too many.
    let seed: UInt64
    /// The keys of stubs of which it makes no difference when they answer.
    let independent: Set<String>

    func explore(with runner: SweepRunner) async {
      if let name = runner.filter.only {
        guard name.hasPrefix(Self.namePrefix) else { return }
        let order = name.dropFirst(Self.namePrefix.count).split(separator: ",").map(String.init)
        return await tryAlone(order, runner)
      }
      let plan = SearchedOrder(seed: seed, independent: independent)
      var (seen, hangs): (Set<String>, Int) = ([], 0)
      for number in 0..<max(0, limit) {
        guard !Task.isCancelled, !runner.repetitions.isUnrepeatable,
          seen.count < Self.mostFindings, hangs < Self.mostFindings
        else { return }
        // What the search would reach last is tried at random.
        guard plan.beginRun(random: number >= max(1, limit / 2) ? number : nil) else { return }
        for finding in await attempt(plan, prefix: plan.prefix, runner, known: seen) {
          seen.insert(finding.message)
          // Each takes the whole deadline.
          hangs += finding.kind == .hang ? 1 : 0
        }
      }
    }

    /// Repeats the test in the order of a name: what it lists, or one that was chosen at random.
    private func tryAlone(_ order: [String], _ runner: SweepRunner) async {
      guard let number = SearchedOrder.number(ofRandom: order) else {
        _ = await attempt(GivenOrder(order), prefix: order, runner)
        return
      }
      let plan = SearchedOrder(seed: seed, independent: independent)
      _ = plan.beginRun(random: number)
      _ = await attempt(plan, prefix: order, runner)
    }

    /// Repeats the test in an order; returns what it finds, of which what is known is not reported.
    private func attempt(
      _ plan: any OrderPlan, prefix: [String], _ runner: SweepRunner, known: Set<String> = []
    ) async -> [Finding] {
      let names = OrderNames(runner.base.journal, in: runner.base.scenario)
      let control = OrderControl(plan, names: names)
      var found: [Finding] = []
      await Self.turn.begin()
      defer { Self.turn.end() }
      await runner.attempt(Self.variation(prefix), control: control) { attempt in
        let problem = attempt.issues.first ?? attempt.error.map { "the test throws \($0)" }
        return problem.map { [Self.finding($0)] } ?? []
      } named: {
        Self.variation(control.order)
      } isNew: {
        found.append($0)
        return !known.contains($0.message)
      }
      return found
    }

    private static func finding(_ problem: String) -> Finding {
      Finding(.failure, "The test fails in this order of answers, and not without it: \(problem)")
    }

    private static func variation(_ order: [String]) -> Variation {
      let list = order.joined(separator: ",")
      return Variation(
        .order, name: namePrefix + list,
        summary: "the answers come in the order \(list.isEmpty ? "of the requests" : list)",
        stub: nil)
    }
  }

  /// An order that a finding has printed; what it does not name comes in the order of the requests.
  private final class GivenOrder: OrderPlan {
    private let rest: Locked<[String]>

    init(_ order: [String]) { rest = Locked(order) }

    var expected: [String] { rest.withLock { $0.first.map { [$0] } ?? [] } }

    func choose(among pending: [String]) -> String? {
      rest.withLock { rest in
        guard let index = rest.firstIndex(where: pending.contains) else { return nil }
        defer { rest.removeFirst(index + 1) }
        return rest[index]
      }
    }
  }

  /// One order after another.
  private final class SearchedOrder: OrderPlan {
    /// The name of a random order before it is known, without its number; no key has it.
    private static let randomName = "@random-"

    private struct State {
      var search: OrderSearch
      var generator = SeededGenerator(seed: 0)
      /// The number of the run that chooses at random; nil for one of the search.
      var random: Int?
    }

    private let seed: UInt64
    private let state: Locked<State>

    init(seed: UInt64, independent: Set<String>) {
      self.seed = seed
      let search = OrderSearch { one, other in
        independent.contains { key in
          OrderNames.isName(one, ofKey: key) || OrderNames.isName(other, ofKey: key)
        }
      }
      state = Locked(State(search: search))
    }

    /// The number of a random order that a name consists of; nil for others.
    static func number(ofRandom order: [String]) -> Int? {
      guard order.count == 1, order[0].hasPrefix(randomName) else { return nil }
      return Int(order[0].dropFirst(randomName.count))
    }

    /// Begins the next run; false if all orders were tried.
    ///
    /// One with a number chooses at random, always in the same way.
    func beginRun(random: Int?) -> Bool {
      state.withLock { state in
        state.random = random
        guard let random else { return state.search.beginRun() }
        state.generator = SeededGenerator(seed: seed &+ UInt64(truncatingIfNeeded: random))
        return !state.search.isExhausted
      }
    }

    var prefix: [String] {
      state.withLock { state in
        state.random.map { ["\(Self.randomName)\($0)"] } ?? state.search.prefix
      }
    }

    var expected: [String] {
      state.withLock { $0.random == nil ? $0.search.expected : [] }
    }

    func choose(among pending: [String]) -> String? {
      state.withLock { state in
        guard state.random != nil else { return state.search.choose(among: pending) }
        return pending.randomElement(using: &state.generator)
      }
    }
  }
#endif
