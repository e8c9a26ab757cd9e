package import Foundation

/// Identifies one content of a key: an entity tag, a generation, or a digest.
package struct StoreVersion: Hashable, Sendable {
  package var text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// A content with its version.
package struct StoredContent: Hashable, Sendable {
  package var data: Data
  /// Nil if the store has none.
  package var version: StoreVersion?

  package init(data: Data, version: StoreVersion?) {
    (self.data, self.version) = (data, version)
  }
}

/// What is to be stored.
package enum StoredSource: Sendable {
  case data(Data)
  /// A file that does not change meanwhile, and its digest.
  case file(URL, ObjectDigest)
}

/// The outcome of a conditional write.
///
/// Only ``written`` says that the content is there, and a store may be wrong even then.
package enum WriteOutcome: Hashable, Sendable {
  case written
  /// The condition was not met: another client was first, or an earlier try of this write was.
  case refused
  /// Other writes of the key were under way in all tries; whether one of them was carried out is not known.
  case contended
}

/// Whether a store has a content.
package enum StoredSize: Hashable, Sendable {
  case missing
  case bytes(Int)
  /// It is there, and the store does not say how long it is.
  case unknown
}

package enum WriteCondition: Hashable, Sendable {
  /// Nothing is there yet.
  case isAbsent
  /// What is there has this version.
  case isVersion(StoreVersion)
  /// None: what another client has written meanwhile is lost.
  case none
}

/// A place that keeps contents under keys, such as a bucket.
///
/// A key is a relative path, without a beginning slash. A write is whole or not at all. What is refused by a condition,
/// and what is missing, are results and not errors.
package protocol RemoteStore: Sendable {
  /// A version that no content ever has.
  func impossibleVersion() throws(RemoteError) -> StoreVersion

  /// The content of a key, or nil.
  ///
  /// - Throws: ``RemoteError`` with `damaged` if it is longer than `limit`.
  func read(_ key: String, limit: Int) throws(RemoteError) -> StoredContent?

  /// Downloads the content of a key to the end of a file, from the byte on which the file ends.
  ///
  /// The file is made if it is missing. Its beginning is expected to be the beginning of the content, which is up to
  /// the caller to verify. `progress` receives how many bytes the file has.
  /// - Returns: Whether there is a content.
  /// - Throws: ``RemoteError`` with `damaged` as soon as the content turns out to be longer than `limit`; the file is
  ///   removed then.
  func download(
    _ key: String, to file: URL, limit: Int, progress: @escaping (Int) -> Void
  ) throws(RemoteError) -> Bool

  /// Writes the content of a key if the condition is met.
  func write(
    _ source: StoredSource, to key: String, if condition: WriteCondition
  ) throws(RemoteError) -> WriteOutcome

  /// The size of the content of a key, which is not read.
  func size(of key: String) throws(RemoteError) -> StoredSize

  /// The keys that begin with a text, sorted.
  func keys(prefix: String) throws(RemoteError) -> [String]
}

extension RemoteError {
  /// The failure of a content that is longer than it may be; `what` says which it is.
  static func tooLong(_ what: String, limit: Int) -> RemoteError {
    RemoteError(
      .damaged, "\(what) has more than the \(limit) bytes that are expected; it was not used")
  }

  /// The failure of a write that the store has confirmed.
  static func notKept(_ key: String) -> RemoteError {
    RemoteError(
      .unsupported,
      "the store said that it wrote \(key), and does not have it, or not all of it; nothing was published",
      hints: ["Another push writes it again. If that fails too, something is wrong with the store."]
    )
  }
}

extension RemoteStore {
  /// Keeps a content under a key that is its digest, and proves that all of it is there.
  ///
  /// A refusal is no proof: stores refuse a write because another one is under way, and some refuse it for no reason. A
  /// content that is missing, or torn, is then written without a condition, since nothing else belongs under its name. A
  /// store that says that it has written is asked as well, with one request.
  func keep(_ source: StoredSource, bytes: Int, at key: String) throws(RemoteError) {
    let outcome = try write(source, to: key, if: .isAbsent)
    if try has(key, source, bytes: bytes) { return }
    switch outcome {
    case .written: break
    case .contended: throw contended(key)
    case .refused:
      guard try write(source, to: key, if: .none) != .contended else { throw contended(key) }
      if try has(key, source, bytes: bytes) { return }
    }
    throw .notKept(key)
  }

  private func has(
    _ key: String, _ source: StoredSource, bytes: Int
  ) throws(RemoteError) -> Bool {
    switch (try size(of: key), source) {
    case (.missing, _): return false
    case (.bytes(let present), _): return present == bytes
    // What is small is read; a catalog would be as long as its upload.
    case (.unknown, .data(let data)): return try read(key, limit: data.count)?.data == data
    case (.unknown, .file): return true
    }
  }

  private func contended(_ key: String) -> RemoteError {
    RemoteError(
      .contended,
      "the store was busy with other writes of \(key) in all tries; nothing was published",
      hints: ["Try again."])
  }

  /// Keeps a content under a key that is its digest, and shows whether the store honours a condition of writes.
  ///
  /// The content is written once more, with a condition that is not met: that nothing is there, or that a version is there
  /// which there is not. Two who do this at the same time do not disturb each other, because they write the same.
  func keepProbing(
    _ content: Data, at key: String, probing condition: WriteCondition
  ) throws(RemoteError) -> Bool {
    let source = StoredSource.data(content)
    try keep(source, bytes: content.count, at: key)
    switch try write(source, to: key, if: condition) {
    case .refused: return true
    case .written: return false
    case .contended: throw contended(key)
    }
  }
}
