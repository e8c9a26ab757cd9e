internal import Foundation
internal import StubDBJobs
package import StubDBRemote

/// How the commits of a push are signed.
package struct CommitSignature: Sendable {
  /// The keys, each of which signs; empty to sign nothing.
  let keys: [SigningKey]
  /// Whether a commit that has everything already gets signatures.
  let signsWhatIsThere: Bool

  package init(keys: [SigningKey], signsWhatIsThere: Bool = true) {
    (self.keys, self.signsWhatIsThere) = (keys, signsWhatIsThere)
  }

  /// - Throws: `JobError` if a signature is required and none is made: the commit would be refused everywhere.
  func requireKeys(for target: RemoteTarget) throws {
    guard keys.isEmpty, target.entry?.keys.isEmpty == false else { return }
    throw JobError(
      .refused,
      "\(LockFile.fileName) requires that \(target.name) is signed; nothing was pushed",
      hints: ["\(again: "To sign it", adding: "--sign")"])
  }

  /// The signatures of a commit that is to be pushed.
  ///
  /// - Throws: `JobError` if the lock file trusts none of them.
  func made(
    for commit: RemoteCommit, of remote: RemoteCatalog, _ target: RemoteTarget,
    by signing: Signing
  ) throws -> [SSHSignature] {
    let signatures = try keys.map { try remote.signature(of: commit, with: $0, by: signing) }
    try requireTrusted(signatures, target.entry?.keys ?? [], target.name)
    return signatures
  }

  /// Signs the commit of an entry, which has everything already; returns the keys that signed it.
  func add(
    to entry: LockFile.Entry, of remote: RemoteCatalog, name: String, by signing: Signing
  ) throws -> [PublicKey] {
    guard signsWhatIsThere, !keys.isEmpty else { return [] }
    let signatures = try keys.map {
      try remote.signature(of: entry.commit, with: $0, by: signing)
    }
    try requireTrusted(signatures, entry.keys, name)
    for signature in signatures { try remote.store(signature, of: entry.commit) }
    return named(signatures)
  }

  private func requireTrusted(
    _ signatures: [SSHSignature], _ trusted: [PublicKey], _ name: String
  ) throws {
    guard let first = named(signatures).first, !trusted.isEmpty else { return }
    let isTrusted = signatures.contains { signature in trusted.contains(where: signature.key.isSame)
    }
    guard !isTrusted else { return }
    throw JobError(
      .refused,
      "\(LockFile.fileName) does not trust \(first.label) to sign \(name); nothing was pushed",
      hints: trusted.map { "It trusts \($0.label)" } + [
        "To trust this one too: \(command: ["key", "trust", name, first.description])"
      ])
  }

  /// The keys of signatures, with the names that their files have.
  func named(_ signatures: [SSHSignature]) -> [PublicKey] {
    let known = keys.compactMap { key -> PublicKey? in
      switch key {
      case .agent(let key): key
      case .file(let file):
        // A private key without its public half beside it has no name.
        try? PublicKey(
          contentsOf: file.pathExtension == "pub" ? file : file.appendingPathExtension("pub"))
      }
    }
    return signatures.map { signature in
      known.first(where: signature.key.isSame) ?? signature.key
    }
  }
}
