import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBPublishing
import StubDBSecrets
import StubDBTransfer

extension RootCommand {
  struct Push: WritingCommand {
    static let configuration = CommandConfiguration(
      commandName: "push",
      abstract: "Publish a catalog in an object store or a folder.",
      discussion: """
        The catalog becomes a commit, an object that never changes, and the pointer of the remote \
        catalog is moved to it. stubdb.lock beside the catalog says which commit it has; commit both \
        files to git together.

        If others have pushed since, what they pushed is merged into the catalog first, as 'stubdb \
        merge' does it, with the commit of stubdb.lock as the base. If conflicts are left, nothing is \
        pushed and the command exits with 2: settle them with 'stubdb resolve', and push again.

        It prints the scenarios that it publishes, and first those that it takes away from others. It has \
        pushed once the store has proved that everything is there.

        A catalog or a message with secrets is refused. So is a store that ignores the conditions of writes: there \
        one of two who push at once would lose everything.

        Examples:
          stubdb push s3://stubs/team/shop
          stubdb push file:///srv/stubs/shop
          stubdb push --message 'Orders can be sold out'   to where stubdb.lock says
          stubdb push --sign                           with the key of 'stubdb key create'
        """)

    @Argument(
      help: ArgumentHelp(
        "The URL, such as s3://BUCKET/PREFIX/NAME, or a name in stubdb.lock (default: where the "
          + "catalog was pushed to before).", valueName: "url"))
    var target: String?

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "What the commit is for (default: the names of the scenarios that changed).",
        valueName: "text"))
    var message: String?

    @Option(
      name: .customLong("as"),
      help: ArgumentHelp(
        "The name in stubdb.lock (default: the end of the URL).", valueName: "name"))
    var name: String?

    @OptionGroup var push: PushOptions

    @OptionGroup var writing: WritingOptions

    func run() throws {
      let signature = try push.signature()
      var job = push.job(try catalog.open().url, message, signature)
      (job.target, job.name) = (target, name)
      let project = try RemoteProject(
        of: job.working.url.deletingLastPathComponent(), .ofThisProcess())
      try project.changing { try job.report(job.run(in: &$0), in: $0) }
    }
  }
}

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
