import Foundation
import StubDBCatalog
import StubDBChanges
import StubDBModel

/// Reads what commits changed in a catalog, by meaning.
struct HistoryReader {
  private let objects: GitObjects
  /// Catalogs read last, because the parent of one commit is the result of the next.
  private var recent: [(id: String, source: any ScenarioSource)] = []

  init(_ repository: GitRepository) throws {
    objects = try GitObjects(repository.git)
  }

  /// The changes of a commit; for a merge, its differences to all parents.
  mutating func differences(of commit: CatalogHistory.Commit) throws -> [ScenarioDifference] {
    let after = try source(commit.after, of: commit)
    let parents = try commit.before.map { try source($0, of: commit) }
    return try CatalogDifferences.between(parents, after)
  }

  private mutating func source(
    _ id: String?, of commit: CatalogHistory.Commit
  ) throws -> any ScenarioSource {
    guard let id else { return NoScenarios() }
    if let known = recent.first(where: { $0.id == id }) { return known.source }
    guard let bytes = try objects.bytes(of: id) else {
      throw CommandFailure("git has no object \(id); is this a shallow or partial clone?")
    }
    let source: any ScenarioSource =
      bytes.isEmpty
      ? NoScenarios()
      : CatalogScenarios(
        try CatalogSnapshot(bytes: bytes, name: "of commit \(commit.id.prefix(10))"))
    recent.insert((id, source), at: 0)
    if recent.count > 3 { recent.removeLast() }
    return source
  }
}
