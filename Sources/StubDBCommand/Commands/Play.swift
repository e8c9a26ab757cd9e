import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBDocuments
import StubDBEditing
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBPlayback
import StubDBPublishing
import StubDBServing
import StubDBSupport
import StubDBTransfer

extension RootCommand {
  struct Play: CatalogCommand {
    static let configuration = CommandConfiguration(
      commandName: "play",
      abstract: "Send requests through a scenario, one after another.",
      discussion: """
        All requests belong to one run, as those of a test do: sequences advance, flows change \
        their state, and captured values are kept. Delays are skipped, unless --pace says otherwise. Nothing goes over the network \
        and nothing is written. Exits with 2 if a request matches no stub.

        The file has the format of JetBrains' HTTP client and VS Code's REST Client: requests \
        between lines of ###, names after ### or # @name, variables @host = …, and \
        placeholders {{host}}, {{login.response.body.$.token}}, {{$uuid}}. Scripts are ignored.

        --journal takes the requests from what a failed test has attached, the scenario, its overlays, its seed and \
        its day too, and says how today's answers differ from those of the test.

        Examples:
          stubdb play checkout/card-declined checkout.http
          stubdb play checkout/card-declined checkout.http \\
            --variable host=https://api.shop.test
          stubdb play --journal out/stubdb-journal.jsonl
        """)

    @Argument(
      help: "The scenario; with --journal, that of the test if it is not given.",
      completion: .scenarioNames, transform: ScenarioName.argument)
    var scenario: ScenarioName?

    @Argument(
      help: "The .http file; - for standard input.",
      completion: .file(extensions: ["http", "rest"]))
    var file: String?

    @Option(
      help: ArgumentHelp(
        "The journal of a failed test, in place of an .http file; - for standard input.",
        valueName: "file"),
      completion: .file(extensions: ["jsonl"]))
    var journal: String?

    @Option(
      help: ArgumentHelp("A value for {{name}}; repeatable.", valueName: "name=value"),
      transform: VariableArgument.init)
    var variable: [VariableArgument] = []

    @Flag(help: "Read files that the .http file names outside its own folder.")
    var allowOutside = false

    @Flag(help: "Also exit with 2 if the run as a whole is not what the scenario requires.")
    var verify = false

    @Flag(help: "Print an array of {name, method, url} with what match --json prints for each.")
    var json = false

    @Flag(
      help: ArgumentHelp(
        "Show passwords, tokens and cookies in URLs and near misses, not only their length.",
        discussion: "As $STUBDB_SHOW_SECRETS=1 does, in tests too."))
    var showSecrets = false

    @Option(
      help: ArgumentHelp(
        "How long delays take: instant, real, or a factor such as 0.1 (default: instant).",
        valueName: "pace"),
      transform: Pace.argument)
    var pace: Pace?

    @OptionGroup var overlays: OverlayOptions

    @OptionGroup var catalog: CatalogOptions

    func run() throws {
      try SecretDisplay.$isShown.withValue(showSecrets || SecretDisplay.isShown, operation: play)
    }

    func validate() throws {
      if journal != nil {
        guard file == nil, variable.isEmpty else {
          throw ValidationError("--journal takes the place of the .http file and its variables.")
        }
      } else if scenario == nil {
        throw ValidationError("Missing expected argument '<scenario>'")
      } else if file == nil {
        throw ValidationError("Missing expected argument '<file>'")
      }
    }

    private func play() throws {
      if let journal { return try playJournal(journal) }
      guard let scenario, let file else { return }
      try checkOrder(scenario, file)
      let source = try readFile(file)
      for name in source.unused(variable.map(\.name)) {
        Console.note("\(file) has no {{\(TerminalText.line(name))}}.")
      }
      let catalog = try catalog.openForReading()
      let options = try options(for: catalog)
      let player = Player(
        try catalog.loadExisting(scenario, overlays: overlays.overlay), options: options)
      let folder = folder(of: file)
      var requests = HTTPFilePlayer(
        player,
        values: HTTPFileValues(
          source, given: variable.map { ($0.name, $0.value) }, seed: options.seed)
      ) { try DocumentSource.bytes(of: $0, from: folder, allowsOutside: allowOutside) }
      var results: [HTTPFilePlayer.Result] = []
      for request in source.requests {
        let result: HTTPFilePlayer.Result
        do {
          result = try requests.play(request)
        } catch let error as HTTPFileError {
          throw CommandError("\(file):\(error.line): \(error.message)")
        } catch let error as PlayedAnswer.Failure {
          throw CommandError(error.message)
        }
        results.append(result)
        if !json { try show(result, number: results.count, player.run) }
      }
      if json { try Console.write(OrderedJSON.array(results.map(\.json)).text) }
      try finish(player, isAnswered: results.allSatisfy(\.answer.event.isMatched))
    }

