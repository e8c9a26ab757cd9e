package import Foundation

/// A catalog in a store: its pointer, its commits and its files, read through the cache.
package struct RemoteCatalog: Sendable {
  /// The newest commit, and the version of the pointer that names it.
  package struct Head: Sendable {
    package var digest: ObjectDigest
    package var version: StoreVersion?
  }

  package let url: RemoteURL
  package let cache: ObjectCache
  let store: any RemoteStore

  package init(url: RemoteURL, store: any RemoteStore, cache: ObjectCache) {
    self.url = url
    self.store = store
    self.cache = cache
  }

  private var pointerKey: String { url.name + ".json" }

  static func key(_ digest: ObjectDigest, _ ending: String) -> String {
    let digits = digest.hexadecimal
    return "objects/sha256/\(digits.prefix(2))/\(digits.dropFirst(2)).\(ending)"
  }

  /// The newest commit, with one request; nil if nothing was pushed yet.
  package func head() throws(RemoteError) -> Head? {
    guard let stored = try store.read(pointerKey, limit: CatalogPointer.maximumSize) else {
      return nil
    }
    return Head(digest: try pointer(stored.data).commit, version: stored.version)
  }

  private func pointer(_ data: Data) throws(RemoteError) -> CatalogPointer {
    do throws(RemoteError) {
      return try CatalogPointer(decoding: data, at: url.description)
    } catch {
      guard error.code == .damaged else { throw error }
      var failure = error
      failure.hints.append(
        "Something other than stubdb has written it. To publish anew: remove \(pointerKey) from the store, take the "
          + "catalog out of \(LockFile.fileName), then stubdb push \(url)")
      throw failure
    }
  }

  /// Does the same, and throws if nothing was pushed yet.
  package func existingHead() throws(RemoteError) -> Head {
    if let head = try head() { return head }
    throw RemoteError(
      .missing, "there is no catalog at \(url)",
      hints: ["To publish one: stubdb push \(url) --catalog PATH"])
  }

  /// A commit, verified; no request if the cache has it.
  package func commit(_ digest: ObjectDigest) throws(RemoteError) -> RemoteCommit {
    try RemoteCommit(decoding: commitData(digest), of: digest)
  }

  /// The bytes of a commit, verified.
  func commitData(_ digest: ObjectDigest) throws(RemoteError) -> Data {
    if let file = try cache.file(digest), let data = try? Data(contentsOf: file) { return data }
    guard let stored = try store.read(Self.key(digest, "json"), limit: RemoteCommit.maximumSize)
    else { throw missing("the commit \(digest)") }
    guard ObjectDigest(of: stored.data) == digest else {
      throw RemoteError(
        .damaged,
        "\(url) has other bytes under the name of the commit \(digest); they were not used")
    }
    // What is no commit is not kept.
    _ = try RemoteCommit(decoding: stored.data, of: digest)
    try cache.insert(stored.data)
    return stored.data
  }

  /// The history of the catalog.
  package var history: CommitHistory {
    CommitHistory { digest throws(RemoteError) in try commit(digest) }
  }

  /// The verified file of a catalog's version, in the cache; no request if it is there.
  ///
  /// `bytes` is its size as the commit or the lock file says it: no more are downloaded. `progress` is told how many bytes
  /// have come.
  package func file(
    _ digest: ObjectDigest, bytes: Int, progress: @escaping (Int) -> Void = { _ in }
  ) throws(RemoteError) -> URL {
    let file = try cache.file(digest) { part throws(RemoteError) in
      try store.download(
        Self.key(digest, "stubdb"), to: part, limit: bytes, progress: progress)
    }
    guard let file else { throw missing("the catalog \(digest)") }
    return file
  }

  private func missing(_ what: String) -> RemoteError {
    RemoteError(
      .missing, "\(url) does not have \(what)",
      hints: ["Objects are never removed by stubdb; somebody may have cleaned up the store."])
  }
}

extension RemoteCatalog {
  /// Stores a commit and its catalog's file, and proves that both are there; nothing points to them yet.
  ///
  /// The commit comes first, and tells whether the store keeps two writers from overwriting each other: an upload to one
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
  /// A write whose answer was lost may have been carried out: if it is refused, whether the commit is in the history
  /// decides.
  package func point(
    to commit: ObjectDigest, insteadOf head: Head?, unconditionally: Bool = false
  ) throws(RemoteError) -> WriteOutcome {
    let condition: WriteCondition
    if unconditionally {
      condition = .none
    } else if let head {
      guard let version = head.version else {
        throw RemoteError(
          .unsupported, "\(url) gives its pointer no version, so that it cannot be replaced safely")
      }
      condition = .isVersion(version)
    } else {
      condition = .isAbsent
    }
    let pointer = CatalogPointer(commit: commit)
    if try store.write(.data(pointer.encoded), to: pointerKey, if: condition) == .written {
      return .written
    }
    // Refused, or contended: whether it was carried out is seen where the pointer leads.
    guard let present = try self.head() else { return .refused }
    let isCarriedOut = try history.contains(commit, before: present.digest)
    return isCarriedOut ? .written : .refused
  }
}

extension RemoteStore {
  /// The names of the catalogs in a store, sorted.
  package func catalogNames() throws(RemoteError) -> [String] {
    try keys(prefix: "").filter { $0.hasSuffix(".json") && !$0.contains("/") }
      .map { String($0.dropLast(5)) }
  }
}
