#if canImport(Testing)
  import HTTPTypes
  import StubDBEngine
  import StubDBJSON
  import StubDBModel
  import StubDBPlayback
  import StubDBSupport
  import StubDBVariations

  /// Gives each stub that answered one failure after another.
  struct FailureSweep: ListedVariations {
    let failures: [SweptFailure]

    var kind: Variation.Kind { .failure }

    func variations(of journal: [ServeEvent], in scenario: LoadedScenario) -> [Variation] {
      let answers = Self.answers(in: journal, of: scenario)
      var seen: Set<StubName> = []
      let stubs = journal.compactMap(StubName.init).filter { seen.insert($0).inserted }
      let names = StubName.labels(of: stubs, in: scenario)
      return stubs.flatMap { stub in
        failures.filter { failure in
          answers[stub]?.contains(where: failure.changes) ?? true
        }
        .map { failure in
          Variation(
            .failure, name: "\(names[stub] ?? stub.key)/\(failure.name)",
            summary: failure.summary, stub: stub, change: failure)
        }
      }
    }

    func reasonForNone(of journal: [ServeEvent], in scenario: LoadedScenario) -> String {
      failures.isEmpty
        ? "It is given no failures."
        : "The failures that it is given change none of the answers that the test got."
    }

    /// What the stubs of a scenario answered; closures are not among them.
    private static func answers(
      in journal: [ServeEvent], of scenario: LoadedScenario
    ) -> [StubName: Set<GivenAnswer>] {
      let stubs = StubName.stubs(of: scenario)
      return journal.reduce(into: [:]) { answers, event in
        guard let name = StubName(event), let stub = stubs[name],
          let answer = GivenAnswer(event, of: stub)
        else { return }
        answers[name, default: []].insert(answer)
      }
    }

    func findings(
      of attempt: Attempt, under variation: Variation, with runner: SweepRunner
    ) -> [Finding] {
      guard let failure = variation.change as? SweptFailure, let stub = variation.stub else {
        return []
      }
      var findings: [Finding] = []
      if let expecting = runner.rules.expecting, !runner.rules.mayFail.contains(stub.key) {
        if !attempt.errors.contains(where: { expecting($0, failure) }),
          Self.answers(in: runner.base.journal, of: runner.base.scenario)[stub]?
            .contains(where: failure.isNoticed) ?? true
        {
          findings.append(swallowed(failure, stub, attempt.errors))
        }
      }
      let repeated = RepeatedRequests(attempt.varied, unchanged: runner.base.journal)
      if failure.mayBeCarriedOut, let request = repeated.write {
        findings.append(
          Finding(
            .repeatedWrite,
            "\(request.title) was sent again, although the server may have carried it out, and without an "
              + "Idempotency-Key by which the server would know."))
      }
      if failure == .tooManyRequests, let gap = repeated.shortestGap, gap < SweptFailure.retryAfter
      {
        findings.append(
          Finding(
            .earlyRetry,
            "The request was sent again after \(milliseconds(gap)) ms, although the answer asked to wait for 1 s."
          ))
      }
      return findings
    }

    private func swallowed(
      _ failure: SweptFailure, _ stub: StubName, _ errors: [any Error]
    ) -> Finding {
      let seen =
        errors.first.map { "only \(type(of: $0)): \($0)" } ?? "and the test threw none"
      return Finding(
        .swallowedError,
        "The error that is expected after this failure does not come out, \(seen)."
          + (failure.isOfContent
            ? " It is no defect if the code under test has no use for the content." : "")
          + " To allow it: mayFail: [\"\(stub.key)\"].")
    }

    private func milliseconds(_ time: Duration) -> Int { Int(time / .milliseconds(1)) }
  }

  /// A request to the stub that is varied.
  struct VariedRequest: Sendable {
    var request: StubRequest
    /// The time of the run, at the pace of the scenario.
    var virtualTime: Duration
    var realTime: ContinuousClock.Instant
  }

  /// The requests of a variation that are equal to earlier ones, and more than in the unchanged run.
  struct RepeatedRequests {
    /// A request without the order of members and parameters, which another encoding of the same values may change.
    private struct Content: Hashable {
      private enum Body: Hashable {
        case json(JSONValue)
        case parameters([String])
        case other(RequestBody)
      }

      private let method: String
      private let path: String
      private let query: [String]
      private let body: Body

      init(_ request: StubRequest) {
        let url = request.url
        let end = url.firstIndex(of: "?") ?? url.endIndex
        (method, path) = (request.method, String(url[..<end]))
        query = Self.sorted(url[end...].dropFirst())
        if let content = request.content, let json = try? JSONValue(parsing: content) {
          body = .json(json)
        } else if let text = request.text, text.contains("="), !text.contains("\n") {
          body = .parameters(Self.sorted(text))
        } else {
          body = .other(request.body)
        }
      }

      private static func sorted(_ parameters: some StringProtocol) -> [String] {
        parameters.split { $0 == "&" }.map { String($0) }.sorted()
      }
    }

    /// A write that was sent again without a key that the server knows it by; nil if there is none.
    private(set) var write: StubRequest?
    /// The shortest time between two equal requests; nil if no request was repeated.
    private(set) var shortestGap: Duration?

    init(_ requests: [VariedRequest], unchanged journal: [ServeEvent]) {
      let before = Dictionary(grouping: journal.map { Content($0.request) }) { $0 }
      for (content, group) in Dictionary(grouping: requests, by: { Content($0.request) })
      where group.count > max(1, before[content]?.count ?? 0) {
        note(group)
      }
    }

    private mutating func note(_ group: [VariedRequest]) {
      for (earlier, later) in zip(group, group.dropFirst()) {
        let gap = max(
          later.virtualTime - earlier.virtualTime, earlier.realTime.duration(to: later.realTime))
        shortestGap = min(shortestGap ?? gap, gap)
      }
      let keys = Set(group.map { Self.idempotencyKey(of: $0.request) })
      guard let first = group.first?.request, ["POST", "PATCH"].contains(first.method),
        keys.count > 1 || keys.contains(nil)
      else { return }
      write = write ?? first
    }

    /// What makes a write safe to repeat; nil if nothing does.
    ///
    /// A field (https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/), or, in some APIs, a member of
    /// the content or a parameter, which equal requests have in common.
    private static func idempotencyKey(of request: StubRequest) -> String? {
      let isNamed = { (text: String) in text.lowercased().contains("idempotency") }
      if let field = request.headers.first(where: { isNamed($0.name.rawName) }) {
        return field.value
      }
      return isNamed(request.url) || request.text.map(isNamed) ?? false ? "" : nil
    }
  }
#endif
