package import Foundation
internal import StubDBCatalogEditing
internal import StubDBGit
internal import StubDBLock

/// A lock file of whose two versions one was made, with the catalogs that git left unmerged beside it.
package struct SettledLock {
  /// A catalog that is edited here, and that git lists as unmerged.
  private struct Unmerged {
    let url: URL
    let state: UnmergedCatalog
    /// Whether it had what both sides changed, before newer commits were taken in.
    let wasMerged: Bool
  }

  /// What git waits for.
  package struct Rest: Sendable {
    package let lockFile: URL
    /// Catalogs that one branch removed.
    package let removedByOne: [URL]
    package let unmerged: [URL]
    /// Those of them that lack what one branch changed and did not push.
    package let halves: [URL]
    /// Whether conflicts of a catalog have to be settled first.
    package let hasConflicts: Bool
  }

  private let file: URL
  /// The catalogs that are edited here.
  private let edited: [URL]
  private let unmerged: [Unmerged]
  /// The catalogs of the commits that both versions named.
  private let published: Set<ObjectDigest>

  /// Looks at the catalogs before newer commits are taken into them.
  init(of project: RemoteProject, published: Set<ObjectDigest>) {
    (file, self.published) = (project.file, published)
    edited = project.lock.catalogs.sorted { $0.key < $1.key }
      .compactMap { project.working($0.value) }
    unmerged = edited.compactMap { url -> Unmerged? in
      // A catalog of which git says nothing needs no command of git.
      guard let state = try? UnmergedCatalog(url) else { return nil }
      return Unmerged(url: url, state: state, wasMerged: (try? state.isMerged()) == true)
    }
  }

  /// What git waits for after newer commits were taken in.
  func rest() -> Rest {
    let others = unmerged.filter { !$0.state.isRemovedByOne }
    return Rest(
      lockFile: file,
      removedByOne: unmerged.filter(\.state.isRemovedByOne).map(\.url),
      unmerged: others.map(\.url), halves: others.filter { !isMerged($0) }.map(\.url),
      // A catalog that cannot be read is reported by the command that needs it.
      hasConflicts: edited.contains { url in
        (try? CatalogSnapshot(contentsOf: url).conflicts.isEmpty) == false
      })
  }

  private func isMerged(_ catalog: Unmerged) -> Bool {
    catalog.wasMerged || (try? catalog.state.isMerged(after: published)) == true
  }
}
