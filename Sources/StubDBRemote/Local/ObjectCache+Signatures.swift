internal import Foundation

extension ObjectCache {
  private func file(_ commit: ObjectDigest, _ key: ObjectDigest) -> URL {
    let digits = commit.hexadecimal
    return folder.appendingPathComponent("signatures/\(digits.prefix(2))")
      .appendingPathComponent("\(digits.dropFirst(2)).\(key.hexadecimal)")
  }

  /// What the cache has as the signature of a commit by the key of a digest; it is to be verified.
  func signature(of commit: ObjectDigest, by key: ObjectDigest) -> Data? {
    // A signature that cannot be read is as good as none.
    try? Data(contentsOf: file(commit, key))
  }

  /// Whether the cache has a signature of a commit, valid or not.
  package func hasSignature(of commit: ObjectDigest) -> Bool {
    let digits = commit.hexadecimal
    let folder = folder.appendingPathComponent("signatures/\(digits.prefix(2))")
    // No folder, no signatures.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.contains { $0.hasPrefix(digits.dropFirst(2) + ".") }
  }

  /// Removes the signatures of commits that the cache does not have any more.
  ///
  /// - Returns: How many files were removed, and their bytes.
  package func pruneSignatures() -> (files: Int, bytes: Int) {
    let signatures = folder.appendingPathComponent("signatures")
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: signatures.path)) ?? []
    var removed = (files: 0, bytes: 0)
    for path in paths {
      let digits = path.prefix { $0 != "." }.filter { $0 != "/" }
      guard let commit = ObjectDigest(hexadecimal: digits), !has(commit) else { continue }
      let file = signatures.appendingPathComponent(path)
      let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
      guard unlink(file.path) == 0 else { continue }
      removed = (removed.files + 1, removed.bytes + (size?.intValue ?? 0))
    }
    return removed
  }

  /// Keeps a signature.
  func insert(_ signature: SSHSignature, of commit: ObjectDigest) throws(RemoteError) {
    let file = file(commit, signature.key.digest)
    if (try? Data(contentsOf: file)) == signature.armored { return }
    do {
      try makeFolder(file.deletingLastPathComponent())
      try DurableFile.write(signature.armored, to: file, permissions: Self.filePermissions)
    } catch {
      throw unwritable(error)
    }
  }
}
