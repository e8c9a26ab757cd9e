import HTTPTypes
package import StubDBEngine
import StubDBModel

/// Finds the compatible changes of answers, with their names.
package struct EvolutionSource: Sendable {
  /// A response of a stub, and a request that it answers.
  package struct Answer: Sendable {
    package var stub: StubName
    /// The place of the response among those of the stub.
    package var index: Int
    var response: StubResponse
    var request: StubRequest
    /// What knows the answers of a resource; nil for others.
    var resource: ResourceEvolution?
  }

  private let samples: AnswerSamples
  private let limits: EvolutionLimits

  package init(_ samples: AnswerSamples, limits: EvolutionLimits = .tried) {
    (self.samples, self.limits) = (samples, limits)
  }

  /// The variations of the stubs that answered in an unchanged run, in the order of their first answers; each place of a
  /// stub once.
  package func variations(of journal: [ServeEvent], in scenario: LoadedScenario) -> [Variation] {
    found(in: journal, of: scenario).variations
  }

  /// The answers of an unchanged run that are left alone, and why, as the end of a sentence.
  package func leftAlone(
    of journal: [ServeEvent], in scenario: LoadedScenario
  ) -> [(answer: Answer, reason: String)] {
    found(in: journal, of: scenario).leftAlone
  }

  /// What the limits leave out of the changes of the answers of an unchanged run.
  package func cuts(
    of journal: [ServeEvent], in scenario: LoadedScenario
  ) -> [(answer: Answer, cut: EvolutionCut)] {
    found(in: journal, of: scenario).cuts
  }

  private func found(in journal: [ServeEvent], of scenario: LoadedScenario) -> Found {
    let stubs = StubName.stubs(of: scenario)
    let replies = ResourceEvolution.responses(to: journal, in: scenario)
    var answered: Set<Answered> = []
    let answers = journal.compactMap { event -> Answer? in
      guard let name = StubName(event), let index = event.responseIndex, let stub = stubs[name],
        stub.responses.indices.contains(index)
      else { return nil }
      let isReply = ResourceEvolution.answers(index, of: stub)
      let one = Answered(stub: name, index: index, reply: isReply ? replies[event.number] : nil)
      guard !isReply || one.reply != nil, answered.insert(one).inserted else { return nil }
      return Answer(
        stub: name, index: index, response: one.reply ?? stub.responses[index],
        request: event.request,
        resource: isReply ? ResourceEvolution(stub, in: scenario, samples) : nil)
    }
    return variations(
      of: answers, in: scenario,
      names: StubName.labels(of: journal.compactMap(StubName.init), in: scenario))
  }

  private struct Answered: Hashable {
    var stub: StubName
    var index: Int
    /// What a resource answered; nil for other answers.
    var reply: StubResponse?
  }

  /// The variations of answers, and what is left out.
  struct Found {
    /// In the order of the answers; each place of a stub once.
    var variations: [Variation] = []
    /// The answers that are left alone, with the reasons as ends of sentences.
    var leftAlone: [(answer: Answer, reason: String)] = []
    /// What the limits have left out.
    var cuts: [(answer: Answer, cut: EvolutionCut)] = []
  }

  /// Finds the variations of answers; `names` gives the first parts of the names.
  func variations(
    of answers: [Answer], in scenario: LoadedScenario, names: [StubName: String]
  ) -> Found {
    var (found, seen) = (Found(), Set<String>())
    for answer in answers {
      let first = names[answer.stub] ?? answer.stub.key
      let changes =
        answer.resource?.changes(
          of: answer.response, to: answer.request, in: scenario, limits: limits)
        ?? AnswerEvolutions(
          of: answer.response, to: answer.request, in: scenario, samples, limits: limits)
      if let reason = changes.leftAlone { found.leftAlone.append((answer, reason)) }
      found.cuts += changes.cuts.map { (answer, $0) }
      for evolution in changes.evolutions
      where seen.insert(
        "\(answer.response.status / 100) \(first)/\(evolution.change) \(evolution.pointer)"
      ).inserted {
        found.variations.append(
          Self.variation(evolution, "\(first)/\(evolution.name)", answer))
      }
    }
    found.variations = Self.unique(found.variations)
    return found
  }

  private static func variation(
    _ evolution: Evolution, _ name: String, _ answer: Answer
  ) -> Variation {
    let place = "\(evolution.pointer)"
    let shown = place.isEmpty ? "the content" : place
    return Variation(
      .evolution, name: name,
      summary: "answers with \(evolution.change.phrase) in \(shown), "
        + "which is compatible: \(evolution.reason)",
      stub: answer.stub, pointer: place,
      change: EvolvedResponse(
        evolution: evolution, index: answer.index, resource: answer.resource,
        statusClass: answer.resource == nil ? nil : answer.response.status / 100))
  }

  /// Numbers what has the same name, such as the places `/a-b` and `/a/b`.
  private static func unique(_ variations: [Variation]) -> [Variation] {
    var counts: [String: Int] = [:]
    return variations.map { variation in
      counts[variation.name, default: 0] += 1
      guard let count = counts[variation.name], count > 1 else { return variation }
      return Variation(
        variation.kind, name: "\(variation.name)-\(count)", summary: variation.summary,
        stub: variation.stub, pointer: variation.pointer, change: variation.change)
    }
  }
}

