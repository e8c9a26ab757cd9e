import ArgumentParser
import StubDBPublishing

extension RootCommand {
  struct Sync: WritingCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "sync",
      abstract: "Take in what others pushed, and push: pull --update, then push.",
      discussion: """
        Pushes those catalogs of stubdb.lock that are edited here and have changed. If conflicts are \
        left, nothing is pushed and the command exits with 2.

        Examples:
          stubdb sync
          stubdb sync shop --message 'Orders can be sold out'
        """)

    @Argument(
      help: ArgumentHelp(
        "Names in stubdb.lock, or URLs (default: everything that it names).", valueName: "catalog"))
    var targets: [String] = []

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "What the commits are for (default: the names of the scenarios that changed).",
        valueName: "text"))
    var message: String?

    @OptionGroup var push: PushOptions

    @OptionGroup var writing: WritingOptions

    func run() throws {
      // What has not changed was signed when it was pushed.
      let signature = try push.signature(ofWhatIsThere: false)
      try RemoteProject.current(catalog.path, isSettling: true).changing { project in
        let pulled = try PullJob.including(targets).update(&project)
        if pulled.hasConflicts { throw ExitCode(2) }
        for target in pulled.edited {
          guard let entry = target.entry, let working = project.working(entry) else { continue }
          var job = push.job(working, message, signature)
          job.target = target.name
          try job.report(job.run(in: &project), in: project)
        }
      }
    }
  }
}
