import ArgumentParser
import StubDBLock
import StubDBPublishing

extension RootCommand {
  struct Pull: WritingCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "pull",
      abstract: "Bring published catalogs to this machine, as stubdb.lock says.",
      discussion: """
        Downloads what stubdb.lock names and the cache of this machine does not have yet; each file is \
        checked against its digest before anything reads it. If the cache has everything, no store is \
        asked. A URL that stubdb.lock does not have is added to it.

        With --update, stubdb.lock moves to the newest commits, and what changed is printed. A catalog \
        that is edited here (--path) is merged with them first; if conflicts are left, the command \
        exits with 2, and 'stubdb resolve' settles them. Where git left two versions in stubdb.lock, it \
        goes on from the older commit of each catalog, so that nothing that was pushed is lost.

        Examples:
          stubdb pull                                  what stubdb.lock names
          stubdb pull s3://stubs/team/payments         one more, to be read only
          stubdb pull s3://stubs/team/payments --path payments.stubdb
          stubdb pull s3://stubs/team/payments --trust ada.pub
          stubdb pull --update
          stubdb pull --check || echo 'stubdb.lock is behind'
          stubdb pull --frozen                         in CI, with a cache that was restored
        """)

    @Argument(
      help: ArgumentHelp(
        "Names in stubdb.lock, or URLs (default: everything that it names).", valueName: "catalog"))
    var targets: [String] = []

    @Flag(help: "Move stubdb.lock to the newest commits, and print what they change.")
    var update = false

    @Flag(help: "Change nothing; exit with 2 if there are newer commits than those of stubdb.lock.")
    var check = false

    @Flag(help: "Ask no store; fail if something that stubdb.lock names is not here.")
    var frozen = false

    @Option(
      help: ArgumentHelp("Edit the catalog here, in this file.", valueName: "path"),
      completion: .file(extensions: ["stubdb"]))
    var path: String?

    @Option(
      name: .customLong("as"),
      help: ArgumentHelp(
        "The name in stubdb.lock (default: the end of the URL).", valueName: "name"))
    var name: String?

    @Option(
      name: .customLong("trust"),
      help: ArgumentHelp(
        "Require that a new catalog is signed by this public key: a file, or its line in quotes; "
          + "repeatable.", valueName: "key"))
    var trusted: [String] = []

    @OptionGroup var writing: WritingOptions

    func checkUsage() throws {
      guard [update, check, frozen].filter(\.self).count <= 1 else {
        throw ValidationError("Give one of --update, --check and --frozen.")
      }
      if path != nil || name != nil || !trusted.isEmpty {
        if update || check || frozen {
          throw ValidationError(
            "--path, --as and --trust go with a new URL, and with no other mode.")
        }
        guard targets.count == 1 else {
          throw ValidationError("--path, --as and --trust go with one URL or name.")
        }
      }
    }

    func run() throws {
      var project = try RemoteProject.current(catalog.path, isSettling: update)
      var job = PullJob.including(targets)
      (job.name, job.trusted) = (name, try trusted.map(SigningKeys.ofThisUser.publicKey))
      job.file = try path.map { try RemoteProject.file(argument: $0) }
      if check { return try noteOutdated(job, project) }
      if frozen {
        try job.requireCached(in: project)
        return Console.note("Everything that \(project.name) names is here.")
      }
      // A cache that can only be read, such as that of a container, has no place for the lock of processes.
      let outcome =
        if !update, try job.changesNothing(of: project) {
          try job.obey(&project)
        } else {
          try project.changing { try update ? job.update(&$0) : job.obey(&$0) }
        }
      if outcome.hasConflicts { throw ExitCode(2) }
    }

    /// Prints the catalogs of which there are newer commits; ends the command with 2 if there are any.
    private func noteOutdated(_ job: PullJob, _ project: RemoteProject) throws {
      let outdated = try job.outdated(in: project)
      for (target, newest) in outdated {
        let locked = target.entry?.commit.short ?? "nothing"
        try Console.line("\(target.name)  locked: \(locked)  newest: \(newest.short)")
      }
      guard !outdated.isEmpty else {
        return Console.note("\(project.name) has the newest commit of each catalog.")
      }
      Console.note("To take them in: \(FollowUp.command(["pull", "--update"] + targets))")
      throw ExitCode(2)
    }
  }
}
