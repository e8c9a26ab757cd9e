import Foundation
import StubDBCatalog
import StubDBChanges
import StubDBModel

/// One side of a comparison: a catalog's file, or the file as a git revision has it.
enum ComparedCatalog {
  case file(URL)
  case revision(String, of: URL)

  /// The scenarios; none where the file is empty, as git gives one that did not exist.
  func scenarios() throws -> any ScenarioSource {
    switch self {
    case .file(let url):
      if FileSize.isEmpty(url) { return NoScenarios() }
      // Opened by the locator, which says best what is missing.
      _ = try CatalogLocator().open(url.path)
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
