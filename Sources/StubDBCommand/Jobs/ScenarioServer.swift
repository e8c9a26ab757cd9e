#if Server
  import StubDBEditing
  import StubDBJobs
  import StubDBPublishing
  import StubDBServing

  import ArgumentParser
  import Foundation
  import StubDBCatalog
  import StubDBEngine
  import StubDBJSON
  import StubDBModel
  import StubDBPlayback
  import StubDBServer
  import StubDBValidation

  /// Serves a scenario until the process is asked to end.
  struct ScenarioServer {
    private typealias LogForm = RootCommand.Serve.LogForm

    private let command: RootCommand.Serve

    init(_ command: RootCommand.Serve) {
      self.command = command
    }

    func run() throws {
      let rules = try command.origin.map(Self.rule)
      let catalog = try command.catalog.openForReading()
      let overlays = command.overlays.overlay
      let scenario = try command.scenario.map { try catalog.loadExisting($0, overlays: overlays) }
      guard scenario != nil || !command.noAdmin || !command.listen.isEmpty else {
        throw UsageError("Without a scenario, an admin API or --listen there is nothing to serve.")
      }
      // A client that goes away is an error of the write.
      signal(SIGPIPE, SIG_IGN)
      StubServer.raiseFileLimit()
      let end = EndOfProcess()
      let violations = { @Sendable [path = catalog.url.path] (event: ServeEvent) in
        RequestValidation.shared.messages(on: event, catalog: path)
      }
      let writer =
        logForm == .none
        ? nil
        : AccessLogWriter(
          AccessLogWriter.Look(
            isJSON: logForm == .json, escape: { TerminalText.line($0) },
            mark: { Style.notes.red($0) }), hasContents: command.logBodies,
          violations: command.validate ? violations : nil
        ) { Console.note($0) }
      var log: AccessLog?
      if let writer { log = writer.write }
      var options = try options()
      if PublishedCatalog.name(of: catalog.url) != nil { options.admin?.isReadOnly = true }
      let playing = try command.overlays.playback(pace: command.pace ?? .real, of: catalog)
      let server = try StubServer(
        scenario, catalog: catalog,
        at: .init(
          host: command.host, port: command.port,
          ports: command.listen.map { .init(port: $0.port, scenario: $0.scenario.rawValue) }),
        playing: playing.validatingRequests(command.validate), origins: rules,
        options: options,
        observer: .init(log: log, note: { Console.note($0) }, shutdown: { end.ask() }))
      try announce(server)
      if command.validate {
        RequestValidation.shared.obstacle(catalog: catalog.url.path).map(Console.note)
      }
      if let scenario { Self.warn(scenario, rules) }
      end.wait()
      server.end()
      writer?.finish()
    }

    private static func rule(_ text: String) throws -> OriginMap.Rule {
      guard let rule = OriginMap.Rule(text) else {
        throw UsageError(
          "--origin \(TerminalText.quoted(text)) is not an origin. Write https://api.shop.test, or "
            + "path=/pay/=https://pay.test.")
      }
      return rule
    }

    private func options() throws -> ServerOptions {
      var options = ServerOptions()
      #if TLS
        options.certificates = try certificates()
      #else
        guard !command.tls, command.cert == nil else { throw CommandError.withoutTLS }
      #endif
      options.largestBody = command.maxBody
      // One request of the largest size must always be possible.
      options.largestContentAtOnce = max(
        options.largestContentAtOnce, command.maxBody + (1 << 20))
      options.headerTimeout = command.headerTimeout
      options.idleTimeout = command.idleTimeout
      switch command.unmatched {
      case .status(let status)?: options.unmatchedStatus = status
      case .passthrough?: options.passesUnmatchedOn = true
      case nil: break
      }
      options.isProxy = command.proxy
      options.forwarding.allowsPassthrough = command.allowPassthrough
      options.forwarding.allowsCallbacks = command.allowCallbacks
      options.forwarding.allowsPrivateUpstreams = command.allowPrivateUpstream
      options.explainsAnswers = command.explain
      options.loggedContentSize = command.logBodies ? 64 << 10 : 0
      options.allowsOtherOrigins = !command.noCors
      guard !command.noAdmin else {
        options.admin = nil
        try command.replica.apply(to: &options, token: nil)
        return options
      }
      options.admin?.port = command.adminPort
      options.admin?.token = command.token
      options.admin?.hosts = Set(command.allowHost)
      options.admin?.isReadOnly = command.readOnly
      options.admin?.trustsPages = command.trustPages
      options.admin?.version = RootCommand.configuration.version
      try command.replica.apply(to: &options, token: command.token)
      return options
    }

    #if TLS
      private func certificates() throws -> ServerCertificates? {
        if let cert = command.cert, let key = command.key {
          let locator = CatalogLocator()
          return try ServerCertificates(chain: locator.resolve(cert), key: locator.resolve(key))
        }
        return command.tls ? try ServerCertificates(from: AuthorityJob().loadOrCreate()) : nil
      }
    #endif

    private func announce(_ server: StubServer) throws {
      let host = StubServer.host(inURLsOf: command.host)
      let scheme = server.isSecure ? "https" : "http"
      let url = "\(scheme)://\(host):\(server.port)"
      let adminURL = server.adminPort.map { "\(scheme)://\(host):\($0)/__stubdb/" }
      if command.json {
        let pid = JSONNumber(Int(ProcessInfo.processInfo.processIdentifier))
        var place: JSONObject = ["url": .string(url), "pid": .number(pid)]
        place["adminURL"] = adminURL.map(JSONValue.string)
        try Console.line(JSONValue.object(place).canonicalText)
      } else {
        try Console.line("Listening on \(url)")
        if ["0.0.0.0", "::"].contains(command.host), command.log != .json {
          Console.note(
            "It listens on all addresses of this machine, so other machines reach it, too.")
        }
      }
      if command.scenario == nil, command.listen.isEmpty, !command.json, command.log != .json {
        Console.note(
          "It plays no scenario; clients make sessions of their own, or name one: "
            + FollowUp.command(["serve", "SCENARIO"]))
      }
      for (port, listened) in zip(command.listen, server.ports.suffix(command.listen.count)) {
        Console.note("\(port.scenario) listens on \(scheme)://\(host):\(listened)")
      }
      if command.token == nil, let token = server.adminToken {
        let page = adminURL.map { "; in a browser: \($0)#token=\(token)" } ?? ""
        Console.note("The admin API takes the token \(token)\(page)")
      } else if let adminURL, command.log != .json, command.log != LogForm.none, !command.json {
        // Programs that read the lines of the log, or wanted none, do not look at pages.
        Console.note("The page: \(adminURL)")
      }
    }

    /// Says if it is not clear which host a request to the server represents.
    private static func warn(_ scenario: LoadedScenario, _ rules: [OriginMap.Rule]) {
      let origins = scenario.origins.map(\.description)
      guard origins.count > 1, !rules.contains(where: { $0.prefix == "/" }) else { return }
      Console.note(
        "The stubs name \(origins.count) origins (\(origins.prefix(3).joined(separator: ", "))"
          + (origins.count > 3 ? ", …" : "")
          + "). A request to the server itself may stand for any "
          + "of them; --origin chooses one, and so does the Host field of a request.")
    }

    // MARK: The log

    private var logForm: LogForm {
      command.log ?? (isatty(STDERR_FILENO) == 1 || command.logBodies ? .text : .none)
    }
  }
#endif
