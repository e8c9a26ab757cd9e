package import Foundation
internal import StubDBModel
internal import StubDBSupport

/// The file `stubdb.lock`: which version of each remote catalog this project uses.
package struct LockFile: Hashable, Sendable {
  /// The name of the file.
  package static let fileName = "stubdb.lock"
  package static let version = 1
  private static let maximumSize = 1 << 20

  /// A remote catalog.
  package struct Entry: Hashable, Sendable {
    /// Where it is.
    package var url: String
    /// The commit that is used, with which the next merge begins.
    package var commit: ObjectDigest
    /// The catalog of the commit.
    package var digest: ObjectDigest
    /// The size of the catalog.
    package var bytes: Int
    /// Where the catalog is edited, relative to the lock file; nil if it is only read, from the cache.
    package var path: String?
    /// The keys of which one must have signed the commit; empty to require no signature.
    package var keys: [PublicKey]

    package init(
      url: String, commit: ObjectDigest, digest: ObjectDigest, bytes: Int, path: String? = nil,
      keys: [PublicKey] = []
    ) {
      (self.url, self.commit, self.digest, self.bytes) = (url, commit, digest, bytes)
      (self.path, self.keys) = (path, keys)
    }
  }

  /// The catalogs, by name.
  package var catalogs: [String: Entry]

  package init(catalogs: [String: Entry] = [:]) {
    self.catalogs = catalogs
  }

  /// Why a text cannot be the name of a catalog; nil if it can.
  ///
  /// Such a name is a part of scenario names, such as `payments:card/declined`.
  package static func reasonAgainst(name: String) -> String? {
    ScenarioReference.reasonAgainst(catalog: name)
  }
}

extension LockFile {
  /// Why a text cannot be the path of a catalog that is edited, as the end of a sentence; nil if it can.
  ///
  /// A lock file comes with a branch: a path that leads out of the project, into a folder of a tool (`.git`, `.github`),
  /// or to a file of another kind, would let it choose what is written.
  package static func reasonAgainst(path: String) -> String? {
    let parts = path.pathSegments
    guard path.utf8.first != UInt8(ascii: "/"), !parts.contains("..") else {
      return "must lead to a file below the lock file"
    }
    guard !parts.dropLast().contains(where: { $0 != "." && $0.hasPrefix(".") }) else {
      return "must not lead into a folder whose name begins with a dot, such as .git"
    }
    guard path.hasSuffix(".stubdb"), !path.hasSuffix("/.stubdb"), path != ".stubdb" else {
      return "must lead to a file whose name ends with .stubdb"
    }
    return path.unicodeScalars.allSatisfy(isShown) ? nil : "has characters that cannot be shown"
  }

  fileprivate static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    ![.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
  }
}

extension LockFile {
  /// Reads a lock file, or nil.
  ///
  /// - Throws: ``RemoteError`` for a file that is not exactly a lock file, such as one with marks of a merge.
  package init?(contentsOf file: URL) throws(RemoteError) {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw RemoteError(.inputOutput, "cannot read \(file.path): \(error.localizedDescription)")
    }
    do throws(RemoteError) {
      try self.init(decoding: data, what: file.path)
    } catch {
      var failure = error
      if Self.isMarked(data) {
        failure.hints.append(
          "git left both versions in it. To go on from the older commit of each catalog, so that nothing is lost: stubdb pull --update"
        )
      } else if failure.code == .unsupported {
        failure.hints.append("A newer stubdb may have written it; use that one, or a newer one.")
      } else {
        failure.hints.append("To have it as it was: git checkout -- \(Self.fileName)")
      }
      throw failure
    }
  }

  /// Whether git left two versions in a file: a line begins as the mark before the first one.
  ///
  /// https://git-scm.com/docs/git-merge#_how_conflicts_are_presented
  package static func isMarked(_ data: Data) -> Bool {
    ("\n" + String(decoding: data, as: UTF8.self)).contains("\n<<<<<<< ")
  }

  package init(decoding data: Data, what: String) throws(RemoteError) {
    let read = try DocumentNode.reading(data, limit: Self.maximumSize, what: what) {
      (root) throws(DocumentError) in
      try root.object(.lock, version: Self.version).required("catalogs").lockEntries()
    }
    catalogs = [:]
    for (name, entry, keys) in read {
      catalogs[name] = entry
      catalogs[name]?.keys = try Self.keys(keys, at: "\(what), catalog \(name)")
    }
  }

  /// The keys, each once.
  private static func keys(
    _ texts: [String], at place: String
  ) throws(RemoteError) -> [PublicKey] {
    var keys: [PublicKey] = []
    for (index, text) in texts.enumerated() {
      let key = try PublicKey(parsing: text, at: "\(place): key \(index + 1)")
      if keys.contains(where: key.isSame) {
        throw RemoteError(.damaged, "\(place): \"keys\" has a key twice")
      }
      keys.append(key)
    }
    return keys
  }
}

extension DocumentObjectKind {
  fileprivate static let lock = DocumentObjectKind("a lock file", ["catalogs", "version"])
  fileprivate static let lockEntry = DocumentObjectKind(
    "a catalog", ["bytes", "commit", "digest", "keys", "path", "url"])
}

extension DocumentNode {
  private static var maximumKeys: Int { 100 }

  /// The catalogs by name, without their keys, and these as texts.
  fileprivate func lockEntries() throws(DocumentError) -> [(String, LockFile.Entry, [String])] {
    var entries: [(String, LockFile.Entry, [String])] = []
    for (name, node) in try members("an object of catalogs") {
      if let reason = LockFile.reasonAgainst(name: name) {
        throw node.failure(.invalidValue, "it is no name of a catalog: \(reason)")
      }
      let object = try node.object(.lockEntry)
      let entry = LockFile.Entry(
        url: try object.required("url").lockURL(), commit: try object.required("commit").digest(),
        digest: try object.required("digest").digest(),
        bytes: try object.required("bytes").byteCount(), path: try object["path"]?.lockPath())
      entries.append((name, entry, try object["keys"]?.keyTexts() ?? []))
    }
    return entries
  }

  private func lockURL() throws(DocumentError) -> String {
    let url = try text()
    guard url.unicodeScalars.allSatisfy(LockFile.isShown) else {
      throw failure(.invalidValue, "it has characters that cannot be shown")
    }
    return url
  }

  private func lockPath() throws(DocumentError) -> String {
    let path = try text()
    if let reason = LockFile.reasonAgainst(path: path) {
      throw failure(.invalidValue, "it \(reason)")
    }
    return path
  }

  /// A list must not be empty, because that would look like a requirement and be none.
  private func keyTexts() throws(DocumentError) -> [String] {
    let nodes = try list("a list of public keys")
    guard (1...Self.maximumKeys).contains(nodes.count) else {
      throw failure(.invalidValue, "it must have 1 to \(Self.maximumKeys) public keys")
    }
    var texts: [String] = []
    for node in nodes { texts.append(try node.text()) }
    return texts
  }
}
