package import Foundation
internal import StubDBCatalogEditing
internal import StubDBEngine
internal import StubDBFiles
internal import StubDBJobs
internal import StubDBMirror
internal import StubDBSupport

/// Updates a mirror with the catalog that is about to be committed, in the index and in unmodified working files.
package struct StagedMirror {
  /// Git with the environment of the hook, since a commit of single files has an index of its own.
  private let git: GitCommand
  private let root: URL
  /// The folder of the mirror, relative to the top folder.
  package let folder: String

  package init(git: GitCommand, root: URL, folder: String) {
    (self.git, self.root, self.folder) = (git, root, folder)
  }

  /// The path in git of the catalog that the folder mirrors.
  package func catalogPath() throws -> String {
    let mirror = MirrorFolder(at: root.appendingPathComponent(folder), name: folder)
    guard let marker = try mirror.marker() else {
      throw JobError(
        .refused, "\(folder) is no longer a mirror",
        hints: ["To make it one: stubdb mirror \(folderArgument)"])
    }
    let url = root.appendingPathComponent(folder).appendingPathComponent(marker.catalog)
    return MirrorOwner.path(from: root, to: url)
  }

  /// What to do about staged documents that say something else than the staged catalog; nil if they agree, or there is
  /// no staged catalog.
  package func difference() throws -> String? {
    let path = try catalogPath()
    let catalog = try git.outcome(of: ["cat-file", "blob", ":\(path)"])
    guard catalog.code == 0 else { return nil }
    let snapshot = try CatalogSnapshot(bytes: catalog.output, name: "the staged \(path)")
    return try withStagedFiles { copy in
      let mirror = MirrorFolder(at: copy.appendingPathComponent(folder), name: folder)
      let comparison = try mirror.compare(snapshot.scenarios.map(\.name)) {
        try snapshot.scenario(named: $0)
      }
      return comparison.differences.isEmpty
        ? nil
        : "\(folder) does not say what \(path) says; to take it into the catalog: "
          + "stubdb mirror \(folderArgument) --from-text"
    }
  }

  /// Passes a temporary folder with the files of the mirror as they are staged.
  private func withStagedFiles<Value>(_ body: (URL) throws -> Value) throws -> Value {
    let temporary = FileManager.default.temporaryDirectory
      .appendingPathComponent("stubdb-mirror-\(UUID().uuidString)", isDirectory: true)
    // The folder of temporary files is open to all users of the machine; the stubs are not.
    try FileManager.default.createDirectory(
      at: temporary, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: temporary) }
    let copy = temporary.appendingPathComponent("tree", isDirectory: true)
    try checkOut(to: copy, listing: temporary.appendingPathComponent("paths"))
    return try body(copy)
  }

  /// Updates the mirror to the staged catalog at a path; returns the number of files that changed.
  package func update(from path: String) throws -> Int {
    let snapshot = try CatalogSnapshot(
      bytes: git.run("cat-file", "blob", ":\(path)"), name: "the staged \(path)")
    return try withStagedFiles { try update(to: snapshot, path: path, in: $0) }
  }

  /// The same, in a copy of the staged files.
  private func update(to snapshot: CatalogSnapshot, path: String, in copy: URL) throws -> Int {
    let isNew = !FileManager.default.fileExists(atPath: copy.appendingPathComponent(folder).path)
    let mirror = MirrorFolder(at: copy.appendingPathComponent(folder), name: folder)
    let comparison = try mirror.compare(snapshot.scenarios.map(\.name)) {
      try snapshot.scenario(named: $0)
    }
    let marker = MirrorMarker(
      catalog: MirrorOwner.path(
        from: root.appendingPathComponent(folder), to: root.appendingPathComponent(path)))
    let working = MirrorFolder(at: root.appendingPathComponent(folder), name: folder)
    let earlier = EarlierCatalogs(of: root.appendingPathComponent(path))
    let changes: MirrorChanges
    do {
      changes = try mirror.write(
        comparison, marker: marker, overwriting: false,
        isEarlier: { try working.hasRecorded($0) || earlier.give($0) },
        scenario: { try snapshot.scenario(named: $0) })
    } catch let edits as MirrorEdits {
      throw try stopped(by: edits, comparison, snapshot, earlier, working)
    }
    try stage(changes, from: copy)
    if isNew { try write(snapshot, marker, earlier, to: working) }
    return changes.added.count + changes.updated.count + changes.removed.count
  }

  /// The error for documents that would be lost, with what to do about them.
  private func stopped(
    by edits: MirrorEdits, _ comparison: MirrorComparison, _ snapshot: CatalogSnapshot,
    _ earlier: EarlierCatalogs, _ working: MirrorFolder
  ) throws -> JobError {
    let problem: JobText = "the commit was stopped: \(edits)"
    let command = "stubdb mirror \(folderArgument)"
    let add = "git add \(folderArgument)"
    let current = try working.compare(snapshot.scenarios.map(\.name)) {
      try snapshot.scenario(named: $0)
    }
    // What a merge left is no edit, so that no option is needed to write over it.
    let leftovers = try UnmergedFiles(in: root.appendingPathComponent(folder))
      .leftovers(besides: root.appendingPathComponent(catalogPath()))
    let hasEdits = try working.hasEdits(
      current, leftovers: leftovers, isEarlier: earlier.give)
    guard hasEdits else {
      return JobError(
        .changed, problem,
        hints: ["To write the catalog's side: \(command) && \(add)", "Then commit again"])
    }
    let fromText: JobText = "To take that into the catalog: \(command) --from-text"
    return JobError(
      .changed, problem,
      hints: (comparison.isReadable ? [fromText] : []) + [
        "To write over it: \(command) --force", "Then stage both, and commit again",
      ])
  }

  /// Updates a folder that git did not know before this commit, so that git cannot tell which files were edited.
  ///
  /// If one was edited, the folder stays as it is, and git shows how it differs from what was committed.
  private func write(
    _ snapshot: CatalogSnapshot, _ marker: MirrorMarker, _ earlier: EarlierCatalogs,
    to working: MirrorFolder
  ) throws {
    let comparison = try working.compare(snapshot.scenarios.map(\.name)) {
      try snapshot.scenario(named: $0)
    }
    do {
      _ = try working.write(
        comparison, marker: marker, overwriting: false, isEarlier: earlier.give,
        scenario: { try snapshot.scenario(named: $0) })
    } catch is MirrorEdits {
      return
    }
  }

  /// The folder relative to where the user ran git.
  private var folderArgument: String {
    ShellWord.quoted(GitCommand.callerPath(ofHookIn: root, to: folder))
  }

  /// Writes the files of the mirror as they are staged.
  ///
  /// The paths go from git to git as bytes, since they need not be UTF-8.
  private func checkOut(to copy: URL, listing paths: URL) throws {
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
    try git.run("ls-files", "-z", "--", folder).write(to: paths)
    let input = try FileHandle(forReadingFrom: paths)
    defer { try? input.close() }
    _ = try git.run(
      ["checkout-index", "--prefix=\(copy.path)/", "-q", "-f", "-z", "--stdin"], input: .file(input)
    )
  }

  private func stage(_ changes: MirrorChanges, from copy: URL) throws {
    let written = (changes.added + changes.updated).map { "\(folder)/\($0)" }
    let removed = changes.removed.map { "\(folder)/\($0)" }
    let untouched = try (written + removed).filter(isUntouched)
    for batch in written.batches {
      let files = batch.map { copy.appendingPathComponent($0).path }
      let output = try git.run(["hash-object", "-w", "--no-filters", "--"] + files)
      let objects = String(decoding: output, as: UTF8.self).split(separator: "\n")
      let entries = zip(objects, batch).flatMap { ["--cacheinfo", "100644,\($0),\($1)"] }
      _ = try git.run(["update-index", "--add"] + entries)
    }
    for batch in removed.batches {
      _ = try git.run(["update-index", "--force-remove", "--"] + batch)
    }
    for path in untouched { try updateWorkingFile(path, from: copy) }
  }

  /// Whether the working file equals what was staged before, or neither exists.
  private func isUntouched(_ path: String) throws -> Bool {
    let staged = try git.outcome(of: ["cat-file", "blob", ":\(path)"])
    let working = try? Data(contentsOf: root.appendingPathComponent(path))
    return staged.code == 0 ? working == staged.output : working == nil
  }

  private func updateWorkingFile(_ path: String, from copy: URL) throws {
    let manager = FileManager.default
    let (source, target) = (
      copy.appendingPathComponent(path), root.appendingPathComponent(path)
    )
    do {
      guard manager.fileExists(atPath: source.path) else {
        return try manager.removeItem(at: target)
      }
      try manager.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(contentsOf: source).write(to: target, options: .atomic)
    } catch {
      throw JobError(.inputOutput, "cannot write \(path): \(FileFailure.writing(error))")
    }
  }
}

extension [String] {
  /// Splits the elements into groups that fit on a command line.
  fileprivate var batches: [[String]] {
    stride(from: 0, to: count, by: 200).map { Array(self[$0..<Swift.min($0 + 200, count)]) }
  }
}
