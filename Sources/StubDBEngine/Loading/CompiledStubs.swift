import Foundation
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

  /// What answering takes beyond the responses, by rank; only for the stubs that need anything.
  let answers: [Int: CompiledAnswer]

  /// Compiles stubs; `data` gives the bytes of bodies.
  init(
    _ written: [LoadedScenario.Source], data: (ResponseBody) throws -> Data
  ) throws(EngineError) {
    var check = StubCheck()
    var sources = try Self.checked(written, &check, data)
    var answers = check.answers
    if let order = Self.answerOrder(sources) {
      sources = order.map { sources[$0] }
      if !answers.isEmpty {
        answers = Dictionary(
          uniqueKeysWithValues: order.enumerated().compactMap { rank, index in
            check.answers[index].map { (rank, $0) }
          })
      }
    }
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
    self.answers = answers
    matching = RequestMatching(check.patterns.operands)
    index = StubIndex(sources, templates: templates)
  }

  /// None at all.
  init() {
    sources = []
    templates = [:]
    sequences = [:]
    required = []
    answers = [:]
    matching = RequestMatching(CompiledOperands())
    index = StubIndex([], templates: [:])
  }

  /// Whether the stub may match, whatever the run keeps; the answer is final for one that asks for nothing kept.
  func mayMatch(_ rank: Int, _ request: PreparedRequest) -> Bool {
    guard asksForCaptured(rank) else { return matches(rank, request) }
    let pattern = sources[rank].stub.request
    guard matching.matchesMethod(pattern.methods, request) else { return false }
    guard case .template = pattern.path else { return true }
    return matching.matchesPath(pattern.path, template: templates[rank], request)
  }

  /// Whether the stub matches with what the run keeps; `mayMatch` was true.
  func matches(_ rank: Int, _ request: PreparedRequest, with captured: CapturedValues) -> Bool {
    guard asksForCaptured(rank) else { return true }
    show(captured, to: rank, request)
    return matches(rank, request)
  }

  /// Gives the request what the patterns of the stub ask of what the run keeps.
  func show(_ captured: CapturedValues, to rank: Int, _ request: PreparedRequest) {
    guard let answer = answers[rank], !answer.names.isEmpty else { return }
    request.context.captured = answer.captured(
      from: captured, for: request, path: templates[rank])
  }

  private func asksForCaptured(_ rank: Int) -> Bool {
    !answers.isEmpty && answers[rank]?.names.isEmpty == false
  }

  /// Whether the stub matches, with every part compared.
  func matches(_ rank: Int, _ request: PreparedRequest) -> Bool {
    matching.matches(sources[rank].stub.request, template: templates[rank], request)
  }

  /// Refuses what cannot be played, and brings host patterns into the form of hosts.
  private static func checked(
    _ written: [LoadedScenario.Source], _ check: inout StubCheck,
    _ data: (ResponseBody) throws -> Data
  ) throws(EngineError) -> [LoadedScenario.Source] {
    let canonical = withCanonicalHosts(written)
    // Seen where they lie: a copy of a stub is counted in for each of its parts.
    let refused = canonical.withUnsafeBufferPointer { sources -> (Int, Refusal)? in
      for index in sources.indices {
        if let refusal = check.refusal(of: sources[index].stub, at: index, data) {
          return (index, refusal)
        }
      }
      return nil
    }
    if let (index, refusal) = refused {
      throw refusal.error(in: written[index], index: place(of: index, in: written))
    }
    return canonical
  }

  private static func withCanonicalHosts(
    _ written: [LoadedScenario.Source]
  ) -> [LoadedScenario.Source] {
    var sources = written
    for index in written.indices {
      if let host = written[index].stub.request.host, !HostPattern.isCanonical(host) {
        sources[index].stub.request.host = HostPattern.canonical(host)
      }
    }
    return sources
  }

  /// Where a stub stands in its document.
  private static func place(of index: Int, in sources: [LoadedScenario.Source]) -> Int {
    sources[..<index].count {
      $0.origin == sources[index].origin && $0.layer == sources[index].layer
    }
  }

  /// Highest layer first, then lowest priority number; stubs of one priority keep their order.
  ///
  /// Nil where they stand in that order.
  private static func answerOrder(_ sources: [LoadedScenario.Source]) -> [Int]? {
    let isSorted = sources.indices.dropFirst().allSatisfy { index in
      sources[index - 1].layer == sources[index].layer
        && sources[index - 1].stub.priority <= sources[index].stub.priority
    }
    if isSorted { return nil }
    return sources.indices
      .sorted { one, other in
        (-sources[one].layer, sources[one].stub.priority, one)
          < (-sources[other].layer, sources[other].stub.priority, other)
      }
  }
}
