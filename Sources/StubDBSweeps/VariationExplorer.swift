#if canImport(Testing)
  import StubDBEngine
  import StubDBPlayback
  import StubDBVariations

  /// Chooses the variations that a test is repeated under, and judges what they show.
  protocol VariationExplorer: Sendable {
    /// Tries variations with the runner, one after the other.
    func explore(with runner: SweepRunner) async
  }

  /// An explorer whose variations are known before the first is tried.
  protocol ListedVariations: VariationExplorer, VariationSource {
    /// What an attempt shows besides what counts for all: hangs, endless retries, requests that no stub matches.
    func findings(of attempt: Attempt, under variation: Variation, with runner: SweepRunner)
      async -> [Finding]
  }

  extension ListedVariations {
    func explore(with runner: SweepRunner) async {
      let variations = variations(of: runner.base.journal, in: runner.base.scenario)
      runner.reportUnknown(among: variations.map(\.name))
      for variation in variations where runner.filter.allows(variation.name) {
        guard !Task.isCancelled, !runner.repetitions.isUnrepeatable else { return }
        await runner.attempt(variation) { await findings(of: $0, under: variation, with: runner) }
      }
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
