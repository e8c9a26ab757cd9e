import ArgumentParser
import Foundation
import StubDBRemote

/// The options with which a push is signed.
struct SigningOptions: ParsableArguments {
  @Flag(help: "Sign the commit with the key of 'stubdb key create'.")
  var sign = false

  @Option(
    help: ArgumentHelp(
      "Sign with this key: a file, such as ~/.ssh/id_ed25519, or the line of a public key that "
        + "ssh-agent has the private half of; repeatable.", valueName: "key"),
    completion: .file())
  var signWith: [String] = []

  /// - Throws: ``CommandError`` if a key is missing.
  func signature() throws -> CommitSignature {
    guard sign || !signWith.isEmpty else { return CommitSignature(keys: []) }
    // Both together are how a key is replaced by another.
    let own = sign ? try SigningKeys.signing(with: []) : []
    return CommitSignature(
      keys: try own + (signWith.isEmpty ? [] : SigningKeys.signing(with: signWith)))
  }
}

/// How the commits of a push are signed.
struct CommitSignature {
  /// The keys, each of which signs; empty to sign nothing.
  let keys: [SigningKey]
  /// Whether a commit that has everything already gets signatures.
  var signsWhatIsThere = true

  /// - Throws: ``CommandError`` if a signature is required and none is made: nobody would use the commit.
  func requireKeys(for target: RemoteTarget) throws {
    guard keys.isEmpty, target.entry?.keys.isEmpty == false else { return }
    throw CommandError(
      "\(LockFile.fileName) requires that \(target.name) is signed; nothing was pushed",
      hints: [FollowUp.again("To sign it", adding: "--sign")])
  }

  /// The signatures of a commit that is to be pushed.
  ///
  /// - Throws: ``CommandError`` if the lock file trusts none of them.
  func made(
    for commit: RemoteCommit, of remote: RemoteCatalog, _ target: RemoteTarget
  ) throws -> [SSHSignature] {
    let signatures = try keys.map { try remote.signature(of: commit, with: $0, by: .ofThisMachine) }
    try requireTrusted(signatures, target.entry?.keys ?? [], target.name)
    return signatures
  }

  /// Says so if a commit that is there already lacks the signature that the lock file requires.
  func noteMissing(of entry: LockFile.Entry, _ remote: RemoteCatalog) throws {
    do throws(RemoteError) {
      _ = try remote.signer(of: entry, by: .ofThisMachine)
    } catch {
      guard error.code == .untrusted else { throw error }
      Console.note("\(Style.notes.yellow("Warning:")) \(error.message)")
      noteSigning()
    }
  }

  private func noteSigning() {
    Console.note("To sign it: \(FollowUp.program) push --sign")
  }

  /// Signs the commit of an entry, which has everything already.
  func add(to entry: LockFile.Entry, of remote: RemoteCatalog, name: String) throws {
    guard signsWhatIsThere, !keys.isEmpty else { return }
    let signatures = try keys.map {
      try remote.signature(of: entry.commit, with: $0, by: .ofThisMachine)
    }
    try requireTrusted(signatures, entry.keys, name)
    for signature in signatures {
      try remote.store(signature, of: entry.commit)
      Console.note("Signed \(entry.commit.short) with \(label(signature)).")
    }
  }

  private func requireTrusted(
    _ signatures: [SSHSignature], _ trusted: [PublicKey], _ name: String
  ) throws {
    guard let first = signatures.first, !trusted.isEmpty else { return }
    let isTrusted = signatures.contains { signature in trusted.contains(where: signature.key.isSame)
    }
    guard !isTrusted else { return }
    throw CommandError(
      "\(LockFile.fileName) does not trust \(label(first)) to sign \(name); nothing was pushed",
      hints: trusted.map { "It trusts \($0.label)" } + [
        "To trust this one too: "
          + FollowUp.command(["key", "trust", name, named([first])[0].description])
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

  private func label(_ signature: SSHSignature) -> String { named([signature])[0].label }

  /// Says who signed a pushed commit, and how it becomes a requirement.
  ///
  /// A commit without a signature after one that has some is as unusual as it would be without a word.
  func report(
    _ signatures: [SSHSignature], _ target: RemoteTarget, _ project: RemoteProject,
    after parent: ObjectDigest?
  ) {
    for signature in signatures { Console.note("Signed with \(label(signature)).") }
    guard !signatures.isEmpty else {
      if let parent, project.cache.hasSignature(of: parent) {
        Console.note("It is not signed, and the commit before it is.")
        noteSigning()
      }
      return
    }
    if target.entry == nil {
      Console.note("\(project.name) requires such a signature from now on.")
    } else if target.entry?.keys.isEmpty == true {
      Console.note(
        "No signature is required yet. To require one: "
          + FollowUp.command(["key", "trust", target.name]))
    }
  }
}
