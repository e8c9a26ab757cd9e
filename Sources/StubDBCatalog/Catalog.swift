public import Foundation
public import StubDBModel

/// A file that holds scenarios, their stubs and the bodies of their responses.
///
/// A value that any number of threads and processes use at the same time: every call opens the file,
/// reads or replaces it as a whole, and lets go of it; loading a scenario again from a file that is still the same does not
/// even open it. Reading never writes, and leaves nothing beside the file; only what a program that was killed has left
/// unfinished there is taken back first, as SQLite does.
public struct Catalog: Sendable {
  /// Where the file is.
  public let url: URL
  let file: CatalogFile
  /// What was loaded before.
  let loaded: LoadedScenarios

  /// Opens a catalog for reading, and checks that it is one.
  ///
  /// An older version is read as if it were of this one; the file stays as it is.
  /// - Throws: A ``CatalogError`` where there is no file, or it is no catalog, damaged, or of a
  ///   newer version.
  public init(contentsOf url: URL) throws {
    try self.init(contentsOf: url, format: .current)
  }

  init(
    contentsOf url: URL, format: CatalogFormat, loaded: LoadedScenarios = .shared
  ) throws {
    self.init(unchecked: url, format: format, loaded: loaded)
    if !isKnown { _ = try file.read { _ in } }
  }

  init(unchecked url: URL, format: CatalogFormat, loaded: LoadedScenarios = .shared) {
    self.url = url
    self.loaded = loaded
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

  func reader(_ connection: Connection) -> ScenarioReader {
    ScenarioReader(connection: connection, path: file.path)
  }
}
