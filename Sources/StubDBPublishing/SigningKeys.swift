import Foundation
import StubDBRemote

extension Signing {
  /// Signing with the `ssh-keygen` of this machine.
  static var ofThisMachine: Signing { Signing(program: KeygenProgram()) }
}

/// The keys that people name on the command line, and their own one.
enum SigningKeys {
  /// The folder of the person's own key.
  static func folder() throws -> SigningKeyFolder {
    if let folder = SigningKeyFolder.ofUser(ProcessInfo.processInfo.environment) { return folder }
    throw CommandError(
      "there is no folder for a key: neither $XDG_CONFIG_HOME nor $HOME is set")
  }

  /// The person's own public key.
  ///
  /// - Throws: ``CommandError`` if there is none.
  static func ownPublicKey() throws -> PublicKey {
    let folder = try folder()
    guard folder.exists else { throw missing(folder) }
    return try folder.publicKey()
  }

  /// What signs: the keys that were named, else the person's own.
  static func signing(with names: [String]) throws -> [SigningKey] {
    guard names.isEmpty else { return try names.map(signingKey) }
    let folder = try folder()
    guard folder.exists else { throw missing(folder) }
    return [.file(folder.privateFile)]
  }

  /// A public key that is written out, or that is in a file.
  static func publicKey(_ text: String) throws -> PublicKey {
    if isWrittenOut(text) { return try PublicKey(parsing: text, at: "the text") }
    return try PublicKey(contentsOf: CatalogLocator().resolve(text))
  }

  private static func signingKey(_ text: String) throws -> SigningKey {
    if isWrittenOut(text) { return .agent(try PublicKey(parsing: text, at: "the text")) }
    let file = CatalogLocator().resolve(text)
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw CommandError("there is no key \(TerminalText.quoted(file.path))")
    }
    return .file(file)
  }

  /// A path of such a name can be given as `./ssh-…`.
  private static func isWrittenOut(_ text: String) -> Bool {
    text.hasPrefix("ssh-") || text.hasPrefix("sk-ssh-") || text.contains(" AAAA")
  }

  private static func missing(_ folder: SigningKeyFolder) -> CommandError {
    CommandError(
      "there is no key of yours in \(TerminalText.quoted(folder.url.path))",
      hints: [
        "To make one: \(FollowUp.program) key create",
        "To sign with one that you have for ssh: \(FollowUp.program) push --sign-with ~/.ssh/id_ed25519",
      ])
  }
}
