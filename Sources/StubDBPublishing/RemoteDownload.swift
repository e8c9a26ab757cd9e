import Foundation
import StubDBRemote
import StubDBSupport

/// Downloads the catalogs of commits, with their progress on the terminal.
struct RemoteDownload {
  private let remote: RemoteCatalog

  init(_ remote: RemoteCatalog) {
    self.remote = remote
  }

  /// The verified file of a commit's catalog, in the cache.
  ///
  /// - Throws: `CommandError` if it has another size than the commit says: a lock file with that size would be refused.
  func file(_ commit: RemoteCommit) throws -> URL {
    let file = try file(commit.catalog, bytes: commit.bytes)
    guard let bytes = PathSize.bytes(of: file.path), bytes != commit.bytes else { return file }
    throw CommandError(
      "a commit of \(remote.url) says that the catalog \(commit.catalog.short) has \(commit.bytes) bytes, and it has "
        + "\(bytes); it was not used",
      hints: ["Whoever pushed it did not use stubdb: \(FollowUp.program) remote log \(remote.url)"])
  }

  func file(_ digest: ObjectDigest, bytes: Int) throws -> URL {
    let progress = ProgressLine("Downloading")
    defer { progress.end() }
    return try remote.file(digest, bytes: bytes) { received in
      progress.show("\(Plural.bytes(received)) of \(Plural.bytes(bytes))")
    }
  }
}

extension RemoteCatalog {
  /// - Throws: `CommandError` if an entry of the lock file does not say what its commit says.
  func requireLocked(_ entry: LockFile.Entry) throws {
    let commit = try commit(entry.commit)
    guard commit.catalog == entry.digest, commit.bytes == entry.bytes else {
      throw CommandError(
        "\(LockFile.fileName) says of the commit \(entry.commit.short) of \(url) what is not true: "
          + "the file was changed by hand, or merged by text",
        hints: ["To have it as it was: \(FollowUp.git("checkout", "--", LockFile.fileName))"])
    }
  }

  /// Does the same for what is used, and requires a signature if the entry names keys.
  func requireUsable(_ entry: LockFile.Entry, isOffline: Bool = false) throws {
    // The signature comes first: without a request nothing is known of a commit that is not in the cache.
    _ = try signer(of: entry, by: .ofThisMachine, isOffline: isOffline)
    if !isOffline || cache.has(entry.commit) { try requireLocked(entry) }
  }
}
