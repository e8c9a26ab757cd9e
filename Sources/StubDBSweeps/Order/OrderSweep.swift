#if canImport(Testing)
  import StubDBEngine
  import StubDBModel
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
        guard let order = Self.order(name) else { return }
        return await tryAlone(order, runner)
      }
      guard NothingToVary.isAnswered(runner) else {
        return NothingToVary(.order, runner).report("")
      }
      guard limit > 0 else {
        return NothingToVary(.order, runner).report("It is given a limit of no orders.")
      }
      await tryAll(runner)
    }

    private func tryAll(_ runner: SweepRunner) async {
      let plan = searched(runner)
      var (orders, seen, hangs): (Set<[String]>, Set<String>, Int) = ([], [], 0)
      for number in 0... {
        guard !Task.isCancelled, !runner.repetitions.isUnrepeatable,
          seen.count < Self.mostFindings, hangs < Self.mostFindings
        else { return }
        guard number < limit else { break }
        // What the search would not reach is tried at random.
        let isRandom = number >= max(1, limit / 2) && plan.estimatedCount > Double(limit)
        guard plan.beginRun(random: isRandom ? number : nil) else { return }
        let (order, findings) = await attempt(plan, prefix: plan.prefix, runner, known: seen)
        orders.insert(order)
        for finding in findings {
          seen.insert(finding.message)
          // Each takes the whole deadline.
          hangs += finding.kind == .hang ? 1 : 0
        }
      }
      guard !plan.isExhausted else { return }
      NothingToVary(.order, runner).report(triedOrders: orders.count, of: limit)
    }

    private func searched(_ runner: SweepRunner) -> SearchedOrder {
      SearchedOrder(
        seed: seed, independent: independent,
        requests: OrderNames.fingerprint(of: runner.base.journal, in: runner.base.scenario))
    }

    /// Repeats the test in the order of a name: what it lists, or one that was chosen at random.
    private func tryAlone(_ order: [String], _ runner: SweepRunner) async {
      let searched = searched(runner)
      let number = searched.number(ofRandom: order)
      if let number { _ = searched.beginRun(random: number) }
      let plan: any OrderPlan = number == nil ? GivenOrder(order) : searched
      let found = await attempt(plan, prefix: order, runner).findings
      if !found.isEmpty || plan.obstacle == nil && plan.unfinished == nil {
        runner.note(isKnown: true)
      }
    }

    /// Repeats the test in an order; returns that, and what it finds, of which what is known is not reported.
    private func attempt(
      _ plan: any OrderPlan, prefix: [String], _ runner: SweepRunner, known: Set<String> = []
    ) async -> (order: [String], findings: [Finding]) {
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
      return (control.order, found)
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

  // MARK: Names

  extension OrderSweep {
    /// Whether a name is one of orders, of whatever test.
    static func isOrder(_ name: String) -> Bool { name.hasPrefix(namePrefix) }

    /// What a name lists; nil for a name of another variation.
    private static func order(_ name: String) -> [String]? {
      guard isOrder(name) else { return nil }
      return name.dropFirst(namePrefix.count).split(separator: ",").map(String.init)
    }

    /// None, since orders are found while they are tried.
    func names(with runner: SweepRunner) -> [String] { [] }

    /// Whether a name may be one of an order of the test: the first of its answers is one to a request that the unchanged
    /// test sends, and the others are of stubs that it can ask.
    func has(_ name: String, with runner: SweepRunner) -> Bool {
      guard let order = Self.order(name) else { return false }
      if SearchedOrder.isRandom(order) { return searched(runner).number(ofRandom: order) != nil }
      let answers = order.filter { !OrderNames.isSleep($0) }
      let asked = Set(runner.base.journal.compactMap { StubName($0)?.key })
      let all = asked.union(runner.base.scenario.sources.map(\.stub.key.rawValue))
      func isName(_ name: String, of keys: Set<String>) -> Bool {
        keys.contains { OrderNames.isName(name, ofKey: $0) }
      }
      return answers.first.map { isName($0, of: asked) } ?? true
        && answers.allSatisfy { isName($0, of: all) }
    }

    /// The order with the nearest names of requests that the unchanged test sends.
    func alternatives(to name: String, with runner: SweepRunner) -> [String] {
      guard let order = Self.order(name), !SearchedOrder.isRandom(order) else { return [] }
      let names = OrderNames(runner.base.journal, in: runner.base.scenario).all
      let nearest = order.compactMap { OrderNames.isSleep($0) ? $0 : names.nearest(to: $0) }
      guard nearest.count == order.count, nearest != order else { return [] }
      return [Self.variation(nearest).name]
    }
  }

  /// An order that a finding has printed; what comes after what it lists comes in the order of the requests.
  private final class GivenOrder: OrderPlan {
    private struct State {
      var rest: ArraySlice<String>
      var obstacle: String?
    }

    private let order: [String]
    private let state: Locked<State>

    init(_ order: [String]) {
      self.order = order
      state = Locked(State(rest: order[...]))
    }

    var expected: [String] { state.withLock { $0.rest.first.map { [$0] } ?? [] } }

    func choose(among pending: [String]) -> String? {
      state.withLock { state in
        guard let next = state.rest.first else { return nil }
        if pending.contains(next) { return state.rest.popFirst() }
        let before = order.prefix(upTo: state.rest.startIndex).joined(separator: ",")
        state.obstacle =
          "This order cannot be followed: \(before.isEmpty ? "at first" : "after \(before)"), nothing waits for \(next), "
          + "but for \(pending.joined(separator: ", ")). \(Self.advice)"
        // The test goes on, so that it ends.
        state.rest = []
        return nil
      }
    }

    var obstacle: String? { state.withLock(\.obstacle) }

    var unfinished: String? {
      let rest = state.withLock(\.rest)
      guard !rest.isEmpty else { return nil }
      return "This order cannot be followed: the test has passed, and has not waited for "
        + "\(rest.joined(separator: ", ")). \(Self.advice)"
    }

    private static let advice =
      "Does the code under test send other requests now? To try the orders that there are, leave the name out."
  }

  /// One order after another.
  private final class SearchedOrder: OrderPlan {
    /// The name of a random order before it is known, without its number and what it was chosen for; no key has it.
    private static let randomName = "@random-"

    private struct State {
      var search: OrderSearch
      var generator = SeededGenerator(seed: 0)
      /// The number of the run that chooses at random; nil for one of the search.
      var random: Int?
    }

    private let seed: UInt64
    /// Ends the names of random orders: with other requests or another seed, the same number would be another order.
    private let mark: String
    private let state: Locked<State>

    init(seed: UInt64, independent: Set<String>, requests: String) {
      self.seed = seed
      mark = "-\(seed)-\(requests)"
      let search = OrderSearch { one, other in
        independent.contains { key in
          OrderNames.isName(one, ofKey: key) || OrderNames.isName(other, ofKey: key)
        }
      }
      state = Locked(State(search: search))
    }

    /// Whether a name consists of a random order, of whatever test.
    static func isRandom(_ order: [String]) -> Bool {
      order.count == 1 && order[0].hasPrefix(randomName)
    }

    /// The number of a random order of these requests and this seed that a name consists of; nil for others.
    func number(ofRandom order: [String]) -> Int? {
      guard Self.isRandom(order), order[0].hasSuffix(mark) else { return nil }
      return Int(order[0].dropFirst(Self.randomName.count).dropLast(mark.count))
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

    /// Whether no order is left.
    var isExhausted: Bool { state.withLock(\.search.isExhausted) }

    /// About how many orders there are.
    var estimatedCount: Double { state.withLock(\.search.estimatedCount) }

    var prefix: [String] {
      state.withLock { state in
        state.random.map { ["\(Self.randomName)\($0)\(mark)"] } ?? state.search.prefix
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
