import Foundation
internal import StubDBCatalog
internal import StubDBCatalogEditing
internal import StubDBChanges
internal import StubDBDescriptions
internal import StubDBEngine
internal import StubDBModel
internal import StubDBPlayback
internal import StubDBSupport

/// One of the two states of a catalog that are compared, read as far as the comparison needs.
///
/// Contents of answers stay in the file: their digests say whether they differ. To be used by one thread.
final class ComparedState {
  private let catalog: Catalog
  /// The scenarios of the catalog itself, by name.
  let summaries: [String: ScenarioSummary]
  /// The scenarios that cannot be loaded, because a merge left conflicts in them.
  let conflicts: Set<String>
  private let linked: LinkedScenarios
  private var nodes: [String: LinkedScenarios.Node] = [:]
  private var stubs: [String: ScenarioStubs] = [:]
  private var playable: [String: Bool] = [:]

  /// - Throws: ``CatalogError`` if the file cannot be read.
  init(_ catalog: Catalog) throws(CatalogError) {
    self.catalog = catalog
    summaries = Dictionary(
      try catalog.scenarios().map { ($0.name.rawValue, $0) }, uniquingKeysWith: { one, _ in one })
    conflicts = Set(try catalog.conflicts().map(\.scenario.rawValue))
    linked = try catalog.file.reporting("reading") {
      LinkedScenarios(catalog.reader(try catalog.file.openForReading()), of: catalog)
    }
  }

  /// What a load resolves to.
  ///
  /// - Throws: The ``CatalogError`` of loading it.
  func resolved(_ load: ScenarioLoad) throws(CatalogError) -> ResolvedLoad {
    try catalog.file.reporting("reading") {
      let resolved = try linked.resolved(load.names)
      for (node, _) in resolved { nodes[node.description] = node }
      return ResolvedLoad(
        resolved.map { .init(scenario: $0.node.description, layer: $0.layer) },
        digest: linked.digest(of: resolved))
    }
  }

  /// The digest of the stubs of a scenario that a load was resolved to; nil for other scenarios.
  func digest(of scenario: String) throws(CatalogError) -> SHA256Digest.Value? {
    guard let node = nodes[scenario] else { return nil }
    return try catalog.file.reporting("reading") { try linked.header(node)?.stubsDigest }
  }

  /// The stubs of a scenario that a load was resolved to; none for other scenarios.
  func stubs(of scenario: String) throws(CatalogError) -> ScenarioStubs {
    if let known = stubs[scenario] { return known }
    guard let node = nodes[scenario] else { return ScenarioStubs([]) }
    let read = try catalog.file.reporting("reading") {
      var sources: [LoadedScenario.Source] = []
      try linked.append(stubsOf: node, to: &sources)
      return ScenarioStubs(sources.map(\.stub))
    }
    stubs[scenario] = read
    return read
  }

  /// A scenario that a load was resolved to, with the contents of its answers; nil for other scenarios.
  func scenario(_ name: String) throws(CatalogError) -> Scenario? {
    guard let node = nodes[name] else { return nil }
    return try catalog.file.reporting("reading") { try linked.scenario(node)?.scenario }
  }

  /// Whether all stubs of a scenario can be played.
  func isPlayable(_ scenario: String) throws(CatalogError) -> Bool {
    if let known = playable[scenario] { return known }
    // With the contents of answers, which may be templates.
    let isPlayable =
      try self.scenario(scenario).map { LoadedScenario.problems(in: $0).isEmpty } ?? true
    playable[scenario] = isPlayable
    return isPlayable
  }

  /// The descriptions that the catalog keeps, with their digests.
  var descriptions: [String: SHA256Digest.Value] {
    summaries.filter { KeptDescription.isKept($1.name, tags: $1.tags) }.mapValues(\.stubsDigest)
  }

  /// What the settings beside the catalog say about all tests; nil for settings that cannot be used.
  var defaults: PlaybackDefaults? {
    let file = catalog.url.deletingLastPathComponent().appendingPathComponent(
      CatalogSettings.fileName)
    guard let text = FileManager.default.contents(atPath: file.path) else {
      return PlaybackDefaults()
    }
    return try? CatalogSettings.defaults(text, file: nil)
  }
}
