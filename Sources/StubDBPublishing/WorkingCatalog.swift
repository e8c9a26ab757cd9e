package import Foundation
internal import StubDBCatalog
internal import StubDBCatalogEditing
package import StubDBChanges
import StubDBFiles
internal import StubDBGit
internal import StubDBJobs
internal import StubDBRemote
internal import StubDBSupport

/// A catalog that is edited here and published elsewhere.
package struct WorkingCatalog {
  package let url: URL

  package init(url: URL) {
    self.url = url
  }

  /// Whether something is at its path, other than a folder.
  var exists: Bool {
    PathStatus(url.path, followingLinks: false)?.isFolder == false
  }

  /// A catalog's bytes at one moment, which are in memory only.
  struct Content {
    let bytes: Data
    let digest: ObjectDigest
    let scenarios: CatalogScenarios

    /// Keeps the bytes in the cache, where they do not change any more.
    ///
    /// Called once a scan has found nothing: what is in the cache stays there.
    func kept(in cache: ObjectCache) throws -> URL {
      try cache.insert(bytes)
      guard let file = try cache.file(digest) else {
        throw JobError(.inputOutput, "the cache \(cache.folder.path) lost \(digest)")
      }
      return file
    }
  }

  /// The present content.
  ///
  /// - Throws: `JobError` with `conflict` if conflicts have to be settled; `action` is what was not done, such as `pushed`.
  func content(toBe action: String) throws -> Content {
    for ending in ["-wal", "-journal"] where (PathStatus(url.path + ending)?.byteCount ?? 0) > 0 {
      throw JobError(
        .changed,
        """
        \(file: url)\(ending) has a write to \(file: url) that another program has not finished
        """,
        hints: [
          "To finish it: close that program, then \(command: ["upgrade"], catalog: url)"
        ])
    }
    let bytes: Data
    do {
      bytes = try Data(contentsOf: url)
    } catch {
      throw JobError(.inputOutput, "cannot read \(file: url): \(FileFailure.reading(error))")
    }
    // Half a file, such as one that git is writing, is no catalog.
    let scenarios = CatalogScenarios(try CatalogSnapshot(bytes: bytes, name: url.path))
    try requireNoConflicts(scenarios, action)
    return Content(bytes: bytes, digest: ObjectDigest(of: bytes), scenarios: scenarios)
  }

  /// - Throws: `JobError` with `conflict` if conflicts have to be settled before commits can be merged.
  func requireMergeable() throws {
    try requireNoConflicts(
      CatalogScenarios(try CatalogSnapshot(contentsOf: url)), "merged")
  }

  private func requireNoConflicts(_ scenarios: CatalogScenarios, _ action: String) throws {
    let count = scenarios.reading { $0.conflicts.count }
    guard count > 0 else { return }
    throw JobError(
      .conflict,
      """
      \(file: url) has \(count) conflict\(count == 1 ? "" : "s") to settle; nothing was \(action)
      """,
      hints: ["To see and settle them: \(command: ["resolve"], catalog: url)"])
  }

  /// Merges another version into the catalog.
  ///
  /// - Throws: `JobError` if another process changed the catalog meanwhile; it is not written then.
  func merge(base: URL?, theirs: URL) throws -> CatalogMerger.Result {
    let before = try ObjectDigest(ofFile: url)
    var merger = CatalogMerger(base: base, ours: url, theirs: theirs)
    merger.requireUnchanged = {
      guard try ObjectDigest(ofFile: url) == before else {
        throw JobError(
          .changed, "\(file: url) was changed while it was merged; nothing was written",
          hints: ["\(again: "Try again")"])
      }
    }
    return try merger.merge(into: url)
  }

  /// Writes the catalog where there is none.
  ///
  /// - Throws: `JobError` if the file is not a catalog, or one of a newer version; nothing is written then.
  func create(from file: URL) throws {
    try Self.requireUsable(file, butNot: "\(file: url) was not written")
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Catalog.create(at: url, copying: Data(contentsOf: file))
    } catch let error as CatalogError {
      throw JobError(.inputOutput, "cannot write \(file: url): \(error.message)")
    } catch {
      throw JobError(
        .inputOutput, "cannot write \(file: url): \(FileFailure.writing(error))")
    }
  }

  /// - Throws: `JobError` if a file that was pulled is no catalog, or one of a newer version; `nothing` says what was
  /// not done, such as `shop was not pulled`.
  static func requireUsable(_ file: URL, butNot nothing: JobText) throws {
    do {
      _ = try CatalogSnapshot(contentsOf: file)
    } catch {
      throw JobError(
        .unusable, "\(nothing), because what is published cannot be used: \(error.message)",
        hints: [
          "Tell those who push it; another commit: \(command: ["remote", "log"])"
        ])
    }
  }

  /// What two versions of a catalog differ in.
  package static func differences(from old: URL?, to new: URL) throws -> [ScenarioDifference] {
    try differences(from: old, to: ComparedCatalog.file(new).scenarios())
  }

  static func differences(
    from old: URL?, to after: any ScenarioSource
  ) throws -> [ScenarioDifference] {
    let before: any ScenarioSource =
      try old.map { try ComparedCatalog.file($0).scenarios() } ?? NoScenarios()
    return try JobProgress.during(.comparing) {
      try CatalogDifferences.between(before, after, progress: $0)
    }
  }
}
