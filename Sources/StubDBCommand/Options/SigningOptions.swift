import ArgumentParser
import StubDBPublishing
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

  /// - Throws: `JobError` if a key is missing.
  func signature(ofWhatIsThere: Bool = true) throws -> CommitSignature {
    let known = SigningKeys.ofThisUser
    // Both together are how a key is replaced by another.
    let own = sign ? try known.signing(with: []) : []
    let others = signWith.isEmpty ? [] : try known.signing(with: signWith)
    return CommitSignature(keys: own + others, signsWhatIsThere: ofWhatIsThere)
  }
}
