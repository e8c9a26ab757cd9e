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

  /// Where the store keeps the pointer.
  var pointerKey: String { url.name + ".json" }

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

  func pointer(_ data: Data) throws(RemoteError) -> CatalogPointer {
    do throws(RemoteError) {
      return try CatalogPointer(decoding: data, at: url.description)
    } catch {
      guard error.code == .damaged else { throw error }
      var failure = error
      failure.hints.append("Something other than stubdb has written it. \(publishingAnew)")
      throw failure
    }
  }

  /// How to publish a catalog whose pointer is damaged.
  var publishingAnew: String {
    "To publish anew: remove \(pointerKey) from the store, take the catalog out of \(LockFile.fileName) if it is there, "
      + "then stubdb push \(url)"
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
  /// `bytes` is its size as the commit or the lock file says it: no more are downloaded. `progress` receives how many bytes
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
      hints: ["Objects are never removed by stubdb; the store may have been cleaned up."])
  }
}

extension RemoteStore {
  /// The names of the catalogs in a store, sorted.
  package func catalogNames() throws(RemoteError) -> [String] {
    try keys(prefix: "").filter { $0.hasSuffix(".json") && !$0.contains("/") }
      .map { String($0.dropLast(5)) }
  }
}