    /// Refuses the two arguments in the other order, of which the scenario would only be missing.
    private func checkOrder(_ scenario: ScenarioName, _ file: String) throws {
      let endings = [".http", ".rest"]
      guard endings.contains(where: scenario.rawValue.hasSuffix),
        !endings.contains(where: file.hasSuffix), file != "-",
        ScenarioName.reasonAgainst(file) == nil,
        !FileManager.default.fileExists(atPath: CatalogLocator().resolve(file).path)
      else { return }
      throw UsageError(
        "The scenario comes before the file: "
          + FollowUp.command("play", on: [file, scenario.rawValue]))
    }

    func options(for catalog: Catalog) throws -> PlaybackOptions {
      var options = try overlays.playback(pace: pace ?? .instant, of: catalog)
      options.allowsPassthrough = true
      return options
    }

    func read(_ file: String) throws -> Data {
      file == "-"
        ? try DocumentSource.standardInput()
        : try DocumentSource.data(at: CatalogLocator().resolve(file), named: file)
    }

    private func readFile(_ file: String) throws -> HTTPFile {
      let data = try read(file)
      guard let text = String(strictUTF8: data) else {
        throw CommandError("\(file) is not UTF-8 text")
      }
      let source: HTTPFile
      do {
        source = try HTTPFile(parsing: text)
      } catch {
        throw CommandError("\(file):\(error.line): \(error.message)")
      }
      for omission in source.omissions {
        Console.note("\(file):\(omission.line): \(omission.what) is left out.")
      }
      if source.requests.isEmpty { throw CommandError("\(file) contains no requests") }
      return source
    }

    private func folder(of file: String) -> URL {
      let locator = CatalogLocator()
      return file == "-"
        ? locator.currentFolder : locator.resolve(file).deletingLastPathComponent()
    }

    /// Reports what is not as the scenario requires, and exits with 2 if that was requested.
    func finish(_ player: Player, isAnswered: Bool) throws {
      var isRight = isAnswered
      for problem in player.problems() {
        if problem.kind == .failedTemplate {
          Console.note(problem.message)
        } else if verify, problem.kind != .unmatchedRequest {
          Console.note(problem.message)
          isRight = false
        }
      }
      if !isRight { throw ExitCode(2) }
    }

    private func show(
      _ result: HTTPFilePlayer.Result, number: Int, _ run: ScenarioRun
    ) throws {
      let style = Style.output
      let name = result.source.name.map { "\(TerminalText.line($0)): " } ?? ""
      if number > 1 { try Console.line("") }
      try Console.line(
        style.bold(
          "\(number). \(name)\(result.request.method) "
            + TerminalText.line(SecretDisplay.text(result.request.url)))
      )
      guard let response = result.answer.response else {
        return try Self.show(FollowUp.report(on: result.answer.event, of: run))
      }
      let view = ResponseView(response: response)
      try Console.line(
        "   \(style.green(view.headline))  \(style.dim("(\(place(result.answer.event)))"))")
      for line in view.details { try Console.line(Excerpt.line("   \(line)")) }
    }

    static func show(_ report: UnmatchedReport) throws {
      let text = TerminalText.lines(report.text)
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        try Console.line(line.isEmpty ? "" : "   \(line)")
      }
    }

    /// A text such as `charge, response 2` or `me of session/signed-in`.
    private func place(_ event: ServeEvent) -> String {
      let key = TerminalText.line(SecretDisplay.text(event.stubKey ?? ""))
      let origin = event.scenario.map { $0 == scenario ? "" : " of \($0)" } ?? ""
      let index = event.responseIndex ?? 0
      return "\(key)\(origin)" + (index > 0 ? ", response \(index + 1)" : "")
    }
  }
}

/// A variable as an argument: `name=value`.
struct VariableArgument {
  let name: String
  let value: String

  /// Parses an argument.
  ///
  /// - Throws: ``ArgumentError`` if the equals sign or the name is missing.
  init(_ argument: String) throws {
    guard let (before, after) = argument.cut(at: "="), !before.isEmpty else {
      throw ArgumentError("write it as name=value")
    }
    (name, value) = (String(before), String(after))
  }
}
