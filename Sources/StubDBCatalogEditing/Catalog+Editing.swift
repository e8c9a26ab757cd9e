public import Foundation
public import StubDBCatalog
public import StubDBModel
package import StubDBSupport

extension Catalog {
  /// What the names of catalog files end in, after a dot.
  package static let fileExtension = "stubdb"

  /// Creates an empty catalog.
  ///
  /// - Throws: A ``CatalogError`` with `alreadyExists` if something is at the URL.
  @discardableResult
  public static func create(at url: URL) throws(CatalogError) -> Catalog {
    let catalog = Catalog(unchecked: url)
    try catalog.file.reporting("creating") { try CatalogWriter(file: catalog.file).create { _ in } }
    return catalog
  }

  /// Creates a catalog with what an edit of an empty one makes, in one step: no reader sees it empty, and nothing is left
  /// of one whose process is killed.
  ///
  /// - Throws: What the closure throws, or a ``CatalogError``, with `alreadyExists` if something is at the URL.
  @discardableResult
  package static func create<Value>(
    at url: URL, _ body: (inout CatalogEditor) throws -> Value
  ) throws -> Value {
    try CatalogWriter(file: Catalog(unchecked: url).file).create(body)
  }

  /// Creates a catalog of the bytes of another one, which the caller has checked.
  ///
  /// - Throws: A ``CatalogError``, with `alreadyExists` if something is at the URL.
  package static func create(at url: URL, copying bytes: Data) throws(CatalogError) {
    try CatalogWriter(file: Catalog(unchecked: url).file).create(copying: bytes)
  }

  /// The scenarios, ordered by name.
  ///
  /// - Parameters:
  ///   - prefix: Only names that begin with this text.
  ///   - tags: Only scenarios that have all of these.
  /// - Returns: A summary of each matching scenario; empty if none matches.
  /// - Throws: A ``CatalogError`` if the file cannot be read.
  public func scenarios(
    prefix: String? = nil, tags: [String] = []
  ) throws(CatalogError) -> [ScenarioSummary] {
    let all = try file.read { try reader($0).summaries() }
    return Self.filtered(all, prefix: prefix, tags: tags)
  }

  static func filtered(
    _ scenarios: [ScenarioSummary], prefix: String?, tags: [String]
  ) -> [ScenarioSummary] {
    if prefix == nil, tags.isEmpty { return scenarios }
    return scenarios.filter { scenario in
      scenario.name.rawValue.hasPrefix(prefix ?? "") && tags.allSatisfy(scenario.tags.contains)
    }
  }

  /// A scenario as its document describes it, with all bodies in memory.
  ///
  /// - Throws: A ``CatalogError`` with `noSuchScenario` and the nearest names.
  public func scenario(named name: ScenarioName) throws(CatalogError) -> Scenario {
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
  /// Edits run one at a time, whatever the number of threads and processes; others wait. The file is replaced in one
  /// step, and only if its content changes. If the closure throws, or anything else fails, the file is left as it was.
  /// The cost is a rewrite of the file, about a second for 100 MB.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, or a ``CatalogError``; `danglingInclude` or `includeCycle` if the edit leaves
  /// the includes inconsistent.
  @discardableResult
  public func edit<Value>(_ body: (inout CatalogEditor) throws -> Value) throws -> Value {
    try CatalogWriter(file: file).edit(body)
  }

  /// Changes a copy of the catalog, and puts it in the place of another file in one step; the catalog stays as it is.
  ///
  /// - Throws: What the closure throws, or a ``CatalogError`` as ``edit(_:)`` does.
  package func editCopy<Value>(
    at url: URL, _ body: (inout CatalogEditor) throws -> Value
  ) throws -> Value {
    try CatalogWriter(file: file).editCopy(at: url.path, body)
  }

  /// Rewrites a file of an older version in the current version; does nothing to a file of the current version.
  ///
  /// - Throws: A ``CatalogError`` if the file cannot be read or replaced.
  public func upgrade() throws(CatalogError) {
    try file.reporting("writing") { try CatalogWriter(file: file).edit(always: true) { _ in } }
  }
}

/// A summary of a scenario, as lists show it.
public struct ScenarioSummary: Hashable, Sendable {
  /// The name.
  public let name: ScenarioName
  /// A description in one line, or nil.
  public let summary: String?
  /// The tags, sorted; may be empty.
  public let tags: [String]
  /// The included scenarios, in order; may be empty.
  public let includes: [ScenarioReference]
  /// The number of the scenario's own stubs.
  public let stubCount: Int
  /// Equal if two scenarios have the same name and content.
  package let digest: SHA256Digest.Value
  /// Equal if two scenarios have the same stubs.
  package let stubsDigest: SHA256Digest.Value
}
