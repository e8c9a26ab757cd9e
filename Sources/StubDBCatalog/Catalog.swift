public import Foundation
public import StubDBEngine
public import StubDBModel

/// A file that holds scenarios, their stubs and the bodies of their responses.
///
/// A value that any number of threads and processes use at the same time: every call opens the file,
/// reads or replaces it as a whole, and lets go of it. Reading never writes, and leaves nothing
/// beside the file.
public struct Catalog: Sendable {
  /// Bodies of more bytes than this stay in the file until they are served.
  static let largestBodyInMemory = 64 * 1024

  /// Where the file is.
  public let url: URL
  let file: CatalogFile

  /// Opens a catalog for reading, and checks that it is one.
  ///
  /// An older version is read as if it were of this one; the file stays as it is.
  /// - Throws: A ``CatalogError`` where there is no file, or it is no catalog, damaged, or of a
  ///   newer version.
  public init(contentsOf url: URL) throws {
    try self.init(contentsOf: url, format: .current)
  }

  init(contentsOf url: URL, format: CatalogFormat) throws {
    self.init(unchecked: url, format: format)
    _ = try file.read { _ in }
  }

  private init(unchecked url: URL, format: CatalogFormat) {
    self.url = url
    file = CatalogFile(path: url.path, format: format)
  }

  /// Creates an empty catalog.
  ///
  /// - Throws: A ``CatalogError`` with `alreadyExists` where something is at the URL.
  @discardableResult
  public static func create(at url: URL) throws -> Catalog {
    let catalog = Catalog(unchecked: url, format: .current)
    try CatalogWriter(file: catalog.file).create()
    return catalog
  }

  /// The scenarios, by name.
  ///
  /// - Parameters:
  ///   - prefix: Only names that begin with this text.
  ///   - tags: Only scenarios that have all of these.
  /// - Returns: What a list shows of each; empty where none fits.
  /// - Throws: A ``CatalogError`` where the file cannot be read.
  public func scenarios(
    prefix: String? = nil, tags: [String] = []
  ) throws -> [ScenarioSummary] {
    let all = try file.read { try reader($0).summaries() }
    return all.filter { scenario in
      scenario.name.rawValue.hasPrefix(prefix ?? "") && tags.allSatisfy(scenario.tags.contains)
    }
  }

  /// A scenario with all its bodies in memory, as its document says it.
  ///
  /// - Throws: A ``CatalogError`` with `noSuchScenario` and what was probably meant.
  public func scenario(named name: ScenarioName) throws -> Scenario {
    try file.read { connection in
      let reader = reader(connection)
      guard let scenario = try reader.scenario(name) else {
        throw try reader.noSuchScenario(name.rawValue)
      }
      return scenario
    }
  }

  /// Loads a scenario for playing, with the scenarios it includes and overlays on top.
  ///
  /// Of the overlays, which are scenarios too, the last one answers first. Takes what it needs into memory and lets go of the
  /// file; bodies over 64 KiB stay there and are read when they are served, from the very file that was loaded.
  /// - Throws: A ``CatalogError`` for a name that does not exist, a dangling include, a cycle, a
  ///   conflict that a merge left in one of the scenarios, or a damaged file; an `EngineError` for a stub that this version cannot play.
  public func load(_ name: String, overlays: [String] = []) throws -> LoadedScenario {
    try file.reporting("reading") {
      let connection = try file.openForReading()
      let reader = reader(connection)
      var rows = StubRows(largestBody: Self.largestBodyInMemory, path: file.path)
      var sources: [LoadedScenario.Source] = []
      var loaded: ScenarioName?
      for (layer, name) in ([name] + overlays).enumerated() {
        let first = sources.count
        let headers = try headers(of: name, reader)
        loaded = loaded ?? headers.first?.scenario.name
        try reader.refuseConflicts(in: headers)
        for header in headers {
          try rows.append(stubsOf: header, on: connection, to: &sources)
        }
        if layer > 0 { for index in first..<sources.count { sources[index].layer = layer } }
      }
      guard let loaded else { throw try reader.noSuchScenario(name) }
      let bodies =
        rows.hasStoredBodies ? CatalogBodyReader(connection: connection, path: file.path) : nil
      return try LoadedScenario(
        name: loaded, stubs: sources, bodies: bodies, catalogDescription: file.path,
        otherScenarios: CatalogScenarioSearch(catalog: self, besides: loaded))
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

  /// Changes the catalog: runs the closure on a copy in memory and replaces the file with it.
  ///
  /// One edit at a time, whatever the number of threads and processes; others wait. The file is
  /// replaced in one step and only if its content is another one afterwards. What the closure throws,
  /// and anything else that fails, leaves it as it was. Costs a rewrite of the file, about a second
  /// for 100 MB.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, or a ``CatalogError``; among them `danglingInclude` and
  ///   `includeCycle` for what the closure left behind.
  @discardableResult
  public func edit<Value>(_ body: (inout CatalogEditor) throws -> Value) throws -> Value {
    try CatalogWriter(file: file).edit(body)
  }

  /// Rewrites a file of an older version in this one; does nothing to a file of this one.
  public func upgrade() throws {
    try CatalogWriter(file: file).edit(always: true) { _ in }
  }

  private func reader(_ connection: Connection) -> ScenarioReader {
    ScenarioReader(connection: connection, path: file.path)
  }
}
