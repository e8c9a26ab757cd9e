import Foundation
import StubDBChanges
import StubDBRemote

/// What a newer commit brings to a working catalog, and to the lock file.
struct RemoteMerge {
  let remote: RemoteCatalog
  let head: ObjectDigest
  /// What the lock file has; nil if this catalog has nothing in common with the remote one yet.
  let entry: LockFile.Entry?

  /// The result of taking a commit in.
  struct Result {
    var commit: RemoteCommit
    /// From what both had in common to the commit.
    var differences: [ScenarioDifference]
    /// How many conflicts wait.
    var conflicts: Int
    /// The trusted key that signed the commit; nil if none had to.
    var signer: PublicKey?
  }

  /// Merges the commit into the working catalog.
  ///
  /// The lock file is written afterwards: were it written first and the merge lost, the next push would take back what
  /// others did. The merge can be repeated.
  func run(into working: WorkingCatalog) throws -> Result {
    if let entry { try remote.requireLocked(entry) }
    let signer = try entry.flatMap {
      try remote.signer(of: head, after: $0, by: .ofThisMachine)
    }
    let commit = try remote.commit(head)
    let theirs = try RemoteDownload(remote).file(commit)
    let base = try baseFile()
    let differences = try WorkingCatalog.differences(from: base, to: theirs)
    let conflicts = try working.merge(base: base, theirs: theirs)
    return Result(commit: commit, differences: differences, conflicts: conflicts, signer: signer)
  }

  private func baseFile() throws -> URL? {
    guard let entry else { return nil }
    guard let base = try remote.history.commonAncestor(entry.commit, head) else {
      throw CommandError(
        "the catalog at \(remote.url) has no commit in common with the one in "
          + "\(LockFile.fileName), \(entry.commit.short); it was replaced by another one")
    }
    return try RemoteDownload(remote).file(remote.commit(base))
  }
}
