package import Foundation
package import StubDBLock
internal import StubDBModel
internal import StubDBSupport

/// The other catalogs that the scenarios of a catalog may include: those that `stubdb.lock` names, beside it or above.
///
/// Nothing is fetched. A catalog that the lock says is edited here is read from its path; any other is read from the
/// cache of this machine, whose file must have the digest of the lock.
package struct CatalogLinks {
  /// An include of a scenario of another catalog, for messages.
  package struct Include {
    let reference: ScenarioReference
    let includer: String
  }

  /// The file of another catalog.
  package struct Link {
    let file: CatalogFile
    /// Whether it is edited here, and not a file of the cache.
    let isEdited: Bool
  }

  private let file: CatalogFile
  private let cache: ObjectCache?
  private var found: (url: URL, lock: LockFile)?
  /// The files whose change may change what includes mean.
  private(set) var depended: [DependedFile] = []

  /// The links of a catalog; `cache` is that of the user if none is given.
  package init(of file: CatalogFile, cache: ObjectCache?) {
    (self.file, self.cache) = (file, cache)
  }

  /// The file of the catalog that an include names.
  ///
  /// - Throws: ``CatalogError`` if the lock does not name it, or if it is not on this machine as the lock says.
  package mutating func link(of name: String, for include: Include) throws -> Link {
    let (url, lock) = try lock(for: include)
    guard let entry = lock.catalogs[name] else {
      let names = lock.catalogs.keys.sorted()
      let advice =
        names.nearest(to: name).map { "did you mean \"\($0)\"?" }
        ?? "to add it: stubdb pull URL --as \(name)"
      throw failure(.noSuchCatalog, include, "\(url.path) names no catalog \"\(name)\"; \(advice)")
    }
    let link = try link(of: name, entry, url, include)
    depended.append(DependedFile(link.file))
    return link
  }

  private func link(
    of name: String, _ entry: LockFile.Entry, _ url: URL, _ include: Include
  ) throws -> Link {
    let pull = "stubdb " + Self.folderOption(url) + "pull \(name)"
    if let path = entry.path {
      let file = Self.edited(path, url)
      if FileStatus(path: file.path) != nil { return Link(file: file, isEdited: true) }
      throw failure(
        .catalogNotPulled, include,
        "\(file.path), where \(url.path) has that catalog, is missing; to get it: \(pull)")
    }
    let cache = try reporting(include) { () throws(RemoteError) in
      if let cache = self.cache { return cache }
      return try ObjectCache(environment: ProcessInfo.processInfo.environment)
    }
    let file = Self.cached(entry.digest, cache)
    guard FileStatus(path: file.path) != nil else {
      throw failure(
        .catalogNotPulled, include,
        "that catalog is not in the cache of this machine yet; to get it: \(pull)")
    }
    guard try VerifiedObjects.isWhole(file, of: entry.digest, in: cache) else {
      throw failure(
        .damaged, include,
        "\(file.path) is damaged: it does not have the digest of \(url.path); to fetch it again: \(pull)"
      )
    }
    return Link(file: file, isEdited: false)
  }

  /// The files of all catalogs that a lock names, whether they are there or not.
  package static func files(of lock: LockFile, at url: URL, cache: ObjectCache?) -> [CatalogFile] {
    let cache = cache ?? (try? ObjectCache(environment: ProcessInfo.processInfo.environment))
    return lock.catalogs.sorted { $0.key < $1.key }.compactMap { _, entry in
      entry.path.map { edited($0, url) } ?? cache.map { cached(entry.digest, $0) }
    }
  }

  private static func edited(_ path: String, _ lock: URL) -> CatalogFile {
    CatalogFile(
      path: lock.deletingLastPathComponent().appendingPathComponent(path).path, format: .current)
  }

  private static func cached(_ digest: ObjectDigest, _ cache: ObjectCache) -> CatalogFile {
    CatalogFile(path: cache.url(digest).path, format: .current)
  }

  /// The nearest lock.
  private mutating func lock(for include: Include) throws -> (url: URL, lock: LockFile) {
    if let found { return found }
    let folder = URL(fileURLWithPath: file.target).deletingLastPathComponent()
    for url in LockFile.candidates(for: folder) {
      depended.append(DependedFile(lock: url.path))
      let lock = try reporting(include) { () throws(RemoteError) in try LockFile(contentsOf: url) }
      guard let lock else { continue }
      found = (url, lock)
      return (url, lock)
    }
    let name = include.reference.catalog ?? ""
    throw failure(
      .noSuchCatalog, include,
      "there is no \(LockFile.fileName) beside or above \(file.path) that says which catalog \(name) is; "
        + "to write one: stubdb \(Self.folderOption(folder.appendingPathComponent("x")))pull URL --as \(name)"
    )
  }

  /// The option that has a command work in the folder of a file; empty if it does so anyway.
  private static func folderOption(_ file: URL) -> String {
    let folder = file.deletingLastPathComponent().standardizedFileURL.resolvingSymlinksInPath().path
    let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
      .standardizedFileURL.resolvingSymlinksInPath().path
    return folder == current ? "" : "-C \(ShellWord.quoted(folder)) "
  }

  private func reporting<Value>(
    _ include: Include, _ body: () throws(RemoteError) -> Value
  ) throws -> Value {
    do throws(RemoteError) {
      return try body()
    } catch {
      throw failure(
        .noSuchCatalog, include, ([error.message] + error.hints).joined(separator: "; "))
    }
  }

  private func failure(
    _ code: CatalogError.Code, _ include: Include, _ reason: String
  ) -> CatalogError {
    CatalogError(
      code, "\"\(include.includer)\" includes \"\(include.reference)\", but \(reason)",
      path: file.path)
  }
}

/// The objects of the cache whose bytes this process has compared with their digests.
///
/// A big file is hashed once for each process and state of the file, not for each test. What is read of it afterwards is
/// compared with the digests inside, as of any catalog.
package enum VerifiedObjects {
  /// A cache that is pruned by the last use must know of tests, but each change of the time has the others hash again.
  private static let oldestUse = TimeInterval(24 * 60 * 60)
  private static let known = Locked<[String: FileIdentity]>([:])

  /// Whether the file has the digest.
  package static func isWhole(
    _ file: CatalogFile, of digest: ObjectDigest, in cache: ObjectCache
  ) throws -> Bool {
    // The target of a link may be written by others.
    guard let identity = file.identity, cache.has(digest) else { return false }
    if known.withLock({ $0[file.path] }) == identity { return true }
    cache.noteUse(of: digest, ifOlderThan: oldestUse)
    let read = file.identity
    guard try ObjectDigest(ofFile: URL(fileURLWithPath: file.path)) == digest, let read,
      file.identity == read
    else { return false }
    known.withLock { $0[file.path] = read }
    return true
  }
}
