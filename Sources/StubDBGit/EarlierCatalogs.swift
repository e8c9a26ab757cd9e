package import Foundation
internal import StubDBCatalogEditing
package import StubDBMirror

/// Earlier states of a catalog: the staged one, and those of the commits that changed it last.
///
/// A document of a mirror that says what the catalog once said was not edited by hand.
package final class EarlierCatalogs {
  private static let maximumCount = 20

  private let url: URL
  /// The states read so far, newest first.
  private var snapshots: [CatalogSnapshot] = []
  private lazy var unread = states()

  package init(of catalog: URL) { url = catalog }

  /// Whether an earlier state gives these files for a document.
  package func give(_ text: MirrorFolder.EditedText) -> Bool {
    var index = 0
    while let snapshot = snapshot(index) {
      // A state that cannot be read gives nothing.
      if let scenario = try? snapshot.scenario(named: text.scenario),
        text.files.isSubset(of: MirrorDocument(scenario, path: text.path).files)
      {
        return true
      }
      index += 1
    }
    return false
  }

  /// The state with this index, which is read from git when it is needed; nil after the last one.
  private func snapshot(_ index: Int) -> CatalogSnapshot? {
    while !snapshots.indices.contains(index), let read = unread.popLast() {
      if let bytes = read(), let state = try? CatalogSnapshot(bytes: bytes, name: url.path) {
        snapshots.append(state)
      }
    }
    return snapshots.indices.contains(index) ? snapshots[index] : nil
  }

  /// Reads the states, oldest first; empty outside a repository, and for a catalog that git does not have.
  private func states() -> [() -> Data?] {
    guard let repository = try? GitRepository(containing: url.deletingLastPathComponent()),
      let path = try? repository.path(of: url)
    else { return [] }
    let history = CatalogHistory(repository: repository, path: path)
    let commits = (try? history.commits(from: "HEAD", limit: Self.maximumCount)) ?? []
    guard let objects = try? GitObjects(repository.git) else { return [] }
    let committed = commits.reversed().compactMap(\.after).map { id in
      { try? objects.bytes(of: id) }
    }
    return committed + [{ try? repository.bytes(of: path, at: "") }]
  }
}
