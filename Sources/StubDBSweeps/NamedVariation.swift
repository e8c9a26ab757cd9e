#if canImport(Testing)
  import StubDBEngine
  import StubDBPlayback
  import StubDBSupport
  import StubDBTesting
  import StubDBURLProtocol
  import StubDBVariations
  import Testing

  /// The variation that a trait or the variable names, looked for among those of one case of a test.
  struct NamedVariation {
    private static let mostListed = 20

    let name: String
    private let runner: SweepRunner
    /// The innermost sweep of each kind.
    private let sweeps: [SweepTrait]

    /// Nil if none is named.
    init?(for runner: SweepRunner, _ sweeps: [SweepTrait]) {
      guard let name = runner.filter.only else { return nil }
      (self.name, self.runner, self.sweeps) = (name, runner, sweeps)
    }

    /// Whether a sweep of the test has it.
    var isKnown: Bool { sweeps.contains { $0.explorer.has(name, with: runner) } }

    /// Notes whether the test has it; if no other test and no other case may have it, its lack is an issue.
    func report() {
      let isKnown = isKnown
      if runner.asking != nil {
        // Whether an order is one of the test is known when it was followed.
        runner.note(
          isKnown: isKnown && !OrderSweep.isOrder(name), near: isKnown ? [] : near)
      } else if !isKnown {
        Issue.record(Comment(rawValue: problem), sourceLocation: runner.test.sourceLocation)
      }
    }

    private var near: [String] {
      sweeps.flatMap { $0.explorer.alternatives(to: name, with: runner) }
    }

    private var problem: String {
      let start = "This test has no variation \"\(name)\""
      let meant = near.first.map { " Did you mean \"\($0)\"?" } ?? ""
      let hasOrders = sweeps.contains { $0.kind == .order } && NothingToVary.isAnswered(runner)
      if OrderSweep.isOrder(name), hasOrders {
        return
          "\(start): an order is named by the requests of the test and its seed, which are others now.\(meant) "
          + "To try the orders that there are, leave the name out."
      }
      let all = sweeps.flatMap { $0.explorer.names(with: runner) }
      guard !all.isEmpty else {
        return hasOrders
          ? "\(start), but orders of answers, whose names begin with \"order=\"."
          : "\(start), and none at all: there is nothing to vary in what it was answered."
      }
      let known = all.prefix(Self.mostListed).joined(separator: ", ")
      return "\(start).\(meant) It has: \(known)\(all.count > Self.mostListed ? ", …" : "")."
    }
  }

  extension NamedVariations.Asking {
    /// What a filter asks several tests for, or several cases of one; nil if it asks one case alone, or for nothing.
    init?(_ filter: SweepFilter, suite: String?, _ test: Test) {
      guard let name = filter.only else { return nil }
      if filter.isOfProcess {
        self.init(name: name, origin: .variable)
      } else if let suite {
        self.init(name: name, origin: .suite(suite))
      } else if test.isParameterized {
        self.init(name: name, origin: .test(test.ledgerName))
      } else {
        return nil
      }
    }
  }

  extension VariationExplorer {
    /// The names of a list that are likely meant, at most three: those that are written like it, or else of the same stub.
    static func nearest(_ names: [String], to name: String) -> [String] {
      var (rest, near) = (names, [String]())
      while near.count < 3, let nearest = rest.nearest(to: name) {
        near.append(nearest)
        rest.removeAll { $0 == nearest }
      }
      guard near.isEmpty, let end = name.firstIndex(of: "/") else { return near }
      return Array(names.filter { $0.hasPrefix(name[...end]) }.prefix(3))
    }
  }
#endif
