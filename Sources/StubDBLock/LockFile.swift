package import Foundation
internal import StubDBJSON
internal import StubDBModel

/// The file `stubdb.lock`: which version of each remote catalog this project uses.
package struct LockFile: Hashable, Sendable {
  /// The name of the file.
  package static let fileName = "stubdb.lock"
  private static let version = 1
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
  /// A lock file comes with a branch: a path that leads out of the project, or to a file of another kind, would let it
  /// choose what is written.
  package static func reasonAgainst(path: String) -> String? {
    guard !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
      return "must lead to a file below the lock file"
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
  /// The text of the file, with sorted keys, so that equal locks are equal files.
  package var encoded: Data {
    var members: [String: JSONValue] = [:]
    for (name, entry) in catalogs {
      var object: [String: JSONValue] = [
        "bytes": .number(JSONNumber(entry.bytes)),
        "commit": .string(entry.commit.description),
        "digest": .string(entry.digest.description),
        "url": .string(entry.url),
      ]
      if let path = entry.path { object["path"] = .string(path) }
      if !entry.keys.isEmpty { object["keys"] = .array(entry.keys.map { .string($0.description) }) }
      members[name] = .object(object)
    }
    let value: JSONValue = [
      "catalogs": .object(members), "version": .number(JSONNumber(Self.version)),
    ]
    return Data((value.prettyText() + "\n").utf8)
  }

  /// Reads a lock file; nil if there is none.
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
      if String(decoding: data, as: UTF8.self).contains("\n<<<<<<< ") {
        failure.hints.append(
          "git left both versions in it: take one (git checkout --ours, or --theirs), then stubdb pull --update"
        )
      }
      throw failure
    }
  }

  package init(decoding data: Data, what: String) throws(RemoteError) {
    var object = try StrictObject(data, limit: Self.maximumSize, what: what)
    try object.requireVersion(Self.version)
    guard case .object(let members) = object.value("catalogs") else {
      throw object.wrong("catalogs", "must be an object")
    }
    try object.requireNoOther()
    catalogs = [:]
    for (name, value) in members {
      if let reason = Self.reasonAgainst(name: name) {
        throw object.wrong(name, "is no name: \(reason)")
      }
      guard case .object(let members) = value else { throw object.wrong(name, "must be an object") }
      catalogs[name] = try Entry(StrictObject(members, what: "\(what), catalog \(name)"))
    }
  }
}

extension LockFile.Entry {
  private static let maximumKeys = 100

  fileprivate init(_ object: StrictObject) throws(RemoteError) {
    var object = object
    self.init(
      url: try object.text("url"), commit: try object.digest("commit"),
      digest: try object.digest("digest"), bytes: try object.byteCount("bytes"),
      path: try object.optionalText("path"), keys: try Self.keys(&object))
    if let path, let reason = LockFile.reasonAgainst(path: path) {
      throw object.wrong("path", reason)
    }
    guard url.unicodeScalars.allSatisfy(LockFile.isShown) else {
      throw object.wrong("url", "has characters that cannot be shown")
    }
    try object.requireNoOther()
  }

  /// The keys, each once; a list must not be empty, because that would look like a requirement and be none.
  private static func keys(_ object: inout StrictObject) throws(RemoteError) -> [PublicKey] {
    guard let value = object.value("keys") else { return [] }
    guard case .array(let values) = value, (1...maximumKeys).contains(values.count) else {
      throw object.wrong("keys", "must be a list of 1 to \(maximumKeys) public keys")
    }
    var keys: [PublicKey] = []
    for (index, value) in values.enumerated() {
      guard case .string(let text) = value else {
        throw object.wrong("keys", "must be a list of texts")
      }
      let key = try PublicKey(parsing: text, at: "\(object.what): key \(index + 1)")
      if keys.contains(where: key.isSame) { throw object.wrong("keys", "has a key twice") }
      keys.append(key)
    }
    return keys
  }
}
