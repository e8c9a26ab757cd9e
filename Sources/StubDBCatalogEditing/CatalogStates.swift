internal import Foundation
package import StubDBCatalog
internal import StubDBLock
internal import StubDBSupport

/// The state of a catalog's file, and of all files that say what its scenarios include of other catalogs.
package struct CatalogState: Hashable, Sendable {
  private let file: FileIdentity
  private let depended: [DependedFile]

  init(file: FileIdentity, depended: [DependedFile]) {
    (self.file, self.depended) = (file, depended)
  }
}

/// Looks again and again at the files that a catalog's scenarios are loaded from.
///
/// The lock file is read when it has changed; everything else is a question to the file system.
package final class CatalogStates: Sendable {
  private struct KnownLock {
    var place: DependedFile
    var files: [CatalogFile]
  }

  private let catalog: Catalog
  private let known = Locked<KnownLock?>(nil)

  package init(of catalog: Catalog) {
    self.catalog = catalog
  }

  /// The present state; nil if there is no catalog at present, or if it is being written.
  package func now() -> CatalogState? {
    guard let file = catalog.file.identity else { return nil }
    let folder = URL(fileURLWithPath: catalog.file.target).deletingLastPathComponent()
    var depended: [DependedFile] = []
    for url in LockFile.candidates(for: folder) {
      let place = DependedFile(lock: url.path)
      depended.append(place)
      if place.isThere {
        depended += files(of: url, place).map(DependedFile.init)
        break
      }
    }
    return CatalogState(file: file, depended: depended)
  }

  private func files(of url: URL, _ place: DependedFile) -> [CatalogFile] {
    if let known = known.withLock({ $0 }), known.place == place { return known.files }
    // A lock that cannot be read leads nowhere; loading a scenario that needs it reports why.
    let lock = (try? LockFile(contentsOf: url)) ?? LockFile()
    let files = CatalogLinks.files(of: lock, at: url, cache: catalog.cache)
    known.withLock { $0 = KnownLock(place: place, files: files) }
    return files
  }
}
