internal import Foundation

/// The keys of which one must have signed what is used of a catalog, and what verifies it.
package struct SignatureCheck: Sendable {
  /// The keys that are trusted; at least one.
  package let keys: [PublicKey]
  package let signing: Signing

  /// Nil for no keys: then nothing is required.
  package init?(keys: [PublicKey], signing: Signing) {
    guard !keys.isEmpty else { return nil }
    (self.keys, self.signing) = (keys, signing)
  }
}

extension RemoteCatalog {
  /// What the signatures of this catalog's commits are for.
  ///
  /// The name of the catalog is in it, so that one catalog of a team cannot be passed off as another. The bytes that
  /// are signed are those of the commit, which has the digests of the catalog's file and of the commit before.
  package var signatureNamespace: String { "stubdb/" + url.name }

  /// Signs a commit, and verifies the signature.
  package func signature(
    of commit: RemoteCommit, with key: SigningKey, by signing: Signing
  ) throws(RemoteError) -> SSHSignature {
    try signing.signature(of: commit.encoded, in: signatureNamespace, with: key)
  }

  /// Signs a commit that is in the store.
  package func signature(
    of commit: ObjectDigest, with key: SigningKey, by signing: Signing
  ) throws(RemoteError) -> SSHSignature {
    try signing.signature(of: commitData(commit), in: signatureNamespace, with: key)
  }

  /// Stores the signature of a commit, beside it; each key has one.
  ///
  /// Another one of the same key, which may have been put there to keep this one away, is replaced.
  package func store(
    _ signature: SSHSignature, of commit: ObjectDigest
  ) throws(RemoteError) {
    let key = signatureKey(of: commit, by: signature.key)
    let source = StoredSource.data(signature.armored)
    func isThere() throws(RemoteError) -> Bool {
      try store.read(key, limit: SSHSignature.maximumSize)?.data == signature.armored
    }
    if try store.write(source, to: key, if: .isAbsent) != .written, try !isThere() {
      _ = try store.write(source, to: key, if: .none)
    }
    guard try isThere() else {
      throw RemoteError(
        .unsupported,
        "the store of \(url) did not keep the signature of \(commit.short); nothing was published",
        hints: ["Another push writes it again."])
    }
    try cache.insert(signature, of: commit)
  }

  /// The trusted key that signed a commit.
  ///
  /// The cache is asked first, so that a current one makes no request; with `isOffline` nothing else is.
  /// - Throws: ``RemoteError`` with `untrusted` if none did.
  package func signer(
    of commit: ObjectDigest, _ check: SignatureCheck, isOffline: Bool = false
  ) throws(RemoteError) -> PublicKey {
    guard !isOffline || cache.has(commit) else { throw notCached(commit) }
    let data = try commitData(commit)
    var reasons: [String] = []
    func isValid(_ armored: Data, _ key: PublicKey) throws(RemoteError) -> Bool {
      let reason: String?
      if let signature = SSHSignature(armored: armored) {
        reason = try check.signing.reasonAgainst(
          signature, of: data, in: signatureNamespace, by: key)
      } else {
        reason = "it is damaged"
      }
      if let reason { reasons.append("The signature by \(key.label) is not valid: \(reason)") }
      return reason == nil
    }
    for key in check.keys {
      if let armored = cache.signature(of: commit, by: key.digest), try isValid(armored, key) {
        return key
      }
    }
    guard !isOffline else { throw notCached(commit) }
    reasons = []
    for key in check.keys {
      let name = signatureKey(of: commit, by: key)
      guard let stored = try store.read(name, limit: SSHSignature.maximumSize)?.data else {
        continue
      }
      if try isValid(stored, key), let signature = SSHSignature(armored: stored) {
        try cache.insert(signature, of: commit)
        return key
      }
    }
    throw unsigned(commit, check, reasons)
  }

  /// The trusted key that signed what a lock file says of this catalog; nil if the lock file names no keys.
  ///
  /// - Throws: ``RemoteError`` with `untrusted` also if the lock file has another catalog than the commit.
  package func signer(
    of entry: LockFile.Entry, by signing: Signing, isOffline: Bool = false
  ) throws(RemoteError) -> PublicKey? {
    guard let check = SignatureCheck(keys: entry.keys, signing: signing) else { return nil }
    let signer = try signer(of: entry.commit, check, isOffline: isOffline)
    let commit = try commit(entry.commit)
    guard commit.catalog == entry.digest, commit.bytes == entry.bytes else {
      throw RemoteError(
        .untrusted,
        "\(LockFile.fileName) names the catalog \(entry.digest) of \(url), which is not that of the signed commit \(entry.commit)",
        hints: ["\(LockFile.fileName) was edited by hand; look at its history."])
    }
    return signer
  }

  /// The trusted key that signed a commit that is to take the place of the one in a lock file; nil if the lock file
  /// names no keys.
  ///
  /// - Throws: ``RemoteError`` with `untrusted` also if the commit does not come after the one in the lock file: an old
  /// version is signed too.
  package func signer(
    of commit: ObjectDigest, after entry: LockFile.Entry, by signing: Signing
  ) throws(RemoteError) -> PublicKey? {
    guard let check = SignatureCheck(keys: entry.keys, signing: signing) else { return nil }
    let signer = try signer(of: commit, check)
    guard try history.contains(entry.commit, before: commit) else {
      throw RemoteError(
        .untrusted,
        "the newest commit of \(url), \(commit.short), does not come after \(entry.commit.short), which \(LockFile.fileName) names",
        hints: [
          "An old or another version was put in its place, which may be signed all the same.",
          "If that is right: take the catalog out of \(LockFile.fileName), and pull it anew.",
        ])
    }
    return signer
  }

  private func signatureKey(of commit: ObjectDigest, by key: PublicKey) -> String {
    Self.key(commit, key.digest.hexadecimal + ".sig")
  }

  private func notCached(_ commit: ObjectDigest) -> RemoteError {
    RemoteError(
      .untrusted,
      "the cache \(cache.folder.path) has no signature of the commit \(commit.short) of \(url) by a key that \(LockFile.fileName) trusts",
      hints: ["To look for one in the store: stubdb pull"])
  }

  private func unsigned(
    _ commit: ObjectDigest, _ check: SignatureCheck, _ reasons: [String]
  ) -> RemoteError {
    RemoteError(
      .untrusted,
      "the commit \(commit.short) of \(url) is not signed by a key that \(LockFile.fileName) trusts; it was not used",
      hints: reasons + [
        "Trusted: \(check.keys.map(\.label).joined(separator: ", "))",
        "Who pushed it can sign it: stubdb push --sign",
      ])
  }
}
