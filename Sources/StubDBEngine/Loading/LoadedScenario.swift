public import Foundation
import StubDBJSON
internal import StubDBJSON
public import StubDBModel

/// A scenario ready to be played: checked, compiled, indexed, and never changed.
///
/// A value that any number of runs and threads share. Which stub answers: one of an overlay before the others, then the
/// lowest priority number, then the scenario's own stubs before included ones, then document order.
public struct LoadedScenario: Sendable {
  /// The name of the scenario.
  public let name: ScenarioName
  /// Where it was loaded from, for reports; nil when it was made in memory.
  public let catalogDescription: String?
  let stubs: CompiledStubs
  private let bodies: (any StoredBodyReader)?
  let otherScenarios: (any OtherScenarioSearch)?

  /// A stub and the scenario whose document it is written in.
  public struct Source: Hashable, Sendable {
    /// The scenario whose document holds the stub.
    public var origin: ScenarioName
    /// The stub.
    public var stub: Stub
    /// 0 for the scenario and its includes, higher for what is laid on top: a higher layer answers first.
    public var layer: Int

    /// Makes a source.
    public init(origin: ScenarioName, stub: Stub, layer: Int = 0) {
      self.origin = origin
      self.stub = stub
      self.layer = layer
    }
  }

  /// Compiles stubs for playing.
  ///
  /// The cost is a few microseconds a stub. `stubs` holds the scenario's own stubs first, then those of its includes
  /// in order, all of each document, in document order; overlays with a layer above 0. `bodies` reads what was left in a catalog,
  /// `otherScenarios` helps to explain a request that nothing matched.
  /// - Throws: ``EngineError`` for anything in a stub that this version cannot play, naming scenario, stub and place.
  public init(
    name: ScenarioName, stubs: [Source], bodies: (any StoredBodyReader)? = nil,
    catalogDescription: String? = nil, otherScenarios: (any OtherScenarioSearch)? = nil
  ) throws(EngineError) {
    self.name = name
    self.stubs = try CompiledStubs(stubs) { try Self.data(of: $0, bodies, name) }
    self.bodies = bodies
    self.catalogDescription = catalogDescription
    self.otherScenarios = otherScenarios
  }

  /// Compiles a scenario and the ones it includes, in order, with overlays on top.
  ///
  /// The last overlay answers first; what overlays include has to be among `including` too, and answers in the lowest layer.
  /// - Throws: ``EngineError`` as above, and for an include that `including` does not hold.
  public init(
    _ scenario: Scenario, including: [Scenario] = [], overlays: [Scenario] = []
  ) throws(EngineError) {
    let all = [scenario] + including + overlays
    let given = Set(all.map(\.name))
    for part in all {
      for (index, name) in part.includes.enumerated() where !given.contains(name) {
        throw EngineError(
          code: .missingInclude,
          message: "scenario \"\(part.name)\" includes \"\(name)\", which was not given; "
            + "give every included scenario, or load it from a catalog",
          scenario: part.name, pointer: JSONPointer(["includes", String(index)]))
      }
    }
    var sources: [Source] = []
    for (index, part) in all.enumerated() {
      let layer = max(0, index - including.count)
      sources += part.stubs.map { Source(origin: part.name, stub: $0, layer: layer) }
    }
    try self.init(name: scenario.name, stubs: sources)
  }

  /// A scenario that answers nothing.
  package init(emptyNamed name: ScenarioName) {
    self.name = name
    stubs = CompiledStubs()
    catalogDescription = nil
    bodies = nil
    otherScenarios = nil
  }

  /// The number of stubs, included ones counted.
  public var stubCount: Int { stubs.sources.count }

  /// The first stub that matches the request, were no stub used up; nil where none does.
  ///
  /// Matching alone, without a run: nothing is counted and no near misses are looked for.
  public func firstMatch(for request: StubRequest) -> Source? {
    let prepared = PreparedRequest(request)
    var matches = StubMatches(stubs, prepared)
    var next = 0
    while true {
      if next == matches.ranks.count {
        if matches.isComplete { return nil }
        matches.findMore()
        continue
      }
      let rank = matches.ranks[next]
      if matches.verdict(rank, at: 0) == nil { matches.compare(with: CapturedValues()) }
      if matches.verdict(rank, at: 0) == true {
        return stubs.sources[rank]
      }
      next += 1
    }
  }

  /// Begins a run: fresh counters and an empty journal.
  ///
  /// `seed` decides everything random: with the same one, each stub's first answer is the same, its second one, and so
  /// on, in whatever order requests come.
  public func run(pace: Pace = .real, seed: UInt64 = 0) -> ScenarioRun {
    ScenarioRun(scenario: self, pace: pace, seed: seed, clock: { Date() })
  }

  /// Begins a run to which `clock` tells the time.
  package func run(
    pace: Pace = .real, seed: UInt64 = 0, clock: @escaping @Sendable () -> Date
  ) -> ScenarioRun {
    ScenarioRun(scenario: self, pace: pace, seed: seed, clock: clock)
  }

  /// The bytes of a body, read from the catalog where they were left there.
  ///
  /// - Throws: ``EngineError`` when there is nothing to read them with, and what the reader throws.
  public func body(of body: ResponseBody) throws -> Data {
    try Self.data(of: body, bodies, name)
  }

  private static func data(
    of body: ResponseBody, _ bodies: (any StoredBodyReader)?, _ name: ScenarioName
  ) throws -> Data {
    switch body.content {
    case .bytes(let data):
      return data
    case .stored(let stored):
      guard let bodies else {
        throw EngineError(
          code: .unreadableBody,
          message: "a body of scenario \"\(name)\" was left in its catalog, "
            + "but the scenario was loaded without one; load it with Catalog.load",
          scenario: name)
      }
      return try bodies.data(for: stored)
    }
  }

  /// Everything in a scenario's own stubs that keeps it from being played; empty where nothing does.
  package static func problems(in scenario: Scenario) -> [EngineError] {
    StubCompiler.problems(in: scenario)
  }
}
