package import Foundation
internal import StubDBCatalog
package import StubDBCatalogEditing
package import StubDBChanges
import StubDBFiles
package import StubDBModel
internal import StubDBSupport

extension URL {
  /// Whether the file exists and is empty, as git passes it for a version that does not exist.
  package var isEmptyFile: Bool {
    PathStatus(path, followingLinks: false).map { $0.isFile && $0.byteCount == 0 } ?? false
  }
}

/// One side of a comparison: a catalog's file, or a git revision of it.
package enum ComparedCatalog {
  case file(URL)
  case revision(String, of: URL)

  /// The scenarios; empty if the file is empty, which git passes for a version that does not exist.
  package func scenarios() throws -> any ScenarioSource {
    switch self {
    case .file(let url):
      if url.isEmptyFile { return NoScenarios() }
      return CatalogScenarios(try CatalogSnapshot(contentsOf: url))
    case .revision(let revision, let url):
      let repository = try GitRepository(containing: url.deletingLastPathComponent())
      let path = try repository.path(of: url)
      let bytes = try repository.bytes(of: path, at: revision)
      if bytes.isEmpty { return NoScenarios() }
      return CatalogScenarios(try CatalogSnapshot(bytes: bytes, name: "\(revision):\(path)"))
    }
  }
}

/// A catalog as a source of a comparison or merge, which reads one scenario at a time.
package struct CatalogScenarios: ScenarioSource, Sendable {
  private let name: String
  package let entries: [ScenarioEntry]
  private let snapshot: Locked<CatalogSnapshot>

  package init(_ snapshot: sending CatalogSnapshot) {
    name = snapshot.name
    entries = snapshot.scenarios.map { scenario in
      ScenarioEntry(
        name: scenario.name, digest: scenario.digest, stubsDigest: scenario.stubsDigest,
        includes: scenario.includes, stubCount: scenario.stubCount)
    }
    self.snapshot = Locked(snapshot)
  }

  /// Runs a closure with the catalog, which only one thread at a time may read.
  package func reading<Value>(
    _ body: (CatalogSnapshot) throws -> Value
  ) rethrows -> Value where Value: Sendable {
    try snapshot.withLock { try body($0) }
  }

  package func scenario(named name: ScenarioName) throws -> Scenario {
    if let scenario = try snapshot.withLock({ try $0.scenario(named: name) }) { return scenario }
    throw CatalogError(
      .noSuchScenario, "there is no scenario \(name) in \(self.name)", path: self.name)
  }
}

/// An editor as a source of a comparison or merge.
package struct EditedScenarios: ScenarioSource {
  private let editor: CatalogEditor
  private let name: String
  package let entries: [ScenarioEntry]

  package init(_ editor: CatalogEditor, name: String) throws {
    self.editor = editor
    self.name = name
    entries = try editor.includesByScenario().map { scenario, includes in
      // Digests only save reading equal scenarios; nothing is compared here.
      ScenarioEntry(
        name: scenario, digest: .zero, stubsDigest: .zero, includes: includes, stubCount: 0)
    }
  }

  package func scenario(named scenario: ScenarioName) throws -> Scenario {
    if let found = try editor.scenario(named: scenario) { return found }
    throw CatalogError(.noSuchScenario, "there is no scenario \(scenario) in \(name)", path: name)
  }
}

extension CatalogEditor {
  /// Applies the result of a merge, or of settling its conflicts.
  package mutating func apply(_ changes: MergedScenarios) throws {
    for name in changes.removed { try removeScenario(name) }
    for scenario in changes.written { try replace(CheckedScenario(stubsOf: scenario)) }
    let conflicts = Set(changes.conflicts)
    try removeConflicts { !conflicts.contains($0) }
    for conflict in changes.conflicts { try insert(conflict) }
  }
}
