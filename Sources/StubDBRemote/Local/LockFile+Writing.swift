package import Foundation
internal import StubDBDocuments
internal import StubDBFiles
internal import StubDBJSON

extension LockFile {
  /// Writes the file in one step, if it would change.
  ///
  /// - Throws: ``RemoteError`` if a catalog would lose keys that the file names, unless it is among `distrusting`: no
  /// command may forget by mistake that signatures are required.
  package func write(to file: URL, distrusting: Set<String> = []) throws(RemoteError) {
    let data = encoded
    if (try? Data(contentsOf: file)) == data { return }
    for present in try Self.versions(at: file) {
      try requireKeys(of: present, except: distrusting, at: file.path)
    }
    TemporaryFile.removeAbandoned(beside: file.path)
    try DurableFile.write(data, to: file)
  }

  /// What is there; two versions if git left both.
  private static func versions(at file: URL) throws(RemoteError) -> [LockFile] {
    if let conflict = try LockConflict(contentsOf: file) {
      return [conflict.ours, conflict.theirs]
    }
    return try LockFile(contentsOf: file).map { [$0] } ?? []
  }

  private func requireKeys(
    of present: LockFile, except distrusting: Set<String>, at path: String
  ) throws(RemoteError) {
    for (name, entry) in catalogs where !distrusting.contains(name) {
      let lost = (present.catalogs[name]?.keys ?? []).filter { key in
        !entry.keys.contains { $0.isSame(as: key) }
      }
      guard let key = lost.first else { continue }
      throw RemoteError(
        .invalid,
        "\(path) was not written: the catalog \(name) would no longer require signatures by \(key.label)",
        hints: ["To trust a key no longer: stubdb key distrust \(name) KEY"])
    }
  }
}

extension LockFile {
  /// The text of the file, with sorted keys, so that equal locks are equal files.
  package var encoded: Data {
    var members: JSONObject = [:]
    for (name, entry) in catalogs {
      var object: JSONObject = [
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
    return Data(OrderedJSON.json(value).text.utf8)
  }
}
