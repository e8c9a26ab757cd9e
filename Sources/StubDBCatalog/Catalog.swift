public import Foundation
package import StubDBLock

/// A file that contains scenarios, their stubs and the bodies of their responses.
///
/// A value that any number of threads and processes may use at the same time. Every call opens the file, reads it or
/// replaces it as a whole, and closes it; loading a scenario again from an unchanged file does not even open it.
/// Reading does not write and leaves no file beside the catalog; only a write that another program left unfinished is
/// rolled back first, as SQLite does.
public struct Catalog: Sendable {
  /// Where the file is.
  public let url: URL
  package let file: CatalogFile
  /// The scenarios that were loaded before.
  let loaded: LoadedScenarios
  /// The cache of published catalogs; nil for that of the user.
  package let cache: ObjectCache?

  /// Opens a catalog for reading and checks that it is one.
  ///
  /// An older version is read as if it were of the current version; the file is not changed.
  /// - Throws: A ``CatalogError`` if there is no file, or if it is not a catalog, is damaged, or was written by a newer
  /// version.
  public init(contentsOf url: URL) throws(CatalogError) {
    try self.init(contentsOf: url, format: .current)
  }

  /// Opens a catalog whose scenarios include those of published catalogs in a certain cache.
  package init(contentsOf url: URL, cache: ObjectCache) throws(CatalogError) {
    try self.init(contentsOf: url, format: .current, cache: cache)
  }

  init(
    contentsOf url: URL, format: CatalogFormat, loaded: LoadedScenarios = .shared,
    cache: ObjectCache? = nil
  ) throws(CatalogError) {
    self.init(unchecked: url, format: format, loaded: loaded, cache: cache)
    if !isKnown { _ = try file.read { _ in } }
  }

  /// A catalog that is checked when it is read.
  package init(unchecked url: URL) {
    self.init(unchecked: url, format: .current)
  }

  init(
    unchecked url: URL, format: CatalogFormat, loaded: LoadedScenarios = .shared,
    cache: ObjectCache? = nil
  ) {
    self.url = url
    self.loaded = loaded
    self.cache = cache
    file = CatalogFile(path: url.path, format: format)
  }

  package func reader(_ connection: Connection) -> ScenarioReader {
    ScenarioReader(connection: connection, path: file.path)
  }
}
