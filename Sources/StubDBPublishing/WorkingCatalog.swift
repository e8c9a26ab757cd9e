import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBChanges
import StubDBRemote
import StubDBSecrets
import StubDBSupport

/// A catalog that is edited here and published elsewhere.
struct WorkingCatalog {
  let url: URL

  private var name: String { CatalogLocator.display(url) }

  /// Ends the command with 2 if conflicts wait; `what` says what was not done, such as `pushed`.
  func requireNoConflicts(_ what: String) throws {
    let count = try CatalogLocator().snapshot(at: url).conflicts.count
    guard count > 0 else { return }
    Console.note(
      "\(Style.notes.red("Error:")) \(name) has \(Plural.of(count, "conflict")) to settle; nothing "
        + "was \(what)")
    Console.note("To see and settle them: \(FollowUp.command(["resolve"], catalog: url))")
    throw ExitCode(2)
  }

  /// - Throws: `CommandError` if a scan finds secrets: what was pushed cannot be taken back.
  func requireNoSecrets(in content: Content) throws {
    let exceptions = try ExceptionsFile(at: ExceptionsFile.url(beside: url))
    let findings = exceptions.sort(
      try CatalogScan.findings(in: content.snapshot(), of: url)
    ).findings
    guard !findings.isEmpty else { return }
    let lines = findings.map { FindingView.line($0) }.cut(to: 10)
    throw CommandError(
      "\(Plural.of(findings.count, "secret")) in \(name); nothing was pushed",
      hints: lines + [
        "To take them out: \(FollowUp.command(["redact", "--findings"], catalog: url))",
        "To accept them, with a reason: "
          + FollowUp.command(["scan", "--accept", "why they are harmless"], catalog: url),
      ])
  }

  /// A catalog's bytes at one moment.
  struct Content {
    let bytes: Data
    let digest: ObjectDigest
    fileprivate let name: String

    func snapshot() throws -> CatalogSnapshot { try CatalogSnapshot(bytes: bytes, name: name) }

    /// Keeps the bytes in the cache, where they do not change any more.
    ///
    /// Called once a scan has found nothing: what is in the cache stays there.
    func kept(in cache: ObjectCache) throws -> URL {
      try cache.insert(bytes)
      guard let file = try cache.file(digest) else {
        throw CommandError("the cache \(cache.folder.path) lost \(digest)")
      }
      return file
    }
  }

  /// The present content, which is in memory only.
  func content() throws -> Content {
    for ending in ["-wal", "-journal"] where (PathSize.bytes(of: url.path + ending) ?? 0) > 0 {
      throw CommandError(
        "\(name)\(ending) has a write to \(name) that another program has not finished",
        hints: [
          "To finish it: close that program, then \(FollowUp.command(["upgrade"], catalog: url))"
        ])
    }
    let content: Data
    do {
      content = try Data(contentsOf: url)
    } catch {
      throw CommandError("cannot read \(name): \(FileFailure.reading(error))")
    }
    let read = Content(bytes: content, digest: ObjectDigest(of: content), name: url.path)
    // Half a file, such as one that git is writing, is no catalog.
    _ = try read.snapshot()
    return read
  }

  /// Merges another version into the catalog, and returns the conflicts that wait then.
  ///
  /// - Throws: `CommandError` if somebody changed the catalog meanwhile; it is then as they left it.
  func merge(base: URL?, theirs: URL) throws -> Int {
    let before = try ObjectDigest(ofFile: url)
    var merger = CatalogMerger(base: base, ours: url, theirs: theirs)
    merger.requireUnchanged = {
      guard try ObjectDigest(ofFile: url) == before else {
        throw CommandError(
          "\(name) was changed while it was merged; nothing was written",
          hints: [FollowUp.again("Try again")])
      }
    }
    return try merger.merge(into: url).count
  }

  /// Writes the catalog where there is none.
  ///
  /// - Throws: `CommandError` if the file is not a catalog, or one of a newer version; nothing is written then.
  func create(from file: URL) throws {
    try Self.requireUsable(file, butNot: "\(name) was not written")
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Catalog.create(at: url, copying: Data(contentsOf: file))
    } catch let error as CatalogError {
      throw CommandError("cannot write \(name): \(error.message)")
    } catch {
      throw CommandError("cannot write \(name): \(FileFailure.writing(error))")
    }
  }

  /// - Throws: `CommandError` if a file that was pulled is no catalog, or one of a newer version; `nothing` says what was
  /// not done, such as `shop was not pulled`.
  static func requireUsable(_ file: URL, butNot nothing: String) throws {
    do {
      _ = try CatalogSnapshot(contentsOf: file)
    } catch {
      throw CommandError(
        "\(nothing), because what is published cannot be used: \(error.message)",
        hints: ["Tell those who push it; another commit: \(FollowUp.program) remote log"])
    }
  }

  /// What two versions of a catalog differ in.
  static func differences(from old: URL?, to new: URL) throws -> [ScenarioDifference] {
    try differences(from: old, to: ComparedCatalog.file(new).scenarios())
  }

  static func differences(
    from old: URL?, to after: any ScenarioSource
  ) throws -> [ScenarioDifference] {
    let progress = ProgressLine("Comparing")
    defer { progress.end() }
    let before: any ScenarioSource =
      try old.map { try ComparedCatalog.file($0).scenarios() } ?? NoScenarios()
    return try CatalogDifferences.between(before, after) { done, count in
      progress.show(done, of: count, "scenario")
    }
  }
}
