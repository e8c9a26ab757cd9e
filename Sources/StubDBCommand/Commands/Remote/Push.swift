import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBPublishing

extension RootCommand {
  /// Publishes a catalog.
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
