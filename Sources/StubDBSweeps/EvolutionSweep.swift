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

    func unabridged(of journal: [ServeEvent], in scenario: LoadedScenario) -> [Variation] {
      EvolutionSource(Self.samples(of: scenario), limits: .listed)
        .variations(of: journal, in: scenario)
    }

    /// The elements of a long list are alike, so that it is no news that not all of them are looked at.
    func leftOut(of journal: [ServeEvent], in scenario: LoadedScenario) -> [String] {
      let cuts = EvolutionSource(Self.samples(of: scenario)).cuts(of: journal, in: scenario)
      var seen: Set<String> = []
      return cuts.filter { $0.cut.limit != .elements }
        .map { "\($0.cut.phrase) of \($0.answer.stub.key)" }.filter { seen.insert($0).inserted }
    }

    func reasonForNone(of journal: [ServeEvent], in scenario: LoadedScenario) -> String {
      let left = EvolutionSource(Self.samples(of: scenario)).leftAlone(of: journal, in: scenario)
      guard !left.isEmpty else { return "Answers of closures and of the network are left alone." }
      let reasons = left.prefix(5).map { "\($0.answer.stub.key): \($0.reason)" }
      return "The answers that the test got are left alone. \(reasons.joined(separator: "; "))"
        + (left.count > reasons.count ? "; …" : ".")
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
      let errors = attempt.errors
      if evolution.change.keepsValues {
        return (errors.first.map { Self.text(of: $0) } ?? attempt.issues.first).map(finding) ?? []
      }
      if let error = errors.first(where: Self.isOfDecoding) { return finding(Self.text(of: error)) }
      guard let control = variation.control, !attempt.issues.isEmpty || !errors.isEmpty else {
        return errors.first.map { finding(Self.text(of: $0)) } ?? []
      }
      // What happens with every other value, too, is what the code under test or the test is for.
      let other = await runner.outcome(under: control)
      guard !other.isCutShort else { return [] }
      let expected = Set(other.errors.map { Self.kind(of: $0) })
      if let error = errors.first(where: { !expected.contains(Self.kind(of: $0)) }) {
        return finding(Self.text(of: error))
      }
      guard other.givenUp == nil, other.errors.isEmpty else { return [] }
      let places = Set(other.expectations.map(\.place))
      return attempt.expectations.first { !places.contains($0.place) }.map { finding($0.text) }
        ?? []
    }

    /// Whether an answer could not be decoded, which no value may cause that clients know.
    private static func isOfDecoding(_ error: any Error) -> Bool {
      error is DecodingError || "\(error)".contains("DecodingError")
    }

    /// The type of an error, and its case without the values that belong to it.
    private static func kind(of error: any Error) -> String {
      "\(type(of: error)) \("\(error)".prefix { $0 != "(" })"
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
    /// unknown constant where samples or a kept description show an enumeration, one more entry of a map, a longer or an empty
    /// list, an optional
    /// member that is absent or null, an integer beyond 32 bits, another order of members, a parameter of the media type.
    /// A finding is an error or a failed expectation that the unchanged test does not have. An expectation of the changed
    /// value itself is no finding: it fails with every other value, too. Nor is an error that comes out with another value
    /// that clients know, unless it is one of decoding. Where a list is empty, or a member absent or null, only errors
    /// count.
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
