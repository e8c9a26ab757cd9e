public import StubDBEngine
internal import StubDBModel

extension Catalog {
  /// Bodies of more bytes than this stay in the file until they are served.
  static let largestBodyInMemory = 64 * 1024

  /// About what a stub takes in memory, besides its bodies.
  private static let stubByteCount = 2_048

  /// Loads a scenario for playing, with the scenarios it includes and overlays on top.
  ///
  /// Of the overlays, which are scenarios too, the last one answers first. Takes what it needs into memory and lets go of the
  /// file; bodies over 64 KiB stay there and are read when they are served, from the very file that was loaded.
  /// Loaded again from a file that is still the same, the scenario costs some microseconds and no memory: what was loaded last
  /// is kept, up to about 64 MB for the process.
  /// - Throws: A ``CatalogError`` for a name that does not exist, a dangling include, a cycle, a
  ///   conflict that a merge left in one of the scenarios, or a damaged file; an `EngineError` for a stub that this version cannot play.
  public func load(_ name: String, overlays: [String] = []) throws -> LoadedScenario {
    let names = [name] + overlays
    guard let identity = file.identity else { return try read(names).scenario }
    let key = LoadedScenarios.Key(path: file.path, version: file.format.version, names: names)
    if let known = loaded.scenario(key, of: identity) { return known }
    let (scenario, byteCount) = try read(names)
    // Where the file was replaced meanwhile nobody knows which one was read.
    if let byteCount, file.identity == identity {
      loaded.keep(scenario, as: key, of: identity, byteCount: byteCount)
    }
    return scenario
  }

  /// Whether the file is as it was when something was loaded from it.
  var isKnown: Bool {
    guard let identity = file.identity else { return false }
    return loaded.knows(identity, path: file.path, version: file.format.version)
  }

  /// Reads a scenario and its overlays, whatever was loaded before.
  ///
  /// - Returns: Also about how many bytes it takes; nil where it holds on to the file.
  func read(_ names: [String]) throws -> (scenario: LoadedScenario, byteCount: Int?) {
    try file.reporting("reading") {
      let connection = try file.openForReading()
      let reader = reader(connection)
      var rows = StubRows(largestBody: Self.largestBodyInMemory, path: file.path)
      var sources: [LoadedScenario.Source] = []
      var main: ScenarioName?
      for (layer, name) in names.enumerated() {
        let first = sources.count
        let headers = try headers(of: name, reader)
        main = main ?? headers.first?.scenario.name
        try reader.refuseConflicts(in: headers)
        for header in headers {
          try rows.append(stubsOf: header, on: connection, to: &sources)
        }
        if layer > 0 { for index in first..<sources.count { sources[index].layer = layer } }
      }
      guard let main else { throw try reader.noSuchScenario(names.first ?? "") }
      let bodies =
        rows.hasStoredBodies ? CatalogBodyReader(connection: connection, path: file.path) : nil
      let scenario = try LoadedScenario(
        name: main, stubs: sources, bodies: bodies, catalogDescription: file.path,
        otherScenarios: CatalogScenarioSearch(catalog: self, besides: main))
      let byteCount = rows.bodyByteCount + sources.count * Self.stubByteCount
      return (scenario, rows.hasStoredBodies ? nil : byteCount)
    }
  }

  /// The scenario and those it includes, in order.
  private func headers(of name: String, _ reader: ScenarioReader) throws -> [ScenarioHeader] {
    guard let name = ScenarioName(name), let header = try reader.header(name) else {
      throw try reader.noSuchScenario(name)
    }
    if header.scenario.includes.isEmpty { return [header] }
    // Not the whole graph: a scenario costs what it includes, however large the catalog is.
    var read: [ScenarioName: ScenarioHeader] = [:]
    let graph = IncludeGraph(
      includes: { name in
        read[name] = try reader.header(name)
        return read[name]?.scenario.includes
      }, names: { try reader.names() })
    return [header] + (try graph.closure(of: name).compactMap { read[$0] })
  }
}
