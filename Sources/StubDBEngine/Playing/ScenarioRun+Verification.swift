import HTTPTypes
import StubDBModel
import StubDBSupport

extension ScenarioRun {
  /// The problems of the run so far.
  ///
  /// A sequence that was begun and not finished is a problem if the document says `"required": true` or `"then":
  /// "fail"`; with `requiringWholeSequences`, every such sequence is. With `requiringStubs`, all stubs of the scenario and
  /// its overlays count as required.
  ///
  /// Unmatched requests come first, in order of arrival, unless they are accepted; then what the limit of the journal
  /// has dropped of them; then templates that failed, then
  /// required stubs that were not used and unfinished sequences, in the order in which stubs answer. Empty if there are
  /// no problems.
  package func problems(
    requiringStubs: Bool = false, requiringWholeSequences: Bool = false,
    acceptingUnmatched: Bool = false
  ) -> [VerificationProblem] {
    let (journal, dropped, given, found) = state.withLock {
      (
        $0.journal.decided,
        (acceptingUnmatched ? 0 : $0.journal.dropped.unmatched) + $0.droppedProblemCount,
        $0.progress.given, $0.problems
      )
    }
    let unmatched = journal.filter { !acceptingUnmatched && !$0.isMatched }.map { event in
      VerificationProblem(
        kind: .unmatchedRequest, message: report(on: event).text, scenario: scenario.name,
        stubKey: nil, request: event.request)
    }
    let stubs = scenario.stubs
    let required = requiringStubs ? stubs.sources.indices.filter(isRequired) : stubs.required
    let unused = unused(among: required, given).map { rank in
      (rank, problem(.unusedStub, rank, "is required, but no request reached it"))
    }
    let unfinished = begun(given).compactMap { rank -> (Int, VerificationProblem)? in
      let stub = stubs.sources[rank].stub
      guard
        requiringWholeSequences || stub.isRequired || stub.then == .fail
          || requiringStubs && isRequired(rank)
      else { return nil }
      return unfinishedSequence(rank, given: given[rank] ?? 0).map { (rank, $0) }
    }
    let lost = dropped > 0 ? [incompleteJournal("\(dropped) of them are problems")] : []
    return unmatched + lost + found + (unused + unfinished).sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The ranks of stubs that answered, without those of stubs of which another layer gave all answers.
  private func begun(_ given: AnswerCounts) -> [Int] {
    func name(_ rank: Int) -> SourceName { SourceName(scenario.stubs.sources[rank]) }
    let ranks = given.ranks
    let isFinished = ranks.map { unfinishedSequence($0, given: given[$0] ?? 0) == nil }
    let finished = Set(zip(ranks, isFinished).filter(\.1).map { name($0.0) })
    return zip(ranks, isFinished).filter { !$0.1 && !finished.contains(name($0.0)) }.map(\.0)
  }

  /// Whether a stub counts as required where all are: included ones have other uses.
  private func isRequired(_ rank: Int) -> Bool {
    let source = scenario.stubs.sources[rank]
    return source.stub.isRequired || source.origin == scenario.name
      || scenario.overlays.contains(source.origin.rawValue)
  }

  /// The report on a request of the journal that no stub answered.
  ///
  /// Searches the catalog for other scenarios in which a stub matches, which may take a moment the first time.
  package func report(on event: ServeEvent) -> UnmatchedReport {
    guard let explanation = event.explanation else { return makeReport(on: event, []) }
    return explanation.report { nearMisses, isComplete in
      let others = isComplete ? scenario.otherScenarios : nil
      return makeReport(
        on: event, nearMisses, otherScenarios: others?.scenarios(matching: event.request) ?? [])
    }
  }

  private func makeReport(
    on event: ServeEvent, _ nearMisses: [NearMiss], otherScenarios: [ScenarioName] = []
  ) -> UnmatchedReport {
    var report = UnmatchedReport(
      request: event.request, scenario: scenario.name, nearMisses: nearMisses,
      otherScenarios: otherScenarios, catalog: scenario.catalogDescription)
    report.isOnClosures = scenario.isForClosures
    (report.overlays, report.today) = (scenario.overlays, scenario.today)
    if event.request.moved(by: -shift) != event.request { report.shift = -shift }
    report.comparedFields = comparedFields(of: event.request)
    return report
  }

  /// The header fields of a request that a stub looks at; nil if a template may look at any.
  private func comparedFields(of request: StubRequest) -> Set<HTTPField.Name>? {
    var names: Set<HTTPField.Name> = []
    var looksAtContent = false
    for source in scenario.stubs.sources {
      let pattern = source.stub.request
      guard pattern.captured.isEmpty else { return nil }
      for field in pattern.headers { names.insert(field.name) }
      if !pattern.cookies.isEmpty { names.insert(.cookie) }
      if pattern.basicAuth != nil { names.insert(.authorization) }
      looksAtContent = looksAtContent || !pattern.body.isEmpty
    }
    // Without it there are no parts.
    if looksAtContent, request.headers[.contentType]?.lowercased().hasPrefix("multipart/") == true {
      names.insert(.contentType)
    }
    return names
  }

  /// The problem that the journal does not tell whether the run went well.
  func incompleteJournal(_ consequence: String) -> VerificationProblem {
    VerificationProblem(
      kind: .incompleteJournal,
      message: "The journal is incomplete: \(droppedCount) entries were dropped, \(consequence)",
      scenario: scenario.name, stubKey: nil, request: nil)
  }

  private func unfinishedSequence(_ rank: Int, given count: Int) -> VerificationProblem? {
    guard scenario.stubs.sources[rank].stub.responses.count > 1,
      let total = scenario.stubs.sequences[rank]?.total, count < total
    else { return nil }
    let missing = total - count
    return problem(
      .unfinishedSequence, rank,
      "gave \(count) of its \(total) responses: \(missing) more "
        + (missing == 1 ? "request was expected" : "requests were expected"))
  }

  private func problem(
    _ kind: VerificationProblem.Kind, _ rank: Int, _ predicate: String
  ) -> VerificationProblem {
    let source = scenario.stubs.sources[rank]
    return VerificationProblem(
      kind: kind,
      message: "stub \"\(source.stub.key)\" of scenario \"\(source.origin)\" \(predicate)",
      scenario: source.origin, stubKey: source.stub.key.rawValue, request: nil)
  }
}
