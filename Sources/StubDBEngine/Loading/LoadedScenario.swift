package import Foundation
internal import StubDBJSON
public import StubDBModel

/// A scenario ready to be played: checked, compiled, indexed and immutable.
///
/// Any number of runs and threads can share the value. Among matching stubs, those of an overlay answer first, then the
/// lowest priority number counts, then a scenario's own stubs come before included ones, and then the order of the
/// document decides.
public struct LoadedScenario: Sendable {
  /// The name of the scenario.
  public let name: ScenarioName
  /// The catalog it was loaded from, for reports; nil if it was made in memory.
  public let catalogDescription: String?
  /// The beginning of the digest of the catalog's content when it was loaded, in hexadecimal; nil if it was made in memory.
  package let catalogDigest: String?
  /// The beginning of the digest of all stubs when it was loaded, as ``catalogDigest``.
  package let resolvedDigest: String?
  /// The other catalogs of which it includes scenarios; usually none.
  package let otherCatalogs: [OtherCatalog]
  var stubs: CompiledStubs
  /// Whether it represents no scenario, because only closures answer.
  let isForClosures: Bool
  private let bodies: (any StoredBodyReader)?
  let otherScenarios: (any OtherScenarioSearch)?
  /// The scenarios on top, as commands name them.
  let overlays: [String]
  /// By how many seconds the dates of its answers are later than recorded.
  package internal(set) var shift = 0
  /// The day that it is, as commands name it; nil for that of the clock.
  package internal(set) var today: String?

  /// A stub with the scenario whose document contains it.
  public struct Source: Hashable, Sendable {
    /// The scenario whose document contains the stub; one of another catalog has that catalog before it, as in
    /// `payments:card/declined`.
    public var origin: ScenarioName
    /// The stub.
    public var stub: Stub
    /// 0 for the scenario and its includes, higher for overlays: a higher layer answers first.
    public var layer: Int

    /// Makes a source.
    public init(origin: ScenarioName, stub: Stub, layer: Int = 0) {
      self.origin = origin
      self.stub = stub
      self.layer = layer
    }
  }

  /// Another catalog, and the scenarios of it that a scenario includes.
  package struct OtherCatalog: Hashable, Sendable {
    /// What the lock calls it.
    package let name: String
    package let path: String
    /// Whether the file is edited here, and not one of the cache.
    package let isEdited: Bool
    /// By their names in that catalog, in the order in which they answer.
    package let scenarios: [ScenarioName]

    package init(name: String, path: String, isEdited: Bool, scenarios: [ScenarioName]) {
      (self.name, self.path, self.isEdited) = (name, path, isEdited)
      self.scenarios = scenarios
    }
  }

  /// Compiles stubs for playing.
  ///
  /// The cost is a few microseconds a stub. `stubs` contains the scenario's own stubs first, then those of its includes
  /// in order, each in document order; overlays have a layer above 0. `bodies` reads bodies that were left in a
  /// catalog, and `otherScenarios` helps to explain unmatched requests.
  /// - Throws: ``EngineError`` with scenario, stub and place for a stub that this version cannot play.
  package init(
    name: ScenarioName, stubs: [Source], bodies: (any StoredBodyReader)? = nil,
    catalogDescription: String? = nil, catalogDigest: String? = nil,
    otherScenarios: (any OtherScenarioSearch)? = nil, otherCatalogs: [OtherCatalog] = [],
    resolvedDigest: String? = nil, overlays: [String] = []
  ) throws(EngineError) {
    self.name = name
    self.overlays = overlays
    self.otherCatalogs = otherCatalogs
    (self.catalogDigest, self.resolvedDigest) = (catalogDigest, resolvedDigest)
    self.stubs = try CompiledStubs(stubs) { try Self.data(of: $0, bodies, name) }
    self.bodies = bodies
    self.catalogDescription = catalogDescription
    self.otherScenarios = otherScenarios
    isForClosures = false
  }

  /// The scenario with further stubs on top, the first of them first; they belong to a scenario of another name.
  ///
  /// Compiles all stubs again.
  /// - Throws: ``EngineError`` for a stub that this version cannot play.
  package func adding(
    _ added: [Stub], named name: ScenarioName
  ) throws(EngineError) -> LoadedScenario {
    let top = (stubs.sources.map(\.layer).max() ?? 0) + 1
    var scenario = try LoadedScenario(
      name: self.name,
      stubs: stubs.sources + added.map { Source(origin: name, stub: $0, layer: top) },
      bodies: bodies, catalogDescription: catalogDescription, catalogDigest: catalogDigest,
      otherScenarios: otherScenarios, otherCatalogs: otherCatalogs,
      resolvedDigest: resolvedDigest, overlays: overlays)
    (scenario.shift, scenario.today) = (shift, today)
    return scenario
  }

