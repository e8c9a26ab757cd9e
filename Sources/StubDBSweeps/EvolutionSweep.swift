#if canImport(Testing)
  import Foundation
  import StubDBCatalog
  import StubDBEngine
  import StubDBPlayback
  import StubDBSupport
  import StubDBTesting
  import StubDBURLProtocol
  import StubDBVariations
  public import Testing

  /// Gives each stub that answered its answers with one compatible change after another.
  struct EvolutionSweep: ListedVariations {
    /// What catalogs know, by their paths.
    private static let known = Locked([String: AnswerSamples]())

    var kind: Variation.Kind { .evolution }

    func variations(of journal: [ServeEvent], in scenario: LoadedScenario) -> [Variation] {
      EvolutionSource(Self.samples(of: scenario)).variations(of: journal, in: scenario)
    }

    /// What is known beside the scenario; a catalog that cannot be read any more says nothing.
    private static func samples(of scenario: LoadedScenario) -> AnswerSamples {
      guard let path = scenario.catalogDescription else { return AnswerSamples() }
      let key = path + " " + (scenario.catalogDigest ?? "")
      if let samples = known.withLock({ $0[key] }) { return samples }
      // Read without the lock: that several tests do so at once is better than that all wait.
      let catalog = try? Catalog(contentsOf: URL(fileURLWithPath: path))
      let read = catalog.flatMap { try? AnswerSamples($0) } ?? AnswerSamples()
      return known.withLock { known in
        let samples = known[key] ?? read
        known[key] = samples
        return samples
      }
    }

    func findings(
      of attempt: Attempt, under variation: Variation, with runner: SweepRunner
    ) async -> [Finding] {
      guard let evolution = variation.evolution else { return [] }
      let place = "\(evolution.pointer)".isEmpty ? "the content" : "\(evolution.pointer)"
      func finding(_ message: String) -> [Finding] {
        [Finding(.failure, "\(place) = \(evolution.change.phrase): \(message)")]
      }
      if let error = attempt.errors.first { return finding(Self.text(of: error)) }
      guard !attempt.issues.isEmpty, let issue = attempt.issues.first else { return [] }
      if evolution.change.keepsValues { return finding(issue) }
      // An expectation of the value itself fails with every other value, which is no defect of the client.
      guard let control = variation.control else { return [] }
      let other = await runner.outcome(under: control)
      guard other.givenUp == nil, !other.isCutShort, other.errors.isEmpty else { return [] }
      let expected = Set(other.expectationPlaces)
      let index = attempt.expectationPlaces.firstIndex { !expected.contains($0) }
      return index.map { finding(attempt.issues[$0]) } ?? []
    }

    /// The error with its type, which a description often leaves out.
    private static func text(of error: any Error) -> String {
      let (type, text) = ("\(type(of: error))", "\(error)")
      return text.hasPrefix(type) ? text : "\(type): \(text)"
    }
  }

  extension Trait where Self == SweepTrait {
    /// Repeats a test for each change of its answers that APIs call compatible.
    ///
    /// In a repetition, one place of the answers of one stub is changed: a member that no client knows in an object, an
    /// unknown constant where samples or a kept description show an enumeration, a longer or an empty list, an optional
    /// member that is absent or null, an integer beyond 32 bits, another order of members, a parameter of the media type.
    /// A finding is an error or a failed expectation that the unchanged test does not have. An expectation of the changed
    /// value itself is no finding: it fails with every other value, too. Where a list is empty, or a member absent or
    /// null, only errors count.
    public static var everyEvolution: Self { .everyEvolution() }

    /// Repeats a test for each change of its answers that APIs call compatible; `allowing`, `retries` and `deadline` are as
    /// in `everyFailure`.
    public static func everyEvolution(
      allowing: [String] = [], retries: Int = 10, deadline: Duration = .seconds(10)
    ) -> Self {
      SweepTrait(
        .evolution, EvolutionSweep(),
        SweepRules(allowing: allowing, retries: retries, deadline: deadline))
    }
  }
#endif
