import ArgumentParser
import Foundation
import StubDBEditing
import StubDBJobs
import StubDBModel
import StubDBPlayback

extension RootCommand {
  struct Record: CatalogCommand {
    static let configuration = CommandConfiguration(
      commandName: "record",
      abstract: "Record what real servers answer, as a proxy between them and a program.",
      discussion: """
        Writes a draft beside the catalog, without secrets, which 'stubdb review' shows and takes \
        into it. The program gets the real answers. What the scenario answers already is not asked \
        again, unless --mode says so.

        With --reverse, the program calls this server in place of the real one. With --proxy, it uses \
        this server as its HTTP proxy, and has to trust the certificates of 'stubdb ca'. With a \
        command after --, that command gets the proxy and the certificates by its environment, and \
        stubdb exits with its exit code.

        A proxy looks into the requests for the hosts that the stubs of the scenario name, or that \
        --record-host names; all others go through unread. So do WebSockets, and requests \
        of clients that do not accept the certificate. At the end all of them are named.

        Examples:
          stubdb record checkout/paid --reverse https://api.shop.test
          stubdb record checkout/paid --record-host api.shop.test -- swift test
          stubdb record checkout/paid --proxy --port 8899
          stubdb record checkout/paid --mode all -- npm test
        """)

    @Argument(
      help: "The scenario; it need not exist yet.", completion: .scenarioNames,
      transform: ScenarioName.argument)
    var scenario: ScenarioName

    @Argument(
      parsing: .postTerminator,
      help: ArgumentHelp("A command to run, and its arguments.", valueName: "command"))
    var command: [String] = []

    @Option(
      help: ArgumentHelp(
        "Take the place of this server, such as https://api.shop.test.", valueName: "origin"))
    var reverse: String?

    @Flag(help: "Serve as an HTTP proxy.")
    var proxy = false

    @Option(
      help: ArgumentHelp(
        "What to record: once (only if the scenario has no stubs), new-episodes (what it does not "
          + "answer), all, or none.", valueName: "mode"),
      transform: RecordModeArgument.init)
    var mode = RecordModeArgument(mode: .newEpisodes)

    @Option(
      help: ArgumentHelp(
        "A host to look into, such as api.shop.test, *.shop.test or localhost:8000; repeatable.",
        valueName: "host"))
    var recordHost: [String] = []

    @Flag(help: "Look into the requests for all hosts.")
    var allHosts = false

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(
      help: ArgumentHelp(
        "The port; 0 for any that is free (default: 8080, or 0 for a command).", valueName: "port"))
    var port: Int?

    @Flag(help: "Record failures of the network as stubs that fail.")
    var recordErrors = false

    @Flag(help: "Show failures of the network to the program as they are, and not as status 502.")
    var mirrorFaults = false

    @Option(
      help: ArgumentHelp(
        "Trust the authorities of this PEM file, too, when real servers are called.",
        valueName: "file"), completion: .file())
    var caFile: String?

    @Flag(help: "Call servers on this machine and in local networks that no option names, too.")
    var allowPrivateUpstream = false

    @Option(
      help: ArgumentHelp(
        "The largest content of a request, such as 64MiB; more gets 413.", valueName: "size"),
      transform: Int.byteCount)
    var maxBody = 64 << 20

    @Flag(name: .customLong("allow-ci"), help: "Record in continuous integration, too.")
    var allowIntegration = false

    @OptionGroup var catalog: CatalogOptions

    func checkUsage() throws {
      guard port.map({ (0...65_535).contains($0) }) ?? true else {
        throw ValidationError("--port is a number from 0 to 65535.")
      }
      guard reverse == nil || !proxy else {
        throw ValidationError("--reverse and --proxy exclude each other.")
      }
      guard reverse != nil || proxy || !command.isEmpty else {
        throw ValidationError(
          "Say how requests get here: --reverse https://api.shop.test, --proxy, or a command after --."
        )
      }
      guard reverse == nil || (recordHost.isEmpty && !allHosts) else {
        throw ValidationError(
          "--reverse takes the place of one server; --record-host and --all-hosts are for a proxy.")
      }
    }

    func run() throws {
      let environment = ProcessInfo.processInfo.environment
      if !allowIntegration, RecordMode.isIntegration(environment), mode.mode != .none {
        throw CommandError(
          "nothing is recorded where CI is set, because what a scenario lacks has to fail there",
          hints: [FollowUp.again("To record all the same", adding: "--allow-ci")])
      }
      #if TLS
        try RecordingServer(self, environment).run()
      #elseif Server
        throw CommandError.withoutTLS
      #else
        throw CommandError.withoutServer
      #endif
    }
  }
}

/// A mode of recording as an argument: its name in code, or that of `STUBDB_RECORD`.
struct RecordModeArgument {
  var mode: RecordMode

  init(mode: RecordMode) {
    self.mode = mode
  }

  /// Parses an argument.
  ///
  /// - Throws: ``ArgumentError`` for anything else.
  init(_ text: String) throws {
    guard let mode = RecordMode.spellings[text == "newEpisodes" ? "new-episodes" : text] else {
      throw ArgumentError("it is once, new-episodes, all or none")
    }
    self.mode = mode
  }
}
