import Foundation
import StubDBCatalog
import StubDBChanges
import StubDBModel

/// What commits changed in a catalog, by meaning.
struct HistoryReader {
  private let objects: GitObjects
  /// Catalogs that were just read: what a commit began with is what the one before it made.
  private var recent: [(id: String, source: any ScenarioSource)] = []

  init(_ repository: GitRepository) throws {
    objects = try GitObjects(repository.git)
  }

  /// What a commit changed; of a merge, what it has from none of its parents.
  mutating func differences(of commit: CatalogHistory.Commit) throws -> [ScenarioDifference] {
    let after = try source(commit.after, of: commit)
    let parents = try commit.before.map { try source($0, of: commit) }
    guard let first = parents.first else {
      return try CatalogDifferences.between(NoScenarios(), after)
    }
    return try parents.dropFirst().reduce(CatalogDifferences.between(first, after)) { own, parent in
      let others = try CatalogDifferences.between(parent, after)
      return own.compactMap { difference in
        others.first { $0.name == difference.name }.flatMap { difference.shared(with: $0) }
      }
    }
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

extension ScenarioDifference {
  /// What is in both differences, which lead to the same version; nil where nothing is.
  fileprivate func shared(with other: ScenarioDifference) -> ScenarioDifference? {
    if (before == nil) != (other.before == nil) || (after == nil) != (other.after == nil) {
      return nil
    }
    var shared = self
    let places = Set(other.changes.map(\.pointer))
    shared.changes.removeAll { !places.contains($0.pointer) }
    shared.stubs = stubs.compactMap { stub in
      other.stubs.first { $0.key == stub.key }.flatMap { stub.shared(with: $0) }
    }
    let isRenamed = before != after && other.before != other.after
    return shared.isEmpty && !isRenamed ? nil : shared
  }
}

extension StubDifference {
  fileprivate func shared(with other: StubDifference) -> StubDifference? {
    if (before == nil) != (other.before == nil) || (after == nil) != (other.after == nil) {
      return nil
    }
    var shared = self
    let places = Set(other.changes.map(\.pointer))
    shared.changes.removeAll { !places.contains($0.pointer) }
    shared.hasMoved = hasMoved && other.hasMoved
    let isWhole = before == nil || after == nil
    return isWhole || shared.hasMoved || !shared.changes.isEmpty ? shared : nil
  }
}