/// The compatible changes of all answers of a scenario, whether a test gets them or not.
package struct ScenarioEvolutions: Sendable {
  /// The changes, in the order of the stubs; each has an ``Variation/evolution``.
  package let variations: [Variation]
  /// The answers that are not changed, and why, as the end of a sentence.
  package let leftAlone: [(answer: EvolutionSource.Answer, reason: String)]
  /// What the limits have left out of the changes of answers.
  package let cuts: [(answer: EvolutionSource.Answer, cut: EvolutionCut)]
  /// How many answers the scenario has.
  package let answerCount: Int

  /// Finds them for requests that the patterns of the stubs describe.
  ///
  /// A pattern whose path is a regular expression says of no operation which others answer it.
  package init(
    _ scenario: LoadedScenario, _ samples: AnswerSamples, limits: EvolutionLimits = .tried
  ) {
    let answers = scenario.sources.flatMap { source in
      let (stub, request) = (source.stub, StubRequest(exampleOf: source.stub.request))
      let name = StubName(scenario: source.origin, key: stub.key.rawValue)
      let resource = ResourceEvolution(stub, in: scenario, samples)
      return stub.responses.enumerated().flatMap { index, response in
        guard let resource, ResourceEvolution.answers(index, of: stub) else {
          return [
            EvolutionSource.Answer(stub: name, index: index, response: response, request: request)
          ]
        }
        return ResourceEvolution.examples(of: stub, in: scenario).map { request, response in
          EvolutionSource.Answer(
            stub: name, index: index, response: response, request: request, resource: resource)
        }
      }
    }
    let found = EvolutionSource(samples, limits: limits).variations(
      of: answers, in: scenario, names: StubName.labels(of: [], in: scenario))
    (variations, leftAlone, cuts) = (found.variations, found.leftAlone, found.cuts)
    answerCount = answers.count
  }
}

extension StubRequest {
  /// A request of the operation of a pattern; its path is empty if the pattern has no single one.
  fileprivate init(exampleOf pattern: RequestPattern) {
    let method = pattern.methods.first { $0 != .head } ?? pattern.methods.first ?? .get
    var url = pattern.wholeURL?.literal ?? ""
    if pattern.wholeURL == nil, case .template(let template)? = pattern.path {
      let segments = template.split(separator: "/", omittingEmptySubsequences: false).map {
        $0 == "**" ? "any" : URLParts.isPlaceholder($0) ? "1" : String($0)
      }
      url =
        "\(pattern.scheme ?? "https")://\(pattern.host?.literal ?? "any.test")"
        + segments.joined(separator: "/")
    }
    self.init(method: method.rawValue, url: url)
  }
}
