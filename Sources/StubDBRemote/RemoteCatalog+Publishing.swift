package import Foundation

extension RemoteCatalog {
  /// Stores a commit and its catalog's file, and proves that both are there; nothing points to them yet.
  ///
  /// The commit comes first, and shows whether the store keeps two writers from overwriting each other: an upload to one
  /// that does not would be for nothing. `isProbing` is false if that does not matter.
  /// - Returns: The name of the commit; nil if the store ignores the conditions of writes.
  package func store(
    _ commit: RemoteCommit, file: URL, isProbing: Bool = true
  ) throws(RemoteError) -> ObjectDigest? {
    let (digest, content) = (commit.digest, commit.encoded)
    let key = Self.key(digest, "json")
    if isProbing {
      // The condition that the pointer will be written with.
      let condition: WriteCondition =
        try commit.parent == nil ? .isAbsent : .isVersion(store.impossibleVersion())
      guard try store.keepProbing(content, at: key, probing: condition) else { return nil }
    } else {
      try store.keep(.data(content), bytes: content.count, at: key)
    }
    try store.keep(
      .file(file, commit.catalog), bytes: commit.bytes, at: Self.key(commit.catalog, "stubdb"))
    try cache.insert(content)
    return digest
  }

  /// Lets the pointer name a commit, if it still names `head`, or if nothing was pushed and `head` is nil.
  ///
  /// Whatever the store says of the write, the pointer is read afterwards, and it is written if the commit is in the history
  /// to which it leads: another push may have come since. A store that says that it has written, and has not, is asked
  /// once more, because half a pointer keeps everybody from the catalog.
  /// - Throws: ``RemoteError`` if the store does not keep the pointer.
  package func point(
    to commit: ObjectDigest, insteadOf head: Head?, unconditionally: Bool = false
  ) throws(RemoteError) -> WriteOutcome {
    let content = CatalogPointer(commit: commit).encoded
    var condition: WriteCondition =
      try unconditionally ? .none : self.condition(of: head?.version, head != nil)
    for isLast in [false, true] {
      let outcome = try store.write(.data(content), to: pointerKey, if: condition)
      let stored = try present(commit, isWritten: outcome == .written)
      switch try state(of: stored, commit, content) {
      case .leadsToCommit: return .written
      case .leadsElsewhere: return .refused
      case .older where outcome != .written, .torn where outcome != .written: return .refused
      case .older where isLast: throw .notKept(pointerKey)
      case .torn where isLast: throw halfKept()
      case .older, .torn:
        if !unconditionally { condition = try self.condition(of: stored?.version, stored != nil) }
      }
    }
    return .refused
  }

  /// The condition that a pointer is still the one that was read.
  private func condition(
    of version: StoreVersion?, _ isPresent: Bool
  ) throws(RemoteError) -> WriteCondition {
    guard isPresent else { return .isAbsent }
    guard let version else {
      throw RemoteError(
        .unsupported, "\(url) gives its pointer no version, so that it cannot be replaced safely")
    }
    return .isVersion(version)
  }

  /// What the store has as the pointer after a write.
  private func present(
    _ commit: ObjectDigest, isWritten: Bool
  ) throws(RemoteError) -> StoredContent? {
    do throws(RemoteError) {
      return try store.read(pointerKey, limit: CatalogPointer.maximumSize)
    } catch {
      guard isWritten else { throw error }
      var failure = error
      failure.hints.append(
        "The store said that it published \(commit.short), and could not be asked whether it has it; another push says so."
      )
      throw failure
    }
  }

  /// Where a pointer leads, seen from a commit that was to be published.
  private enum PointerState {
    case leadsToCommit
    /// To another commit, which does not come after it.
    case leadsElsewhere
    /// To a commit before it, or there is no pointer.
    case older
    /// It is the beginning of the pointer that was to be written.
    case torn
  }

  private func state(
    of stored: StoredContent?, _ commit: ObjectDigest, _ content: Data
  ) throws(RemoteError) -> PointerState {
    guard let stored else { return .older }
    if stored.data.count < content.count, content.starts(with: stored.data) { return .torn }
    let present = try pointer(stored.data).commit
    switch try history.commonAncestor(commit, present) {
    case commit: return .leadsToCommit
    case present: return .older
    default: return .leadsElsewhere
    }
  }

  private func halfKept() -> RemoteError {
    RemoteError(
      .damaged,
      "the store kept only a part of \(pointerKey), twice, so that \(url) can no longer be pulled",
      hints: [publishingAnew])
  }
}
