package import Foundation
internal import StubDBJobs
package import StubDBRemote

/// The keys that people name, and their own one.
package struct SigningKeys {
  private let environment: [String: String]
  /// Makes a file of a path that was typed.
  private let resolve: (String) -> URL

  package init(environment: [String: String], resolve: @escaping (String) -> URL) {
    (self.environment, self.resolve) = (environment, resolve)
  }

  /// The folder of the person's own key.
  package func folder() throws -> SigningKeyFolder {
    if let folder = SigningKeyFolder.ofUser(environment) { return folder }
    throw JobError(
      .notFound, "there is no folder for a key: neither $XDG_CONFIG_HOME nor $HOME is set")
  }

  /// The person's own public key.
  ///
  /// - Throws: `JobError` if there is no such key.
  package func ownPublicKey() throws -> PublicKey { try ownFolder().publicKey() }

  /// What signs: the keys that were named, else the person's own.
  package func signing(with names: [String]) throws -> [SigningKey] {
    guard names.isEmpty else { return try names.map(signingKey) }
    return [.file(try ownFolder().privateFile)]
  }

  /// A public key that is written out, or that is in a file.
  package func publicKey(_ text: String) throws -> PublicKey {
    if Self.isWrittenOut(text) { return try PublicKey(parsing: text, at: "the text") }
    return try PublicKey(contentsOf: resolve(text))
  }

  private func signingKey(_ text: String) throws -> SigningKey {
    if Self.isWrittenOut(text) { return .agent(try PublicKey(parsing: text, at: "the text")) }
    let file = resolve(text)
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw JobError(.notFound, "there is no key \(quoted: file.path)")
    }
    return .file(file)
  }

  /// A path of such a name can be given as `./ssh-…`.
  private static func isWrittenOut(_ text: String) -> Bool {
    text.hasPrefix("ssh-") || text.hasPrefix("sk-ssh-") || text.contains(" AAAA")
  }

  private func ownFolder() throws -> SigningKeyFolder {
    let folder = try folder()
    guard !folder.exists else { return folder }
    throw JobError(
      .notFound, "there is no key of yours in \(quoted: folder.url.path)",
      hints: [
        "To make one: \(command: ["key", "create"])",
        """
        To sign with one that you have for ssh: \(command: ["push", "--sign-with"]) ~/.ssh/id_ed25519
        """,
      ])
  }
}
