import StubDBSupport

#if TLS
  import ArgumentParser
  import Foundation
  import StubDBCatalog
  import StubDBCatalogEditing
  import StubDBEngine
  import StubDBJSON
  import StubDBModel
  import StubDBPlayback
  import StubDBRecording
  import StubDBServer

  /// Records as a proxy until the process is asked to end, or until the command that it runs has ended.
  struct RecordingServer {
    private let command: RootCommand.Record
    private let environment: [String: String]

    init(_ command: RootCommand.Record, _ environment: [String: String]) {
      (self.command, self.environment) = (command, environment)
    }

    func run() throws {
      let catalog = try command.catalog.open()
      let (known, played) = try scenario(in: catalog)
      let settings = try settings(for: known)
      let recording = ServerRecording(settings, recorder: try recorder(played, catalog)) {
        Console.note(Self.text($0, [$1]))
      }
      // A client that goes away is an error of the write.
      signal(SIGPIPE, SIG_IGN)
      StubServer.raiseFileLimit()
      let end = EndOfProcess()
      let server: StubServer
      do {
        server = try StubServer(
          played, catalog: catalog, host: command.host,
          port: command.port ?? (command.command.isEmpty ? 8_080 : 0),
          origins: [settings.target.flatMap { OriginMap.Rule($0.description) }].compactMap(\.self),
          options: try options(settings, recording), note: { Console.note($0) })
      } catch let error as ServerError {
        throw CommandError(error.description)
      }
      let url = "http://\(StubServer.host(inURLsOf: command.host)):\(server.port)"
      let code: Int32
      if command.command.isEmpty {
        try announce(url)
        end.wait()
        code = 0
      } else {
        code = try runCommand(url, settings)
      }
      server.end()
      recording.end(failed: code != 0)
      report(recording, catalog, url: url, failed: code != 0)
      if code != 0 { throw ExitCode(code) }
    }

    // MARK: What is played and recorded

    /// The scenario as the catalog has it, and as it is played.
    private func scenario(
      in catalog: Catalog
    ) throws -> (known: LoadedScenario?, played: LoadedScenario) {
      let empty = LoadedScenario(emptyNamed: command.scenario)
      let mode = command.mode.mode
      do throws(CatalogError) {
        let known = try catalog.load(command.scenario.rawValue)
        return (known, mode == .all ? empty : known)
      } catch {
        guard error.code == .noSuchScenario, mode != .none else {
          return try (nil, catalog.loadExisting(command.scenario))
        }
        return (nil, empty)
      }
    }

    /// Nil if the mode records nothing.
    private func recorder(_ played: LoadedScenario, _ catalog: Catalog) throws -> RunRecorder? {
      let mode = command.mode.mode
      guard mode != .none, mode != .once || played.stubCount == 0 else { return nil }
      do {
        let writer = try DraftWriter.shared(forCatalog: catalog.url.path)
        return RunRecorder(
          command.scenario, mode: mode, catalog: catalog.url.path, writer: writer)
      } catch {
        throw CommandError(
          "nothing can be recorded, because the rules of redaction beside the catalog cannot be used: \(error)"
        )
      }
    }

    private func settings(for known: LoadedScenario?) throws -> ServerRecording.Settings {
      var settings = ServerRecording.Settings(
        target: try command.reverse.map(Self.target),
        hosts: RecordedHosts(
          try patterns, origins: known?.origins ?? [], includesAll: command.allHosts))
      guard settings.target != nil || !settings.hosts.isEmpty else {
        throw UsageError(
          "It is not known which hosts to look into, because no stub of \"\(command.scenario)\" names "
            + "one. Name them with --record-host api.shop.test, or use --all-hosts.")
      }
      settings.recordsErrors = command.recordErrors
      settings.mirrorsFaults = command.mirrorFaults
      return settings
    }

    private static func target(_ text: String) throws -> Origin {
      guard let origin = Origin(text), ["http", "https"].contains(origin.scheme),
        !URLParts.hasEmptyPort(text)
      else {
        throw UsageError(
          "--reverse \(TerminalText.quoted(text)) is not an origin. Write https://api.shop.test, "
            + "without a path.")
      }
      return origin
    }

    private var patterns: [HostPattern] {
      get throws {
        try command.recordHost.map { text in
          guard let pattern = HostPattern(text) else {
            throw UsageError(
              "--record-host \(TerminalText.quoted(text)) is not a host. Write api.shop.test, "
                + "*.shop.test or localhost:8000.")
          }
          return pattern
        }
      }
    }

    private func options(
      _ settings: ServerRecording.Settings, _ recording: ServerRecording
    ) throws -> ServerOptions {
      var options = ServerOptions()
      options.recording = recording
      options.admin = nil
      options.allowsOtherOrigins = false
      options.reloadInterval = nil
      options.isProxy = settings.target == nil
      options.passesUnmatchedOn = recording.isActive
      options.largestBody = command.maxBody.byteCount
      options.largestContentAtOnce = max(
        options.largestContentAtOnce, command.maxBody.byteCount + (1 << 20))
      options.forwarding.allowsPassthrough = true
      options.forwarding.allowsPrivateUpstreams = command.allowPrivateUpstream
      options.forwarding.namedUpstreams =
        try patterns + settings.hosts.onThisMachine
        + [settings.target.map(HostPattern.init)].compactMap(\.self)
      try options.forwarding.trust(
        environment: environment, file: command.caFile.map { CatalogLocator().resolve($0) })
      if options.isProxy {
        options.certificates = try ServerCertificates(from: AuthorityJob().loadOrCreate())
      }
      return options
    }

    // MARK: The command

    private func announce(_ url: String) throws {
      try Console.line("Listening on \(url)")
      if let target = command.reverse {
        Console.note("It stands for \(target). To end: Ctrl-C")
      } else {
        Console.note(
          "Clients have to trust its certificates, which \(FollowUp.program) ca show explains. "
            + "To end: Ctrl-C")
      }
    }

    /// Runs the command, and returns its exit code.
    private func runCommand(_ url: String, _ settings: ServerRecording.Settings) throws -> Int32 {
      if settings.target != nil {
        return try ChildProcess(
          command.command, environment.merging(["STUBDB_URL": url]) { $1 }
        ).run()
      }
      let bundle = try CertificateBundle(AuthorityJob().loadOrCreate(), environment)
      defer { bundle.remove() }
      let variables = ProxyEnvironment.variables(
        proxy: url, bundle: bundle, recordsThisMachine: settings.hosts.includesThisMachine)
      return try ChildProcess(command.command, environment.merging(variables) { $1 }).run()
    }

    // MARK: The end

    private func report(
      _ recording: ServerRecording, _ catalog: Catalog, url: String, failed: Bool
    ) {
      for problem in recording.outcome.problems { Console.note(TerminalText.line(problem)) }
      for reason in ServerRecording.Unrecorded.allCases {
        let hosts = recording.unrecorded(reason)
        if !hosts.isEmpty { Console.note(Self.text(reason, hosts)) }
      }
      let count = recording.outcome.count
      guard count > 0 else { return Console.note(nothingRecorded(recording, url)) }
      let folder = CatalogLocator.display(
        URL(fileURLWithPath: DraftWriter.folder(ofCatalog: catalog.url.path)))
      Console.note("Recorded \(Plural.of(count, "request")) into \(folder).")
      let review = FollowUp.command(["review"] + (failed ? ["--failed"] : []), catalog: catalog.url)
      Console.note(
        "To see and accept \(count == 1 ? "it" : "them")"
          + (failed ? ", although the command failed" : "") + ": \(review)")
    }

    /// Says why nothing was recorded, as far as that is known.
    private func nothingRecorded(_ recording: ServerRecording, _ url: String) -> String {
      guard recording.isActive else {
        return "Nothing was recorded, because the mode is \(command.mode.mode.name)."
      }
      guard recording.requestCount == 0 else {
        return recording.outcome.problems.isEmpty
          && ServerRecording.Unrecorded.allCases.allSatisfy { recording.unrecorded($0).isEmpty }
          ? "Nothing was recorded, because stubs answered all \(Plural.of(recording.requestCount, "request"))."
          : "Nothing was recorded."
      }
      let client = command.command.isEmpty ? "Clients have" : "The command has"
      return "Nothing was recorded, because no request came. "
        + (command.reverse.map {
          "\(client) to call \(url)" + (command.command.isEmpty ? "" : ", its $STUBDB_URL,")
            + " in place of \(TerminalText.line($0))."
        } ?? "\(client) to use \(url) as the proxy"
          + (command.command.isEmpty ? "." : ", which is in its $http_proxy and $https_proxy."))
    }

    private static func text(_ reason: ServerRecording.Unrecorded, _ hosts: [String]) -> String {
      let names = hosts.map(TerminalText.line).joined(separator: ", ")
      return switch reason {
      case .notChosen: "Passed on unread: \(names). To record a host: --record-host HOST"
      case .pinned:
        "Not recorded, because the client does not accept the certificate: \(names). From the next "
          + "connection on it goes through unread. How clients trust it: \(FollowUp.program) ca show"
      case .webSocket: "Passed on unread: WebSockets of \(names)"
      }
    }
  }
#endif
