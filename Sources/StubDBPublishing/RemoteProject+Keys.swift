internal import StubDBJobs
package import StubDBRemote

extension RemoteProject {
  /// An entry of the lock file.
  ///
  /// - Throws: `JobError` if there is no catalog of that name.
  package func lockedEntry(_ name: String) throws -> LockFile.Entry {
    if let entry = lock.catalogs[name] { return entry }
    throw JobError(
      .notFound, "\(file: file) has no catalog \(quoted: name)",
      hints: lock.catalogs.isEmpty
        ? [] : ["It has: \(lock.catalogs.keys.sorted().joined(separator: ", "))"])
  }

  /// Lets the lock file trust keys to sign a catalog; a key that is trusted already may get another name.
  ///
  /// - Returns: Whether the catalog is edited here.
  package mutating func trust(_ keys: [PublicKey], toSign name: String) throws -> Bool {
    var entry = try lockedEntry(name)
    for key in keys {
      if let index = entry.keys.firstIndex(where: key.isSame) {
        entry.keys[index] = key
      } else {
        entry.keys.append(key)
      }
    }
    try set(entry, for: name)
    return entry.path != nil
  }

  /// Lets the lock file no longer trust keys: `texts` are their names, fingerprints, files or lines; nil for all.
  ///
  /// - Returns: The keys that were trusted before, and whether a signature is required still.
  package mutating func distrust(
    _ texts: [String]?, toSign name: String, _ known: SigningKeys
  ) throws -> (removed: [PublicKey], requiresSignature: Bool) {
    var entry = try lockedEntry(name)
    let removed = try texts?.flatMap { try found($0, in: entry, of: name, known) } ?? entry.keys
    entry.keys.removeAll { key in removed.contains { $0.isSame(as: key) } }
    guard texts == nil || !entry.keys.isEmpty else {
      throw JobError(
        .refused, "\(name) would require no signature any more; nothing was changed",
        hints: [
          "To trust another key first: \(command: ["key", "trust", name, "KEY"])",
          "To require none: \(command: ["key", "distrust", name, "--all"])",
        ])
    }
    lock.catalogs[name] = entry
    try lock.write(to: file, distrusting: [name])
    return (removed, !entry.keys.isEmpty)
  }

  private func found(
    _ text: String, in entry: LockFile.Entry, of name: String, _ known: SigningKeys
  ) throws -> [PublicKey] {
    let named = entry.keys.filter { $0.fingerprint == text || (!text.isEmpty && $0.name == text) }
    if !named.isEmpty { return named }
    let key = try? known.publicKey(text)
    let same = entry.keys.filter { other in key.map(other.isSame) ?? false }
    if !same.isEmpty { return same }
    throw JobError(
      .notFound, "\(file: file) trusts no key \(quoted: String(text.prefix(120))) to sign \(name)",
      hints: entry.keys.map { "It trusts \($0.label)" })
  }
}
