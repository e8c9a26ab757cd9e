internal import StubDBJSON
package import StubDBModel
internal import StubDBSupport

/// What distinguishes stubs of a load, but for the layer.
struct SourceName: Hashable {
  let origin: ScenarioName
  let key: Stub.Key

  init(_ source: LoadedScenario.Source) { (origin, key) = (source.origin, source.stub.key) }
}

extension ScenarioRun {
  /// The requests so far that match a pattern, in order of arrival, answered or not.
  ///
  /// - Throws: A ``VerificationError`` for an invalid pattern, such as one with an invalid regular expression.
  package func requests(
    matching pattern: RequestPattern
  ) throws(VerificationError) -> [ServeEvent] {
    let filter = try filter(pattern)
    return journal.filter(filter.matches)
  }

  /// The stubs that have answered nothing so far, in the order in which they answer.
  package var unusedStubs: [LoadedScenario.Source] {
    let given = state.withLock(\.progress.given)
    return unused(among: scenario.stubs.sources.indices, given).map { scenario.stubs.sources[$0] }
  }

  /// Of the ranks of stubs, those that have answered nothing; a stub that an overlay includes, too, is one.
  func unused(among ranks: some Sequence<Int>, _ given: AnswerCounts) -> [Int] {
    func name(_ rank: Int) -> SourceName { SourceName(scenario.stubs.sources[rank]) }
    var known = Set(given.ranks.map(name))
    return ranks.filter { known.insert(name($0)).inserted }
  }

  /// The stubs that answered or passed a request on, in the order in which they answer, each with the scenario whose
  /// document contains it.
  ///
  /// Unlike ``stubUses``, it includes those that answered before the counters were reset.
  package var usedStubs: [(origin: ScenarioName, key: String)] {
    let ranks = state.withLock { state in
      state.usedBefore.isEmpty
        ? state.progress.given.ranks
        : Array(state.usedBefore.union(state.progress.given.ranks))
    }
    return ranks.sorted().map {
      (scenario.stubs.sources[$0].origin, scenario.stubs.sources[$0].stub.key.rawValue)
    }
  }

  /// Whether there was a request that no stub answered.
  package var hadUnmatched: Bool { state.withLock(\.hadUnmatched) }

  /// The stub with a key of the scenario that an event or a near miss names; nil if the run has none.
  package func stub(_ key: String, of origin: ScenarioName) -> Stub? {
    scenario.stubs.sources.first { $0.origin == origin && $0.stub.key == Stub.Key(unchecked: key) }?
      .stub
  }

  /// All stubs with the number of their answers so far, in the order in which they answer.
  package var stubUses: [(source: LoadedScenario.Source, answerCount: Int)] {
    let given = state.withLock(\.progress.given)
    return scenario.stubs.sources.indices.map { (scenario.stubs.sources[$0], given[$0] ?? 0) }
  }

  /// Expects that this many requests match a pattern, answered or not.
  ///
  /// - Throws: A ``VerificationError`` that lists the requests.
  package func expect(
    count: Int, matching pattern: RequestPattern
  ) throws(VerificationError) {
    try expect(count: count...count, matching: pattern)
  }

  /// Expects that the number of requests that match a pattern is in a range, answered or not.
  ///
  /// - Throws: A ``VerificationError`` that lists the requests, or says that the journal is incomplete: of the requests
  /// that its limit has dropped, any number may match.
  package func expect(
    count: ClosedRange<Int>, matching pattern: RequestPattern
  ) throws(VerificationError) {
    let filter = try filter(pattern)
    let journal = journal
    let found = Set(journal.filter(filter.matches).map(\.number))
    let most = found.count + droppedCount
    if count.contains(found.count), count.contains(most) { return }
    guard found.count > count.upperBound || most < count.lowerBound else {
      throw VerificationError(problems: [
        incompleteJournal("so requests \(filter.pattern.requestLine) cannot be counted")
      ])
    }
    let expected =
      switch (count.lowerBound, count.upperBound) {
      case (let least, let most) where least == most: Plural.of(least, "request")
      case (let least, let most): "\(least) to \(most) requests"
      }
    let came = found.count == 1 ? "there was 1" : "there were \(found.count)"
    throw failure(
      .unexpectedCount, "Expected \(expected) \(filter.pattern.requestLine), but \(came)",
      journal, marked: found)
  }

  /// Expects that requests match the patterns in this order; others may come before, between and after them.
  ///
  /// Each pattern takes the first matching request after that of the preceding pattern.
  /// - Throws: A ``VerificationError`` with the first pattern without a request, and the list of requests.
  package func expect(inOrder patterns: [RequestPattern]) throws(VerificationError) {
    let journal = journal
    var rest = journal[...]
    var found: Set<Int> = []
    for (index, pattern) in patterns.enumerated() {
      let filter = try filter(pattern)
      guard let next = rest.firstIndex(where: filter.matches) else {
        if droppedCount > 0 {
          throw VerificationError(problems: [
            incompleteJournal("so the order of requests is not known")
          ])
        }
        let behind = index == 0 ? "" : " after number \(index)"
        throw failure(
          .unexpectedOrder,
          "Expected requests in an order: number \(index + 1), \(filter.pattern.requestLine), "
            + "did not come\(behind)",
          journal, marked: found)
      }
      found.insert(rest[next].number)
      rest = rest[(next + 1)...]
    }
  }

  /// - Throws: A ``VerificationError`` for an invalid pattern.
  package func filter(_ pattern: RequestPattern) throws(VerificationError) -> RequestFilter {
    do throws(EngineError) {
      return try RequestFilter(pattern)
    } catch {
      let place = error.pointer?.description ?? ""
      throw VerificationError(problems: [
        problem(.invalidExpectation, "The expected pattern cannot match: \(place): \(error.reason)")
      ])
    }
  }

  private func failure(
    _ kind: VerificationProblem.Kind, _ sentence: String, _ journal: [ServeEvent],
    marked: Set<Int>
  ) -> VerificationError {
    VerificationError(problems: [
      problem(kind, "\(sentence).\n\(JournalText.lines(of: journal, marked: marked))")
    ])
  }

  private func problem(
    _ kind: VerificationProblem.Kind, _ message: String
  ) -> VerificationProblem {
    VerificationProblem(
      kind: kind, message: message, scenario: scenario.name, stubKey: nil, request: nil)
  }
}

/// A journal as text.
enum JournalText {
  /// The largest number of lines.
  private static let maximumCount = 40

  /// The requests, one per line, with a mark at those that were counted; the end is omitted if there are many.
  static func lines(of journal: [ServeEvent], marked: Set<Int>) -> String {
    guard !journal.isEmpty else { return "There were no requests." }
    var lines = ["The requests (✓ for those that were counted):"]
    for event in journal.prefix(maximumCount) {
      let mark = marked.contains(event.number) ? "✓" : " "
      let request = "\(event.request.method) \(TextExcerpt.plain(event.request.url))"
      let answer = event.stubKey.map { "stub \(TextExcerpt.plain($0))" } ?? "no stub"
      lines.append("  \(mark) \(event.number). \(request)  (\(answer))")
    }
    if journal.count > maximumCount {
      lines.append("    ..." + Plural.more(journal.count - maximumCount))
    }
    return lines.joined(separator: "\n")
  }
}
