/// The commits that lead to a commit, read one after another through their parents.
package struct CommitHistory {
  /// Reads a commit; verified, and from the cache where that has it.
  package typealias Reader = (ObjectDigest) throws(RemoteError) -> RemoteCommit

  private let read: Reader
  /// How many commits are followed, so that a hostile store with endless parents cannot hang the client.
  private let maximum: Int

  package init(maximum: Int = 100_000, read: @escaping Reader) {
    (self.maximum, self.read) = (maximum, read)
  }

  /// A commit and those before it, newest first; at most `limit`, of those that are wanted.
  ///
  /// - Throws: ``RemoteError`` with `unsupported` for a history that is longer than those that are followed.
  package func commits(
    from digest: ObjectDigest, limit: Int = .max,
    where isWanted: (ObjectDigest) -> Bool = { _ in true }
  ) throws(RemoteError) -> [(digest: ObjectDigest, commit: RemoteCommit)] {
    var commits: [(ObjectDigest, RemoteCommit)] = []
    var next: ObjectDigest? = digest
    var count = 0
    // Names are digests of what they name, so that no commit can come before itself.
    while let digest = next, commits.count < limit {
      guard count < maximum else { throw tooLong(digest) }
      count += 1
      let commit = try read(digest)
      if isWanted(digest) { commits.append((digest, commit)) }
      next = commit.parent
    }
    return commits
  }

  /// Whether a commit is another one, or comes before it.
  package func contains(
    _ wanted: ObjectDigest, before head: ObjectDigest
  ) throws(RemoteError) -> Bool {
    try commonAncestor(wanted, head) == wanted
  }

  /// The newest commit that both are or come from; nil if they have nothing in common.
  ///
  /// Both lines are followed in turn, so that the cost is the distance to the ancestor, not the length of the history.
  package func commonAncestor(
    _ first: ObjectDigest, _ second: ObjectDigest
  ) throws(RemoteError) -> ObjectDigest? {
    var next: [ObjectDigest?] = [first, second]
    var seen: [Set<ObjectDigest>] = [[], []]
    var counts = [0, 0]
    while next.contains(where: { $0 != nil }) {
      for side in [1, 0] {
        guard let digest = next[side] else { continue }
        if digest == next[1 - side] || seen[1 - side].contains(digest) { return digest }
        guard counts[side] < maximum else { throw tooLong(digest) }
        counts[side] += 1
        seen[side].insert(digest)
        next[side] = try read(digest).parent
      }
    }
    return nil
  }

  private func tooLong(_ digest: ObjectDigest) -> RemoteError {
    RemoteError(
      .unsupported,
      "the history was not followed beyond \(digest.short): it has more than \(maximum) commits")
  }
}
