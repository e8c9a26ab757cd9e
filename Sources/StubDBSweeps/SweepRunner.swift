#if canImport(Testing)
  import Foundation
  import StubDBEngine
  import StubDBPlayback
  import StubDBSupport
  import StubDBTesting
  import StubDBURLProtocol
  import StubDBVariations
  import Testing

  /// Repeats one case of a test under variations, and reports what they show.
  struct SweepRunner: Sendable {
    let test: Test
    let testCase: Test.Case?
    /// The interceptor of the unchanged run, which has ended.
    let base: StubInterceptor
    let reach: SessionReach
    let function: HeldFunction
    let rules: SweepRules
    /// The requests that may be sent without a stub.
    let allowed: [RequestFilter]
    let filter: SweepFilter
    /// The variation that other tests or cases are asked for, too; nil if there is none.
    let asking: NamedVariations.Asking?
    /// Whether the sweep is one of a suite, and not of the test alone.
    let isOfSuite: Bool
    let repetitions = Repetitions()

    /// Notes whether the case has the variation that others are asked for, too; names that are near it are of use if not.
    func note(isKnown: Bool, near: [String] = []) {
      guard let asking else { return }
      SweepLogs.shared.note(
        asking, isKnown: isKnown, in: test.ledgerName, near: near,
        ofCatalog: base.scenario.catalogDescription, module: test.id.moduleName)
    }

    /// Repeats the case under a variation, and reports the findings: those that count for all variations, and those of
    /// `judge` if the test has ended.
    func attempt(_ variation: Variation, judge: (Attempt) async -> [Finding]) async {
      let events = AsyncStream.makeStream(of: RepetitionEvent.self)
      let control = control(variation, events.continuation)
      await attempt(variation, control: control, events, judge: judge)
    }

    /// Repeats the case under a variation of which nothing is written or reported.
    func outcome(under variation: Variation) async -> Attempt {
      let events = AsyncStream.makeStream(of: RepetitionEvent.self)
      let control = control(variation, events.continuation)
      return await Repetition(self, control: control, events: events.continuation)
        .outcome(events.stream)
    }

    private func control(
      _ variation: Variation, _ events: AsyncStream<RepetitionEvent>.Continuation
    ) -> VariationControl {
      VariationControl(
        variation, unchanged: base.journal, retries: rules.retries, events: events)
    }

    /// Repeats the case with a control; `named` gives the variation as findings name it, and `isNew` says whether a
    /// finding is reported, and not only written.
    func attempt(
      _ variation: Variation, control: any RepetitionControl,
      _ events: (
        stream: AsyncStream<RepetitionEvent>,
        continuation: AsyncStream<RepetitionEvent>.Continuation
      ) = AsyncStream.makeStream(of: RepetitionEvent.self),
      judge: (Attempt) async -> [Finding], named: (() -> Variation)? = nil,
      isNew: (Finding) -> Bool = { _ in true }
    ) async {
      let record = SweepRecord(of: self, variation)
      guard await record.begin() else { return }
      let repetition = Repetition(self, control: control, events: events.continuation)
      let attempt = await repetition.outcome(events.stream)
      guard !attempt.isCutShort else { return record.cutShort() }
      if let obstacle = control.obstacle { return record.refuse(because: obstacle) }
      guard attempt.wasVaried || attempt.givenUp != nil else {
        return leaveOut(variation, record, wasAsked: !attempt.varied.isEmpty)
      }
      if let request = unanswered(attempt, variation) {
        return record.leaveOut(
          because:
            "\(request.title) was sent, which no stub matches, so that nothing follows from what came "
            + "after it. Add a stub for it, such as one whose path is a pattern.")
      }
      var findings = generalFindings(attempt)
      if attempt.givenUp == nil { findings += await judge(attempt) }
      if findings.isEmpty, let rest = control.unfinished { return record.refuse(because: rest) }
      let isValid = findings.isEmpty ? !Task.isCancelled : await isRepeatable()
      guard isValid else { return record.cutShort() }
      let variation = named?() ?? variation
      record.end(findings, as: variation.name)
      for finding in findings where isNew(finding) { report(finding, of: variation) }
    }

    /// Warns, once for each stub, that a variation has changed nothing.
    private func leaveOut(_ variation: Variation, _ record: SweepRecord, wasAsked: Bool) {
      guard let stub = variation.stub, repetitions.isFirst(stub) else { return record.cutShort() }
      record.leaveOut(
        because: wasAsked
          ? "in the repetition, the stub gave other answers than before, which have nothing to change."
          : "in the repetition, the stub did not give the answer that it gave before. Does "
            + "the code under test keep answers, in a cache or a static property?")
    }

    /// Whether findings say something; if the test fails in the same way as it is, that is reported instead, once.
    private func isRepeatable() async -> Bool {
      if let known = repetitions.areValid { return known }
      let unchanged = Variation(.failure, name: "", summary: "", stub: nil)
      let events = AsyncStream.makeStream(of: RepetitionEvent.self)
      let attempt = await Repetition(
        self, control: control(unchanged, events.continuation), isUnchanged: true,
        events: events.continuation
      ).outcome(events.stream)
      guard !attempt.isCutShort else { return false }
      let problem =
        generalFindings(attempt).first?.message ?? attempt.issues.first
        ?? attempt.error.map { "it throws \($0)" }
      repetitions.note(areValid: problem == nil)
      guard let problem else { return true }
      Issue.record(
        """
        This test cannot be repeated, so that nothing follows from sweeps: it fails when it is called once more, without a \
        variation: \(problem)
        What does it leave behind: files, caches, static properties?
        """, sourceLocation: test.sourceLocation)
      return false
    }

    /// What counts for all variations.
    private func generalFindings(_ attempt: Attempt) -> [Finding] {
      var findings: [Finding] = []
      switch attempt.givenUp {
      case .endlessRetry:
        let request = attempt.excess.map(\.title) ?? "A request"
        findings.append(
          Finding(
            .endlessRetry,
            "\(request) was sent again and again, more than \(rules.retries) times more than in the unchanged run."
          ))
      case .hang(let reason): findings.append(Finding(.hang, reason))
      case nil:
        if attempt.virtualTime > Repetition.virtualDeadline {
          findings.append(
            Finding(
              .hang,
              "The test ended only after \(Int(attempt.virtualTime / .seconds(60))) minutes of the scenario's time."
            ))
        }
      }
      return findings + unmatchedFindings(attempt)
    }

    /// The requests that no stub matches, whatever was asked before; each method and URL once.
    private func unmatchedFindings(_ attempt: Attempt) -> [Finding] {
      unmatched(attempt).map { request in
        let url = SecretDisplay.text(request.url).prefix { !"?#".contains($0) }
        return Finding(
          .unmatchedRequest,
          "\(request.title) was sent, which no stub matches. To allow it: "
            + "allowing: [\"\(request.method) \(url)\"].")
      }
    }

    private func unmatched(_ attempt: Attempt) -> [StubRequest] {
      guard base.options.unmatched == .fail else { return [] }
      var seen: Set<String> = []
      return attempt.journal.filter { event in
        !event.isMatched && !allowed.contains { $0.matches(event.request, at: .now) }
          && base.scenario.firstMatch(for: event.request) == nil
          && seen.insert(event.request.title).inserted
      }.map(\.request)
    }

    /// A request that the test had no need of before an answer had another value, such as one for the details of an element
    /// that was added to a list; nil if there is none.
    private func unanswered(_ attempt: Attempt, _ variation: Variation) -> StubRequest? {
      guard attempt.givenUp == nil, let change = variation.evolution?.change, !change.keepsValues
      else { return nil }
      return unmatched(attempt).first
    }

    private func report(_ finding: Finding, of variation: Variation) {
      Issue.record(
        Comment(rawValue: FindingText(finding, of: variation, in: test).text),
        sourceLocation: test.sourceLocation)
    }
  }

  /// What the repetitions of a case have shown of the test itself.
  final class Repetitions: Sendable {
    private struct State {
      var areValid: Bool?
      var unasked: Set<StubName> = []
    }

    private let state = Locked(State())

    /// Whether the test passes when it is repeated without a variation; nil if that is not known yet.
    var areValid: Bool? { state.withLock(\.areValid) }

    /// Whether the test fails when it is repeated without a variation.
    var isUnrepeatable: Bool { areValid == false }

    func note(areValid: Bool) { state.withLock { $0.areValid = areValid } }

    /// Whether nothing was said of a stub that repetitions do not ask.
    func isFirst(_ stub: StubName) -> Bool {
      state.withLock { $0.unasked.insert(stub).inserted }
    }
  }
#endif
