import Foundation
import StubDBModel
import StubDBSupport

/// The stubs of a scenario in the order in which they answer, compiled for matching.
///
/// A stub is identified by its rank, its index in that order.
final class CompiledStubs: Sendable {
  let sources: [LoadedScenario.Source]
  /// The request patterns, by rank.
  let requests: [CompiledRequest]
  let index: StubIndex
  /// The sequences of the stubs that have several responses, by rank.
  let sequences: [Int: ResponseSequence]
  /// The ranks of the required stubs, ascending.
  let required: [Int]

  /// What answers need besides the responses, by rank; only for stubs that need anything.
  let answers: [Int: CompiledAnswer]
  /// The items that resources begin with, by rank.
  let resources: [Int: ResourceItems]

  /// Compiles stubs; `data` returns the bytes of bodies.
  init(
    _ written: [LoadedScenario.Source], data: (ResponseBody) throws -> Data
  ) throws(EngineError) {
    var compiler = StubCompiler()
    var sources = Self.withCanonicalHosts(written)
    var compiled = try Self.compiled(sources, written, &compiler, data)
    if let order = Self.answerOrder(sources) {
      sources = order.map { sources[$0] }
      compiled = order.map { compiled[$0] }
    }
    var (sequences, required) = ([Int: ResponseSequence](), [Int]())
    var (answers, resources) = ([Int: CompiledAnswer](), [Int: ResourceItems]())
    for rank in sources.indices {
      if let items = compiled[rank].items { resources[rank] = items }
      if let answer = compiled[rank].answer { answers[rank] = answer }
      if sources[rank].stub.responses.count > 1 || sources[rank].stub.then != .repeatLast {
        sequences[rank] = ResponseSequence(sources[rank].stub)
      }
      if sources[rank].stub.isRequired { required.append(rank) }
    }
    (self.sources, self.sequences, self.required) = (sources, sequences, required)
    (self.answers, self.resources) = (answers, resources)
    requests = compiled.map(\.request)
    index = StubIndex(requests)
  }

  /// The same stubs with other responses, which need the same templates.
  init(_ other: CompiledStubs, _ transform: (StubResponse) -> StubResponse) {
    sources = other.sources.map { source in
      var source = source
      source.stub.responses = source.stub.responses.map(transform)
      return source
    }
    (requests, index, sequences) = (other.requests, other.index, other.sequences)
    (required, answers) = (other.required, other.answers)
    resources = sources.enumerated().reduce(into: other.resources) { resources, source in
      guard let resource = source.element.stub.resource,
        let bytes = source.element.stub.responses.last?.body?.bytes
      else { return }
      if let items = try? ResourceItems(bytes, of: resource) { resources[source.offset] = items }
    }
  }

  /// An empty list.
  init() {
    (sources, requests, required) = ([], [], [])
    (sequences, answers, resources) = ([:], [:], [:])
    index = StubIndex([])
  }

  /// The template of the path of a stub; nil for a path without placeholders.
  func path(_ rank: Int) -> PlaceholderPath? { requests[rank].path.placeholders }

  /// The context for the patterns of a stub, with the kept values that they compare with.
  func scope(
    _ rank: Int, _ request: PreparedRequest, _ captured: CapturedValues
  ) -> MatchScope {
    guard requests[rank].asksForCaptured, let answer = answers[rank] else {
      return MatchScope(request.context)
    }
    let texts = answer.captured(from: captured, for: request, path: path(rank))
    return MatchScope(request.context, captured: texts)
  }

  /// Compiles the stubs in the given order.
  private static func compiled(
    _ sources: [LoadedScenario.Source], _ written: [LoadedScenario.Source],
    _ compiler: inout StubCompiler, _ data: (ResponseBody) throws -> Data
  ) throws(EngineError) -> [CompiledStub] {
    var compiled: [CompiledStub] = []
    compiled.reserveCapacity(sources.count)
    for index in sources.indices {
      do throws(CompileError) {
        compiled.append(try compiler.compile(sources[index].stub, data))
      } catch {
        throw error.error(in: written[index], index: place(of: index, in: written))
      }
    }
    return compiled
  }

