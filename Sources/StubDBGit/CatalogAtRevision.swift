package import Foundation
package import StubDBCatalog
internal import StubDBJobs
internal import StubDBLock
internal import StubDBPlayback

/// A catalog as a git revision has it, in a temporary folder, with what decides what its scenarios mean: the lock file,
/// the other catalogs of the repository that it names, and the settings beside the catalog.
///
/// Catalogs that are only read come from the cache of this machine, by their digests. The folder is removed with the
/// value.
package final class CatalogAtRevision {
  /// The catalog; usable as long as this value.
  package let catalog: Catalog
  private let folder: URL

  /// Writes the files of a revision.
  ///
  /// - Throws: `JobError` if there is no such revision, or if it does not have the catalog; `CatalogError` if that is
  /// none.
  package init(_ revision: String, of url: URL) throws {
    let repository = try GitRepository(containing: url.deletingLastPathComponent())
    let path = try repository.path(of: url)
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("stubdb-revision-\(UUID().uuidString)", isDirectory: true)
    self.folder = folder
    do {
      // The folder above is open to all users of the machine; the stubs are not.
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      // The search for a lock file ends at the top of a repository.
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(".git"), withIntermediateDirectories: false)
      let files = RevisionFiles(repository: repository, revision: revision, folder: folder)
      guard try files.write([path]).contains(path) else {
        // Asks git again, for the error that says what is missing.
        _ = try repository.bytes(of: path, at: revision)
        throw JobError(.notFound, "\(revision) has no \(path)")
      }
      try files.writeSettings(of: path)
      try files.writeOtherCatalogs(of: path)
      catalog = try Catalog(contentsOf: folder.appendingPathComponent(path))
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}

/// Writes files of a revision into a folder, each to its path in git.
private struct RevisionFiles {
  let repository: GitRepository
  let revision: String
  let folder: URL

  /// Writes those of the files that the revision has, and returns their paths.
  @discardableResult
  func write(_ paths: [String]) throws -> [String] {
    guard try repository.has(revision, as: "tree") else {
      throw repository.unknownRevision(revision)
    }
    // Paths are relative to the folder that git runs in, and name files of the whole repository otherwise.
    let listed = try repository.git.run(
      ["ls-tree", "-z", "--full-tree", revision, "--"] + paths)
    var written: [String] = []
    for entry in listed.split(separator: 0) {
      // The mode, the type, the object and the path: https://git-scm.com/docs/git-ls-tree#_output_format
      let parts = entry.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
      let words = String(decoding: parts[0], as: UTF8.self).split(separator: " ")
      guard parts.count == 2, words.count == 3, words[1] == "blob" else { continue }
      let path = String(decoding: parts[1], as: UTF8.self)
      try write(String(words[2]), to: folder.appendingPathComponent(path))
      written.append(path)
    }
    return written
  }

  private func write(_ object: String, to url: URL) throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
      throw JobError(.inputOutput, "cannot write \(url.path)")
    }
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    try repository.git.run(["cat-file", "blob", object], output: file)
  }

  func writeSettings(of catalog: String) throws {
    try write([Self.path(of: CatalogSettings.fileName, in: Self.folder(of: catalog))])
  }

  /// Writes the nearest lock file and the catalogs that it says are edited in the repository.
  func writeOtherCatalogs(of catalog: String) throws {
    var current = Self.folder(of: catalog)
    while true {
      let lock = Self.path(of: LockFile.fileName, in: current)
      if try write([lock]).contains(lock) {
        // A lock that cannot be read leads nowhere: loading a scenario that needs it says why.
        let read = try? LockFile(contentsOf: folder.appendingPathComponent(lock))
        let paths = read?.catalogs.values.compactMap(\.path) ?? []
        if !paths.isEmpty { try write(paths.map { Self.path(of: $0, in: current) }) }
        return
      }
      guard !current.isEmpty else { return }
      current = Self.folder(of: current)
    }
  }

  /// The folder of a path in git; empty for the top.
  private static func folder(of path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }

  private static func path(of name: String, in folder: String) -> String {
    folder.isEmpty ? name : folder + "/" + name
  }
}
