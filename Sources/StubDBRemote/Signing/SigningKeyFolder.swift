package import Foundation
internal import StubDBFiles

/// The folder in which a person's signing key is kept.
///
/// It is in the folder for settings of that person, and never in a repository. Only `ssh-keygen` reads the private key.
package struct SigningKeyFolder: Sendable {
  package let url: URL

  package init(_ url: URL) {
    self.url = url
  }

  /// The folder of the person who runs the process; nil if there is no home folder.
  package static func ofUser(_ environment: [String: String]) -> SigningKeyFolder? {
    SettingsFolder.url(environment).map {
      SigningKeyFolder($0.appendingPathComponent("stubdb/signing", isDirectory: true))
    }
  }

  /// The file of the private key.
  package var privateFile: URL { url.appendingPathComponent("id_ed25519") }
  /// The file of the public key.
  package var publicFile: URL { url.appendingPathComponent("id_ed25519.pub") }

  /// Whether there is a key.
  package var exists: Bool { FileManager.default.fileExists(atPath: privateFile.path) }

  package func publicKey() throws(RemoteError) -> PublicKey {
    try PublicKey(contentsOf: publicFile)
  }

  /// Makes a key, which `ssh-keygen` writes for its owner alone.
  ///
  /// The folder gets its name as a whole, once both halves are in it. A key that is there already moves to a folder
  /// beside it: until all lock files trust the new one, catalogs have to be signed with both.
  /// - Returns: The private key that was there before; nil if there was none.
  @discardableResult
  package func create(
    named name: String, asksForPassphrase: Bool, by program: any SignatureProgram
  ) throws(RemoteError) -> URL? {
    let files = FileManager.default
    let made = SigningKeyFolder(sibling("new"))
    do {
      try files.createDirectory(
        at: made.url, withIntermediateDirectories: true,
        attributes: [.posixPermissions: NSNumber(value: 0o700)])
      defer { try? files.removeItem(at: made.url) }
      let passphrase = asksForPassphrase ? [] : ["-N", ""]
      let end = try program.run(
        ["-q", "-t", "ed25519", "-C", name] + passphrase + ["-f", made.privateFile.path],
        input: nil,
        mayAsk: true)
      guard end.code == 0 else {
        throw RemoteError(.inputOutput, "ssh-keygen made no key: \(end.reason)")
      }
      _ = try made.publicKey()
      var before: URL?
      if files.fileExists(atPath: url.path) {
        let old = SigningKeyFolder(sibling("before"))
        try files.moveItem(at: url, to: old.url)
        before = old.privateFile
      }
      try files.moveItem(at: made.url, to: url)
      return before
    } catch let error as RemoteError {
      throw error
    } catch {
      throw RemoteError(
        .inputOutput, "no key can be kept in \(url.path): \(error.localizedDescription)")
    }
  }

  private func sibling(_ word: String) -> URL {
    url.deletingLastPathComponent()
      .appendingPathComponent("\(url.lastPathComponent)-\(word)-\(UUID().uuidString.prefix(8))")
  }
}