  /// Compiles a scenario and the ones it includes, in order, with overlays on top.
  ///
  /// The last overlay answers first. The includes of overlays must be in `including` too, and answer in the lowest
  /// layer.
  /// - Throws: ``EngineError`` as above, and for an include that is not in `including`.
  public init(
    _ scenario: Scenario, including: [Scenario] = [], overlays: [Scenario] = []
  ) throws(EngineError) {
    let all = [scenario] + including + overlays
    let given = Set(all.map(\.name))
    for part in all {
      for (index, name) in part.includes.enumerated()
      where !given.contains(name.originName) {
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

  /// A scenario without stubs.
  package init(emptyNamed name: ScenarioName) {
    self.init(emptyNamed: name, isForClosures: false)
  }

  /// Stands for no scenario, where only closures answer.
  package static let closuresOnly = LoadedScenario(
    emptyNamed: ScenarioName(unchecked: "closures-only"), isForClosures: true)

  private init(emptyNamed name: ScenarioName, isForClosures: Bool) {
    self.name = name
    self.isForClosures = isForClosures
    stubs = CompiledStubs()
    catalogDescription = nil
    (catalogDigest, resolvedDigest) = (nil, nil)
    otherCatalogs = []
    overlays = []
    bodies = nil
    otherScenarios = nil
  }

  /// The number of stubs, including those of included scenarios.
  public var stubCount: Int { stubs.sources.count }

  /// All stubs, in the order in which they answer.
  package var sources: [Source] { stubs.sources }

  /// The first stub that matches the request in a fresh run; nil if none does.
  ///
  /// This only matches: nothing is counted, and near misses are not computed.
  public func firstMatch(for request: StubRequest) -> Source? {
    firstMatch(for: PreparedRequest(request))
  }

  /// The first stub that matches a request that is parsed already.
  package func firstMatch(for request: PreparedRequest) -> Source? {
    var matches = StubMatches(stubs, request, earlier: earlier(request))
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

  /// The stub that answers a request in a fresh run; nil if none does.
  ///
  /// The answer is decided as in a run, with states of flows, captures and stubs that hand the request on, and its
  /// templates are not filled in.
  package func firstAnswer(to request: PreparedRequest) -> Stub? {
    run().rank(answering: request).map { stubs.sources[$0].stub }
  }

  /// Begins a run with fresh counters and an empty journal.
  ///
  /// `seed` decides everything random: with the same seed, each stub's first answer is always the same, and so are its
  /// second and later ones, whatever the order of requests.
  package func run(
    seed: UInt64 = 0, journalLimit: JournalLimit = .unlimited,
    observer: ScenarioRun.Observer? = nil,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) -> ScenarioRun {
    ScenarioRun(
      scenario: self, seed: seed, clock: clock, limit: journalLimit, observer: observer)
  }

  /// The bytes of a body, read from the catalog if they were left there.
  ///
  /// - Throws: ``EngineError`` if nothing can read them, and the errors of the reader.
  package func body(of body: ResponseBody) throws -> Data {
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

  /// All problems of a scenario's own stubs that prevent playing it; empty if there are none.
  package static func problems(in scenario: Scenario) -> [EngineError] {
    StubCompiler.problems(in: scenario)
  }
}

/// Finds scenarios that would have answered a request.
///
/// Used by the report on an unmatched request, since a catalog has more scenarios than the one that is played.
package protocol OtherScenarioSearch: Sendable {
  /// Scenarios in which a stub matches the request, the best first; empty if there are none.
  ///
  /// Called from any thread, and only for a report.
  func scenarios(matching request: StubRequest) -> [ScenarioName]
}

/// Reads the bodies that a loaded scenario left in its catalog.
package protocol StoredBodyReader: Sendable {
  /// The bytes of the body, checked against its digest.
  ///
  /// Called from any thread, when the body is served.
  /// - Throws: The error that prevents reading, with a message for users.
  func data(for body: StoredBody) throws -> Data
}
