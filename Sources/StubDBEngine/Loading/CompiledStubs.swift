import StubDBModel

/// The stubs of a scenario in the order in which they answer, with what matching needs.
///
/// A stub is known by its rank, its place in that order.
final class CompiledStubs: Sendable {
  let sources: [LoadedScenario.Source]
  let matching: RequestMatching
  /// The templates of the paths that have placeholders or `**`, by rank.
  let templates: [Int: PathTemplate]
  let index: StubIndex
  /// The sequences of the stubs that have several responses, by rank.
  let sequences: [Int: ResponseSequence]
  /// The ranks of the stubs that must be used, ascending.
  let required: [Int]

  init(_ written: [LoadedScenario.Source]) throws(EngineError) {
    var check = PatternCheck()
    let sources = Self.inAnswerOrder(try Self.checked(written, &check))
    var templates: [Int: PathTemplate] = [:]
    var sequences: [Int: ResponseSequence] = [:]
    var required: [Int] = []
    for rank in sources.indices {
      if case .template(let text) = sources[rank].stub.request.path,
        let template = PathTemplate(text)
      {
        templates[rank] = template
      }
      if sources[rank].stub.responses.count > 1 || sources[rank].stub.then != .repeatLast {
        sequences[rank] = ResponseSequence(sources[rank].stub)
      }
      if sources[rank].stub.isRequired { required.append(rank) }
    }
    self.sources = sources
    self.templates = templates
    self.sequences = sequences
    self.required = required
    matching = RequestMatching(check.operands)
    index = StubIndex(sources, templates: templates)
  }

  /// None at all.
  init() {
    sources = []
    templates = [:]
    sequences = [:]
    required = []
    matching = RequestMatching(CompiledOperands())
    index = StubIndex([], templates: [:])
  }

  /// Whether the stub matches, with every part compared.
  func matches(_ rank: Int, _ request: PreparedRequest) -> Bool {
    matching.matches(sources[rank].stub.request, template: templates[rank], request)
  }

  /// Refuses what cannot be played, and brings host patterns into the form of hosts.
  private static func checked(
    _ written: [LoadedScenario.Source], _ check: inout PatternCheck
  ) throws(EngineError) -> [LoadedScenario.Source] {
    var sources = written
    var places: [ScenarioName: Int] = [:]
    var (origin, place, layer) = (ScenarioName?.none, 0, 0)
    for index in sources.indices {
      if sources[index].layer != layer {
        (places, origin, layer) = ([:], nil, sources[index].layer)
      }
      if sources[index].origin != origin {
        if let origin { places[origin] = place }
        origin = sources[index].origin
        place = places[sources[index].origin] ?? 0
      }
      if let host = sources[index].stub.request.host, !HostPattern.isCanonical(host) {
        sources[index].stub.request.host = HostPattern.canonical(host)
      }
      if let refusal = refusal(of: sources[index].stub, &check) {
        throw refusal.error(in: written[index], index: place)
      }
      place += 1
    }
    return sources
  }

  private static func refusal(
    of stub: borrowing Stub, _ check: inout PatternCheck
  ) -> Refusal? {
    let template =
      if !stub.request.pathParameters.isEmpty, case .template(let text) = stub.request.path {
        PathTemplate(text)
      } else {
        PathTemplate?.none
      }
    return check.refusal(of: stub.request, template: template)?.inside("request")
      ?? ResponseCheck.refusal(of: stub)
  }

  /// Highest layer first, then lowest priority number; stubs of one priority keep their order.
  private static func inAnswerOrder(
    _ sources: [LoadedScenario.Source]
  ) -> [LoadedScenario.Source] {
    let isSorted = sources.indices.dropFirst().allSatisfy { index in
      sources[index - 1].layer == sources[index].layer
        && sources[index - 1].stub.priority <= sources[index].stub.priority
    }
    if isSorted { return sources }
    return sources.indices
      .sorted { one, other in
        (-sources[one].layer, sources[one].stub.priority, one)
          < (-sources[other].layer, sources[other].stub.priority, other)
      }
      .map { sources[$0] }
  }
}