  private static func withCanonicalHosts(
    _ written: [LoadedScenario.Source]
  ) -> [LoadedScenario.Source] {
    var sources = written
    // Neighbours mostly have the same host, which is looked at once.
    var canonical: String?
    for index in written.indices {
      guard let host = written[index].stub.request.host else { continue }
      if let canonical, let text = host.literal, ByteText.isEqual(text, canonical) { continue }
      if HostPattern.isCanonical(host) {
        canonical = host.literal
      } else {
        sources[index].stub.request.host = HostPattern.canonical(host)
      }
    }
    return sources
  }

  /// The place of a stub in its document.
  private static func place(of index: Int, in sources: [LoadedScenario.Source]) -> Int {
    sources[..<index].count {
      $0.origin == sources[index].origin && $0.layer == sources[index].layer
    }
  }

  /// Highest layer first, then lowest priority number; stubs with equal priority keep their order.
  ///
  /// Nil if they are in that order already.
  private static func answerOrder(_ sources: [LoadedScenario.Source]) -> [Int]? {
    let isSorted = sources.indices.dropFirst().allSatisfy { index in
      sources[index - 1].layer == sources[index].layer
        && sources[index - 1].stub.priority <= sources[index].stub.priority
    }
    if isSorted { return nil }
    return sources.indices.sorted { one, other in
      (-sources[one].layer, sources[one].stub.priority, one)
        < (-sources[other].layer, sources[other].stub.priority, other)
    }
  }
}

/// A stub that is ready to be played.
struct CompiledStub {
  let request: CompiledRequest
  /// What answers need besides the responses; nil for most stubs.
  let answer: CompiledAnswer?
  /// The items that its resource begins with; nil without a resource.
  var items: ResourceItems?
}

/// Compiles stubs, and rejects those that cannot be played.
struct StubCompiler {
  private var patterns = PatternCompiler()

  /// Compiles a stub.
  mutating func compile(
    _ stub: Stub, _ data: (ResponseBody) throws -> Data
  ) throws(CompileError) -> CompiledStub {
    let request: CompiledRequest
    do throws(CompileError) {
      request = try patterns.request(stub.request)
    } catch {
      throw error.inside("request")
    }
    var items: ResourceItems?
    if let resource = stub.resource {
      let seed = try stub.responses.last?.body.map { (body) throws(CompileError) in
        try ResponseTemplate.bytes(of: body, data)
      }
      items = try ResourceItems(seed ?? Data(), of: resource)
    }
    guard
      !patterns.names.isEmpty || !stub.captures.isEmpty
        || stub.responses.contains(where: \.needsCompiling)
    else { return CompiledStub(request: request, answer: nil, items: items) }
    try Self.checkScheme(stub)
    return CompiledStub(
      request: request,
      answer: try CompiledAnswer(
        stub, path: request.path.placeholders, names: patterns.names, needs: patterns.needs,
        data: data), items: items)
  }

  /// Throws for a WebSocket that no request can ask for.
  private static func checkScheme(_ stub: Stub) throws(CompileError) {
    guard let scheme = stub.request.scheme, scheme.hasPrefix("http"),
      stub.responses.contains(where: \.isWebSocket)
    else { return }
    let other = scheme == "http" ? "ws" : "wss"
    throw CompileError(
      code: .invalidPattern,
      reason: "a request for a WebSocket has the scheme \(other), so that none gets to this stub; "
        + "write \(other) in place of \(scheme)",
      path: ["request"])
  }

  /// All problems that prevent playing a scenario, at most one for each stub.
  static func problems(in scenario: Scenario) -> [EngineError] {
    var compiler = StubCompiler()
    return scenario.stubs.enumerated().compactMap { index, stub in
      do throws(CompileError) {
        _ = try compiler.compile(stub) { $0.bytes ?? Data() }
        return nil
      } catch {
        return error.error(
          in: LoadedScenario.Source(origin: scenario.name, stub: stub), index: index)
      }
    }
  }
}
