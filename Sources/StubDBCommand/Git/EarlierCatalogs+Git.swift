import Foundation
import StubDBTransfer

extension EarlierCatalogs {
  private static let maximumCount = 20

  /// The staged state of a catalog, and those of the commits that changed it last; none outside a repository, and for a
  /// catalog that git does not have.
  convenience init(of catalog: URL) {
    self.init(of: catalog.path) {
      guard let repository = try? GitRepository(containing: catalog.deletingLastPathComponent()),
        let path = try? repository.path(of: catalog)
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
}
