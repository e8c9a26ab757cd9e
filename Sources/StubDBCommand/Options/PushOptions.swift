import ArgumentParser
import Foundation
import StubDBPublishing
import StubDBRemote
import StubDBSecrets
import StubDBTransfer

/// How a push writes and is signed.
struct PushOptions: ParsableArguments {
  @Flag(
    help: "Push even if the store cannot keep two who push at once from overwriting each other.")
  var lastWriterWins = false

  @Flag(help: "Sign the commit with the key of 'stubdb key create'.")
  var sign = false

  @Option(
    help: ArgumentHelp(
      "Sign with this key: a file, such as ~/.ssh/id_ed25519, or the line of a public key that "
        + "ssh-agent has the private half of; repeatable.", valueName: "key"),
    completion: .file())
  var signWith: [String] = []

  /// The push of a catalog, which refuses the secrets of `stubdb scan`.
  func job(_ url: URL, _ message: String?, _ signature: CommitSignature) -> PushJob {
    var job = PushJob(WorkingCatalog(url: url)) { snapshot in
      try ExceptionsFile(beside: url).sort(CatalogScan.shown(in: snapshot, of: url)).findings
    }
    (job.message, job.isLastWriterWinning, job.signature) = (message, lastWriterWins, signature)
    return job
  }

  /// - Throws: `JobError` if a key is missing.
  func signature(ofWhatIsThere: Bool = true) throws -> CommitSignature {
    let known = SigningKeys.ofThisUser
    // Both together are how a key is replaced by another.
    let own = sign ? try known.signing(with: []) : []
    let others = signWith.isEmpty ? [] : try known.signing(with: signWith)
    return CommitSignature(keys: own + others, signsWhatIsThere: ofWhatIsThere)
  }
}
