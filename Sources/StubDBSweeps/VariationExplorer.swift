#if canImport(Testing)
  import StubDBEngine
  import StubDBPlayback
  import StubDBVariations

  /// Chooses the variations that a test is repeated under, and judges what they show.
  protocol VariationExplorer: Sendable {
    /// Tries variations with the runner, one after the other.
    func explore(with runner: SweepRunner) async
    /// The names of the variations, as far as they are known before one is tried.
    func names(with runner: SweepRunner) -> [String]
    /// Whether a variation of the test has a name.
    func has(_ name: String, with runner: SweepRunner) -> Bool
    /// Names of variations of the test that are likely meant, the likeliest first.
    func alternatives(to name: String, with runner: SweepRunner) -> [String]
  }

  /// An explorer whose variations are known before the first is tried.
  protocol ListedVariations: VariationExplorer, VariationSource {
    /// What an attempt shows besides what counts for all: hangs, endless retries, requests that no stub matches.
    func findings(of attempt: Attempt, under variation: Variation, with runner: SweepRunner)
      async -> [Finding]
    /// All variations that can be tried by their names.
    func unabridged(of journal: [ServeEvent], in scenario: LoadedScenario) -> [Variation]
    /// What limits leave out of the variations, each with the stub; empty if all are tried.
    func leftOut(of journal: [ServeEvent], in scenario: LoadedScenario) -> [String]
    /// Why there are none although stubs answered, as sentences.
    func reasonForNone(of journal: [ServeEvent], in scenario: LoadedScenario) -> String
  }

  extension ListedVariations {
    func unabridged(of journal: [ServeEvent], in scenario: LoadedScenario) -> [Variation] {
      variations(of: journal, in: scenario)
    }

    func leftOut(of journal: [ServeEvent], in scenario: LoadedScenario) -> [String] { [] }

    private func all(_ runner: SweepRunner) -> [Variation] {
      variations(of: runner.base.journal, in: runner.base.scenario)
    }

    /// The variation with a name, also if it is tried only by its name.
    private func named(_ name: String, _ runner: SweepRunner) -> Variation? {
      all(runner).first { $0.name == name }
        ?? unabridged(of: runner.base.journal, in: runner.base.scenario).first { $0.name == name }
    }

    func names(with runner: SweepRunner) -> [String] { all(runner).map(\.name) }

    func has(_ name: String, with runner: SweepRunner) -> Bool { named(name, runner) != nil }

    func alternatives(to name: String, with runner: SweepRunner) -> [String] {
      Self.nearest(names(with: runner), to: name)
    }

    func explore(with runner: SweepRunner) async {
      var variations: [Variation] = []
      if let name = runner.filter.only {
        variations = named(name, runner).map { [$0] } ?? []
      } else {
        variations = all(runner)
        if variations.isEmpty {
          return NothingToVary(kind, runner).report(
            reasonForNone(of: runner.base.journal, in: runner.base.scenario))
        }
      }
      for variation in variations {
        guard !Task.isCancelled, !runner.repetitions.isUnrepeatable else { return }
        await runner.attempt(variation) { await findings(of: $0, under: variation, with: runner) }
      }
      guard runner.filter.only == nil else { return }
      NothingToVary(kind, runner).report(
        leftOut: leftOut(of: runner.base.journal, in: runner.base.scenario))
    }
  }

  /// What a repetition did.
  struct Attempt: Sendable {
    /// Why it was given up; nil if the function of the test has ended.
    var givenUp: GivenUp?
    /// Whether the test was cancelled, as by its time limit.
    var isCutShort = false
    /// The error that the test threw; nil for none, and for the one of a failed `#require`.
    var error: (any Error)?
    /// The failed expectations and recorded issues, as Swift Testing words them, in order.
    var issues: [String] = []
    /// The issues that have no error, in order, with their places in the source.
    var expectations: [(text: String, place: String)] = []
    /// The errors of issues.
    var issueErrors: [any Error] = []
    /// The error that the test threw, and those of issues.
    var errors: [any Error] { (error.map { [$0] } ?? []) + issueErrors }
    /// The requests, in order of arrival.
    var journal: [ServeEvent] = []
    /// The requests to the stub that is varied, in order.
    var varied: [VariedRequest] = []
    /// Whether the variation has changed anything.
    var wasVaried = true
    /// What was asked too often; nil if nothing was.
    var excess: StubRequest?
    /// The time of the scenario at the end.
    var virtualTime = Duration.zero
  }
#endif
