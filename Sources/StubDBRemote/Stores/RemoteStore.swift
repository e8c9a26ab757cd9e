package import Foundation

/// What tells one content of a key from another: an entity tag, a generation, or a digest.
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
  /// Since when a cache between could not ask the store, in ISO 8601; nil if the content is that of this moment.
  package var staleSince: String?

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

/// What became of a conditional write.
package enum WriteOutcome: Hashable, Sendable {
  case written
  /// The condition was not met: somebody else was first, or an earlier try of this write was.
  case refused
}

/// The condition of a write.
package enum WriteCondition: Hashable, Sendable {
  /// Nothing is there yet.
  case isAbsent
  /// What is there has this version.
  case isVersion(StoreVersion)
  /// None: what somebody else has written meanwhile is lost.
  case none
}

/// A place that keeps contents under keys, such as a bucket.
///
/// A key is a relative path, without a beginning slash. A write is whole or not at all. What is refused by a condition,
/// and what is missing, are results and not errors.
package protocol RemoteStore: Sendable {
  /// A version that no content ever has.
  func impossibleVersion() throws(RemoteError) -> StoreVersion

  /// The content of a key; nil if there is none.
  ///
  /// - Throws: ``RemoteError`` with `damaged` if it is longer than `limit`.
  func read(_ key: String, limit: Int) throws(RemoteError) -> StoredContent?

  /// Downloads the content of a key to the end of a file, from the byte on which the file ends.
  ///
  /// The file is made if it is missing. Its beginning is expected to be the beginning of the content, which is up to
  /// the caller to verify. `progress` is told how many bytes the file has.
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

  /// The keys that begin with a text, sorted.
  func keys(prefix: String) throws(RemoteError) -> [String]
}

extension RemoteError {
  /// The failure of a content that is longer than it may be; `what` says which it is.
  static func tooLong(_ what: String, limit: Int) -> RemoteError {
    RemoteError(
      .damaged, "\(what) has more than the \(limit) bytes that are expected; it was not used")
  }
}

extension RemoteStore {
  /// Whether the store honours the conditions of writes.
  ///
  /// It costs two requests, three the first time. Two who probe at the same time do not disturb each other.
  package func honoursConditions(probing key: String) throws(RemoteError) -> Bool {
    let content = StoredSource.data(
      Data("stubdb looks here whether conditions are honoured\n".utf8))
    if try write(content, to: key, if: .isAbsent) == .written,
      try write(content, to: key, if: .isAbsent) == .written
    {
      return false
    }
    return try write(content, to: key, if: .isVersion(impossibleVersion())) == .refused
  }
}
