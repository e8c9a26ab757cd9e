package import Foundation
internal import StubDBJSON
internal import StubDBModel

/// A version of a remote catalog: an object that never changes, named by the digest of its encoding.
package struct RemoteCommit: Hashable, Sendable {
  /// The largest encoding that is read, in bytes.
  package static let maximumSize = 65_536
  private static let maximumMessage = 32_768

  /// The catalog's file.
  package var catalog: ObjectDigest
  /// The size of the catalog's file.
  package var bytes: Int
  /// The commit before; nil for the first one.
  package var parent: ObjectDigest?
  /// When it was pushed, in ISO 8601 and UTC; the clock of who pushed it.
  package var at: String
  /// Who pushed it.
  package var by: String
  /// What it is for; may be empty.
  package var message: String

  package init(
    catalog: ObjectDigest, bytes: Int, parent: ObjectDigest?, at: String, by: String,
    message: String
  ) {
    self.catalog = catalog
    self.bytes = bytes
    self.parent = parent
    self.at = at
    self.by = String(by.prefix(200))
    self.message = String(message.prefix(2000))
  }

  /// The bytes that are stored: JSON with sorted keys and a line end.
  package var encoded: Data {
    let value: JSONValue = [
      "at": .string(at), "by": .string(by), "bytes": .number(JSONNumber(bytes)),
      "catalog": .string(catalog.description), "message": .string(message),
      "parent": parent.map { .string($0.description) } ?? .null,
    ]
    return Data((value.canonicalText + "\n").utf8)
  }

  /// Its name.
  package var digest: ObjectDigest { ObjectDigest(of: encoded) }

  /// Decodes stored bytes whose name has been verified.
  ///
  /// - Throws: ``RemoteError`` with `damaged` for anything that is not exactly a commit.
  package init(decoding data: Data, of digest: ObjectDigest) throws(RemoteError) {
    self = try DocumentNode.reading(data, limit: Self.maximumSize, what: "the commit \(digest)") {
      (root) throws(DocumentError) in
      try RemoteCommit(root.object(.commit))
    }
  }

  private init(_ object: DocumentObject) throws(DocumentError) {
    catalog = try object.required("catalog").digest()
    bytes = try object.required("bytes").byteCount()
    parent = try object.required("parent").digestOrNull()
    at = try object.required("at").text(limit: 40)
    by = try object.required("by").text()
    message = try object.required("message").text(limit: Self.maximumMessage)
  }
}

extension DocumentObjectKind {
  fileprivate static let commit = DocumentObjectKind(
    "a commit", ["at", "by", "bytes", "catalog", "message", "parent"])
  fileprivate static let pointer = DocumentObjectKind("a pointer", ["commit", "version"])
}

/// What a catalog's pointer says: the newest commit.
///
/// It is the only thing in a store that is ever replaced.
package struct CatalogPointer: Hashable, Sendable {
  package static let maximumSize = 4096
  private static let version = 1

  package var commit: ObjectDigest

  package init(commit: ObjectDigest) {
    self.commit = commit
  }

  package var encoded: Data {
    let value: JSONValue = [
      "commit": .string(commit.description), "version": .number(JSONNumber(Self.version)),
    ]
    return Data((value.canonicalText + "\n").utf8)
  }

  /// - Throws: ``RemoteError`` if the bytes are not exactly a pointer; `place` says where they are.
  package init(decoding data: Data, at place: String) throws(RemoteError) {
    commit = try DocumentNode.reading(
      data, limit: Self.maximumSize, what: "the pointer of the catalog at \(place)"
    ) { (root) throws(DocumentError) in
      try root.object(.pointer, version: Self.version).required("commit").digest()
    }
  }
}

extension DocumentNode {
  /// Nil for `null`.
  fileprivate func digestOrNull() throws(DocumentError) -> ObjectDigest? {
    if case .null = value { return nil }
    return try digest()
  }
}
