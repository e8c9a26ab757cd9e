package import Foundation
import StubDBFiles
internal import StubDBJobs
package import StubDBRemote

extension RemoteCatalog {
  /// The verified file of a commit's catalog, in the cache.
  ///
  /// - Throws: `JobError` if it has another size than the commit says: a lock file with that size would be refused.
  package func download(_ commit: RemoteCommit) throws -> URL {
    let file = try download(commit.catalog, bytes: commit.bytes)
    guard let bytes = PathStatus(file.path)?.byteCount, bytes != commit.bytes else { return file }
    throw JobError(
      .unusable,
      """
      a commit of \(url) says that the catalog \(commit.catalog.short) has \(commit.bytes) bytes, and it has \
      \(bytes); it was not used
      """,
      hints: [
        "Whoever pushed it did not use stubdb: \(command: ["remote", "log", url.description])"
      ])
  }

  func download(_ digest: ObjectDigest, bytes: Int) throws -> URL {
    try JobProgress.during(.downloading) { progress in
      try file(digest, bytes: bytes) { progress($0, bytes) }
    }
  }

  /// - Throws: `JobError` if an entry of the lock file does not say what its commit says.
  func requireLocked(_ entry: LockFile.Entry) throws {
    let commit = try commit(entry.commit)
    guard commit.catalog == entry.digest, commit.bytes == entry.bytes else {
      throw JobError(
        .unusable,
        """
        \(LockFile.fileName) has the wrong digest or size for commit \(entry.commit.short) of \(url); it was \
        edited by hand or merged as text
        """,
        hints: ["To have it as it was: \(git: "checkout", "--", LockFile.fileName)"])
    }
  }

  /// Does the same for what is used, and requires a signature if the entry names keys.
  func requireUsable(
    _ entry: LockFile.Entry, by signing: Signing, isOffline: Bool = false
  ) throws {
    // The signature comes first: without a request nothing is known of a commit that is not in the cache.
    _ = try signer(of: entry, by: signing, isOffline: isOffline)
    if !isOffline || cache.has(entry.commit) { try requireLocked(entry) }
  }

  /// The commit whose digest begins with a text, found from the newest on; the newest without a text.
  package func commit(
    beginning text: String?
  ) throws -> (digest: ObjectDigest, commit: RemoteCommit) {
    let head = try existingHead().digest
    guard let text else { return (head, try commit(head)) }
    if let digest = ObjectDigest(parsing: text) ?? ObjectDigest(hexadecimal: text) {
      return (digest, try commit(digest))
    }
    guard text.count >= 4 else {
      throw JobError(
        .invalidArgument, "\(quoted: text) is too short for a commit; give 4 digits.")
    }
    let digits = text.lowercased()
    let fitting = try history.commits(from: head) { $0.hexadecimal.hasPrefix(digits) }
    guard let first = fitting.first, fitting.count == 1 else {
      throw JobError(
        .notFound,
        "\(url) has \(fitting.isEmpty ? "no commit" : "\(fitting.count) commits") \(quoted: text)",
        hints: ["To see them: \(command: ["remote", "log", url.description])"])
    }
    return first
  }
}
