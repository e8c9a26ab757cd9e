#if TLS
  import ArgumentParser
  import Foundation
  import StubDBCatalog
  import StubDBDocuments
  import StubDBEditing
  import StubDBEngine
  import StubDBJobs
  import StubDBModel
  import StubDBPlayback
  import StubDBPublishing
  import StubDBRecording
  import StubDBServer
  import StubDBServing
  import StubDBSupport

  /// Records as a proxy until the process is asked to end, or until the command that it runs has ended.
  struct RecordingServer {
    private let command: RootCommand.Record
    private let environment: [String: String]

    init(_ command: RootCommand.Record, _ environment: [String: String]) {
      (self.command, self.environment) = (command, environment)
    }

    func run() throws {
      let catalog = try command.catalog.open()
      let plan = try plan(catalog)
      let recording = ServerRecording(plan.settings, recorder: plan.recorder) {
        Console.note(Self.text($0, [$1]))
      }
      // A client that goes away is an error of the write.
      signal(SIGPIPE, SIG_IGN)
      StubServer.raiseFileLimit()
      let end = EndOfProcess()
      let server = try StubServer(
        plan.played, catalog: catalog,
        at: .init(
          host: command.host, port: command.port ?? (command.command.isEmpty ? 8_080 : 0)),
        origins: plan.origins, options: try options(plan, recording),
        observer: .init(note: { Console.note($0) }))
      let url = "http://\(StubServer.host(inURLsOf: command.host)):\(server.port)"
      let code: Int32
      if command.command.isEmpty {
        try announce(url)
        end.wait()
        code = 0
      } else {
        code = try runCommand(url, plan.settings)
      }
      server.end()
      recording.end(failed: code != 0)
      report(recording, catalog, url: url, failed: code != 0)
      if code != 0 { throw ExitCode(code) }
    }

    // MARK: What is played and recorded

    private func plan(_ catalog: Catalog) throws -> RecordingPlan {
      var choices = RecordingPlan.Choices()
      choices.mode = command.mode.mode
      choices.target = try command.reverse.map(Self.target)
      choices.hosts = try patterns
      choices.includesAllHosts = command.allHosts
      do {
        return try RecordingPlan(command.scenario, in: catalog, choices) { settings in
          settings.recordsErrors = command.recordErrors
          settings.mirrorsFaults = command.mirrorFaults
        }
      } catch RecordingPlan.Problem.noHosts {
        throw UsageError(
          "It is not known which hosts to look into, because no stub of \"\(command.scenario)\" names "
            + "one. Name them with --record-host api.shop.test, or use --all-hosts.")
      } catch RecordingPlan.Problem.unusableRules(let error) {
        throw CommandError(
          "nothing can be recorded, because the rules of redaction beside the catalog cannot be used: \(error)"
        )
      } catch let error as CatalogError where error.code == .noSuchScenario {
        // The nearest name is in this error.
        _ = try catalog.loadExisting(command.scenario)
        throw error
      }
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
      _ plan: RecordingPlan, _ recording: ServerRecording
    ) throws -> ServerOptions {
      var options = plan.options(
        recording, largestBody: command.maxBody,
        allowsPrivateUpstreams: command.allowPrivateUpstream)
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
        Console.note("It answers in place of \(target). To end: Ctrl-C")
      } else {
        Console.note(
          "Clients have to trust its certificates, which \(FollowUp.program) ca show explains. "
            + "To end: Ctrl-C")
      }
    }

    /// Runs the command, and returns its exit code.
    private func runCommand(_ url: String, _ settings: ServerRecording.Settings) throws -> Int32 {
      if settings.target != nil {
        return try Program(
          command.command, environment: environment.merging(["STUBDB_URL": url]) { $1 }
        ).runOnTerminal()
      }
      let bundle = try CertificateBundle(AuthorityJob().loadOrCreate(), environment)
      defer { bundle.remove() }
      let variables = ProxyEnvironment.variables(
        proxy: url, bundle: bundle, recordsThisMachine: settings.hosts.includesThisMachine)
      return try Program(
        command.command, environment: environment.merging(variables) { $1 }
      ).runOnTerminal()
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
      let folder = TerminalText.path(
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
