internal import Foundation
internal import StubDBGit
internal import StubDBJobs
internal import StubDBRemote

/// Takes a newer commit in: the working catalog first, then the lock file.
///
/// Were the lock file written first and the merge lost, the next push would take back what others did. The merge can be
/// repeated.
struct RemoteMerge {
  let name: String
  let remote: RemoteCatalog
  let head: ObjectDigest
  /// What the lock file has; nil if this catalog has nothing in common with the remote one yet.
  let entry: LockFile.Entry?
  /// The keys of a new entry.
  var keys: [PublicKey] = []

  /// Merges, and moves the lock file.
  ///
  /// - Returns: The entry that the lock file has now; nil if conflicts have to be settled.
  func run(
    into working: WorkingCatalog, _ project: inout RemoteProject
  ) throws -> LockFile.Entry? {
    if let entry { try remote.requireLocked(entry) }
    let signer = try entry.flatMap {
      try remote.signer(of: head, after: $0, by: project.context.signing)
    }
    let commit = try remote.commit(head)
    let theirs = try remote.download(commit)
    let base = try baseFile()
    let differences = try WorkingCatalog.differences(from: base, to: theirs)
    let merged = try working.merge(base: base, theirs: theirs)
    let entry = LockFile.Entry(
      url: entry?.url ?? remote.url.description, commit: head, digest: commit.catalog,
      bytes: commit.bytes, path: try project.path(of: working.url), keys: entry?.keys ?? keys)
    try project.set(entry, for: name)
    try project.context.report(
      .merged(
        MergedCommit(
          file: working.url, remote: remote.url, commit: head, differences: differences,
          written: merged.written, conflictCount: merged.conflicts.count, signer: signer)))
    return merged.conflicts.isEmpty ? entry : nil
  }

  private func baseFile() throws -> URL? {
    guard let entry else { return nil }
    guard let base = try remote.history.commonAncestor(entry.commit, head) else {
      throw JobError(
        .refused,
        """
        the catalog at \(remote.url) has no commit in common with the one in \(LockFile.fileName), \
        \(entry.commit.short); it was replaced by another one
        """)
    }
    return try remote.download(remote.commit(base))
  }
}
