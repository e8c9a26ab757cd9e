import ArgumentParser
import StubDBEditing
import StubDBModel
import StubDBPlayback

extension RootCommand {
  struct Serve: WritingCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Answer requests over the network from a scenario.",
      discussion: """
        Serves HTTP/1.0, 1.1 and HTTP/2 until it is interrupted, and finishes the answers in \
        progress then. \
        All requests belong to one run: sequences advance, flows change their state, captured values \
        are kept. Delays, chunks, ranges and faults happen on the connection.

        Stubs name hosts such as https://api.shop.test, and clients ask this server instead. The host \
        that they mean is that of the Host field if stubs name it, otherwise that of --origin, \
        otherwise the only one that the stubs name. What no stub answers gets 404 with the nearest \
        stubs, and a header field StubDB-Unmatched.

        Nothing is sent to other servers, unless an option that begins with --allow says so.

        Below /__stubdb/ is the admin API: sessions with a run of their own, the journal, scenarios; \
        in a browser, /__stubdb/ itself shows them. Only this machine may use it; on another address \
        than loopback it takes a token.

        The first line of output says where it listens. On a terminal, or with --log, each answer is \
        a line on standard error.

        Pages of other origins, such as a web application in development, may read what stubs answer, \
        and their browsers' preflights are answered; --no-cors keeps them out.

        Examples:
          stubdb serve checkout/paid
          stubdb serve checkout/paid --port 0 --json
          stubdb serve checkout/paid --origin https://api.shop.test
          stubdb serve checkout/paid --tls
          stubdb serve checkout/paid --unmatched passthrough --allow-passthrough
          stubdb serve session/signed-in --overlay checkout/paid --pace 0.5
          stubdb serve --listen 8081=checkout/paid --listen 8082=checkout/declined
        """)

    @Argument(
      help: "The scenario; without one, only sessions and --listen are served.",
      completion: .scenarioNames, transform: ScenarioName.argument)
    var scenario: ScenarioName?

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port; 0 for any that is free.", valueName: "port"))
    var port = 8080

    @Option(
      help: ArgumentHelp(
        "What requests to the server stand for, such as https://api.shop.test; for the paths that "
          + "begin with a prefix, path=/pay/=https://pay.test; repeatable.",
        valueName: "origin"))
    var origin: [String] = []

    @Option(
      help: ArgumentHelp(
        "A further port, with a scenario of its own; repeatable.", valueName: "port=scenario"),
      transform: PortArgument.init)
    var listen: [PortArgument] = []

    @Option(
      help: ArgumentHelp(
        "The largest content of a request, such as 64MiB; more gets 413.", valueName: "size"),
      transform: Int.byteCount)
    var maxBody = 64 << 20

    @Option(
      help: ArgumentHelp(
        "How long the head of a request may take; then it gets 408.", valueName: "time"),
      transform: Duration.argument)
    var headerTimeout = Duration.seconds(10)

    @Option(
      help: ArgumentHelp("How long a connection may be silent.", valueName: "time"),
      transform: Duration.argument)
    var idleTimeout = Duration.seconds(60)

    @Option(
      help: ArgumentHelp(
        "The status for requests that no stub answers, or passthrough (default: 404).",
        valueName: "status"),
      transform: UnmatchedArgument.init)
    var unmatched: UnmatchedArgument?

    @Flag(help: "Be a proxy: answer for the hosts of the scenario, and refuse others.")
    var proxy = false

    @Flag(help: "Pass requests on to real servers, as stubs, --unmatched and --proxy say.")
    var allowPassthrough = false

    @Flag(help: "Make the calls that stubs name as callbacks.")
    var allowCallbacks = false

    @Flag(help: "Pass requests on to, and call back, this machine and local networks too.")
    var allowPrivateUpstream = false

    @Option(
      help: ArgumentHelp(
        "How long delays take: real, instant, or a factor such as 0.1 (default: real).",
        valueName: "pace"),
      transform: Pace.argument)
    var pace: Pace?

    @Flag(
      help: """
        Count requests that a description in the catalog does not allow as problems of their session, \
        see stubdb check --openapi --keep.
        """)
    var validate = false

    @OptionGroup var overlays: OverlayOptions

    @Flag(help: "Let no pages of other origins read what stubs answer.")
    var noCors = false

    @Option(
      help: ArgumentHelp(
        "The lines on standard error: text, json or none (default: text on a terminal, else none).",
        valueName: "form"))
    var log: LogForm?

    @Flag(
      help: """
        Put header fields, and the first 64 KiB of contents, into the log, with all secrets that they \
        have.
        """)
    var logBodies = false

    @Flag(
      help: """
        Say in header fields of answers which stub they come from: StubDB-Scenario, StubDB-Stub and \
        StubDB-Response.
        """)
    var explain = false

    @Flag(
      help: """
        Speak TLS too, on the same port, with certificates for each name that a client asks for; \
        'stubdb ca' keeps the authority that clients have to trust.
        """)
    var tls = false

    @Option(
      help: ArgumentHelp(
        "Speak TLS too, with the certificate of this PEM file.", valueName: "file"),
      completion: .file())
    var cert: String?

    @Option(
      help: ArgumentHelp("The PEM file with the key of --cert.", valueName: "file"),
      completion: .file())
    var key: String?

    @Flag(help: "Serve no admin API.")
    var noAdmin = false

    @Option(help: ArgumentHelp("A port of its own for the admin API.", valueName: "port"))
    var adminPort: Int?

    @Option(
      help: ArgumentHelp(
        "What clients of the admin API must send as Authorization: Bearer TOKEN.",
        valueName: "token"))
    var token: String?

    @Option(
      help: ArgumentHelp(
        "A name by which clients may call the admin API; repeatable.", valueName: "host"))
    var allowHost: [String] = []

    @Flag(
      inversion: .prefixedNo,
      help: """
        Refuse changes of the catalog, or allow them (default: allow them on a loopback address only).
        """)
    var readOnly: Bool?

    @Flag(
      help: """
        Let pages that stubs answer with keep their origin in a browser, from which they can use the \
        admin API.
        """)
    var trustPages = false

    @OptionGroup var replica: ReplicaOptions

    @Flag(help: "Print where it listens as {adminURL, pid, url}, on one line.")
    var json = false

    @OptionGroup var writing: WritingOptions

    enum LogForm: String, CaseIterable, ExpressibleByArgument {
      case text
      case json
      case none
    }

    func checkUsage() throws {
      guard (0...65_535).contains(port) else {
        throw ValidationError("--port is a number from 0 to 65535.")
      }
      guard adminPort.map({ (0...65_535).contains($0) }) ?? true else {
        throw ValidationError("--admin-port is a number from 0 to 65535.")
      }
      guard !logBodies || log != LogForm.none else {
        throw ValidationError("--log-bodies needs a log; use --log text or --log json.")
      }
      if scenario == nil, !overlays.overlay.isEmpty {
        throw ValidationError("--overlay lies on top of a scenario; name that, too.")
      }
      if unmatched == .passthrough, !allowPassthrough {
        throw ValidationError(
          "--unmatched passthrough sends requests to real servers; --allow-passthrough allows it.")
      }
      guard (cert == nil) == (key == nil) else {
        throw ValidationError("--cert and --key belong together.")
      }
      guard !tls || cert == nil else {
        throw ValidationError("--tls makes certificates, and --cert brings one; choose either.")
      }
    }

    func run() throws {
      #if Server
        try ScenarioServer(self).run()
      #else
        guard !tls, cert == nil else { throw CommandError.withoutTLS }
        throw CommandError.withoutServer
      #endif
    }
  }
}
