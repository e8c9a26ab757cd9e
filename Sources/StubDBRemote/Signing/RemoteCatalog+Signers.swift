internal import Foundation
package import StubDBDocuments
internal import StubDBJSON

/// Who signed a commit, as far as that can be known.
package enum CommitSigners: Hashable, Sendable {
  /// Keys that are trusted, with the names that the lock file has for them.
  case trusted([PublicKey])
  /// Keys of which none is trusted here.
  case others([PublicKey])
  /// The store has no valid signature.
  case unsigned
  /// No trusted key has signed it; the store does not list other signers, or nothing here can verify it.
  case unknown

  /// The keys as `{name, fingerprint, trusted}`; an empty list for an unsigned commit, and null if that is not known.
  fileprivate var json: OrderedJSON {
    func list(_ keys: [PublicKey], trusted: Bool) -> OrderedJSON {
      .array(
        keys.map { key in
          .object([
            ("name", .string(key.name.isEmpty ? nil : key.name)),
            ("fingerprint", .string(key.fingerprint)), ("trusted", .json(.bool(trusted))),
          ])
        })
    }
    switch self {
    case .trusted(let keys): return list(keys, trusted: true)
    case .others(let keys): return list(keys, trusted: false)
    case .unsigned: return .array([])
    case .unknown: return .json(.null)
    }
  }
}

extension RemoteCommit {
  /// The commit as `{commit, parent, at, by, message, catalog, bytes, signedBy}`.
  package func jsonMembers(
    _ digest: ObjectDigest, signedBy signers: CommitSigners
  ) -> [(String, OrderedJSON)] {
    [
      ("commit", .string(digest.description)), ("parent", .string(parent?.description)),
      ("at", .string(at)), ("by", .string(by)), ("message", .string(message)),
      ("catalog", .string(catalog.description)), ("bytes", .integer(bytes)),
      ("signedBy", signers.json),
    ]
  }
}

extension RemoteCatalog {
  /// How many signatures by keys that are not trusted are looked at: everyone who can write to the store can add some.
  private static let largestNumber = 20

  /// Who signed a commit.
  ///
  /// Signatures by trusted keys that the cache has need no request. The store is asked for a list otherwise, and each of
  /// what it names is verified; a store that has no list, or does not show it, is asked for those of trusted keys.
  /// - Throws: ``RemoteError`` if the commit cannot be read, or the store not be reached.
  package func signers(
    of commit: ObjectDigest, trusted: [PublicKey], by signing: Signing
  ) throws(RemoteError) -> CommitSigners {
    let check = SignersCheck(
      data: try commitData(commit), namespace: signatureNamespace, signing: signing)
    let cached = trusted.filter { key in
      cache.signature(of: commit, by: key.digest).map { check.isValid($0, key) } ?? false
    }
    if !cached.isEmpty { return .trusted(cached) }
    let listed = try listedSigners(of: commit)
    var found: [PublicKey] = []
    // Trusted ones first, so that others cannot hide them.
    let wantedDigests = trusted.map(\.digest).filter { listed?.contains($0) ?? true }
    let otherDigests = (listed ?? []).filter { !wantedDigests.contains($0) }
    for digest in wantedDigests + otherDigests.prefix(Self.largestNumber) {
      let known = trusted.first { $0.digest == digest }
      guard let armored = try signatureText(of: commit, by: digest),
        let signature = SSHSignature(armored: armored), signature.key.digest == digest,
        check.isValid(armored, known ?? signature.key)
      else { continue }
      // A cache that cannot be written to only means another request the next time.
      try? cache.insert(signature, of: commit)
      found.append(known ?? signature.key)
    }
    let wanted = found.filter { key in trusted.contains { $0.isSame(as: key) } }
    if !wanted.isEmpty { return .trusted(wanted) }
    if !check.canVerify.value { return .unknown }
    if !found.isEmpty { return .others(found) }
    return listed == nil ? .unknown : .unsigned
  }

  /// The digests of the keys of which the store has signatures; nil if it has no list, or does not show it.
  private func listedSigners(of commit: ObjectDigest) throws(RemoteError) -> [ObjectDigest]? {
    let prefix = Self.key(commit, "")
    do throws(RemoteError) {
      return try store.keys(prefix: prefix).filter { $0.hasPrefix(prefix) && $0.hasSuffix(".sig") }
        .compactMap { ObjectDigest(hexadecimal: String($0.dropFirst(prefix.count).dropLast(4))) }
    } catch {
      guard error.code == .unreachable else { return nil }
      throw error
    }
  }

  private func signatureText(
    of commit: ObjectDigest, by key: ObjectDigest
  ) throws(RemoteError) -> Data? {
    do throws(RemoteError) {
      let name = Self.key(commit, key.hexadecimal + ".sig")
      return try store.read(name, limit: SSHSignature.maximumSize)?.data
    } catch {
      guard error.code == .unreachable else { return nil }
      throw error
    }
  }
}

/// Verifies signatures of one commit, and remembers whether that could be done at all.
private struct SignersCheck {
  final class Flag {
    var value = true
  }

  let data: Data
  let namespace: String
  let signing: Signing
  /// False if `ssh-keygen` could not be run.
  let canVerify = Flag()

  func isValid(_ armored: Data, _ key: PublicKey) -> Bool {
    guard let signature = SSHSignature(armored: armored) else { return false }
    do {
      return try signing.reasonAgainst(signature, of: data, in: namespace, by: key) == nil
    } catch {
      canVerify.value = false
      return false
    }
  }
}
