import ArgumentParser
import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBDocuments
import StubDBEditing
import StubDBEngine
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBPlayback
import StubDBServing

extension RootCommand {
  struct Match: CatalogCommand {
    static let configuration = CommandConfiguration(
      commandName: "match",
      abstract: "Show which stub answers a request, and its response, or the nearest stubs.",
      discussion: """
        Asks a fresh run of the scenario, including the scenarios it includes, as a test would. \
        Nothing goes over the network and nothing is written. Exits with 2 if nothing matches.

        A path alone means a URL of the only origin that the stubs name; if they name several, \
        or none, for one of any origin. stubdb serve takes paths the same way.

        Examples:
          stubdb match checkout/paid GET https://api.shop.test/v1/me
          stubdb match checkout/paid GET /v1/me
          stubdb match checkout/paid POST https://api.shop.test/v1/charges \\
            --header 'Content-Type: application/json' --data '{"amount": 1200}'
          stubdb match checkout/paid PUT https://api.shop.test/v1/me --data @me.json
          stubdb match session/signed-in GET https://api.shop.test/v1/me \\
            --overlay checkout/paid
        """)

    @Argument(
      help: "The scenario.", completion: .scenarioNames, transform: ScenarioName.argument)
    var scenario: ScenarioName

    @Argument(help: "The method, such as GET; left out with -X.")
    var method: String

    @Argument(help: "The URL, or a path of the origin that the stubs name.")
    var url: String?

    @Option(
      name: [.customShort("X"), .customLong("method")],
      help: ArgumentHelp("The method, as in curl.", valueName: "method"))
    var curlMethod: String?

    @Option(
      name: [.customShort("H", allowingJoined: true), .customLong("header")],
      help: ArgumentHelp("A header field of the request; repeatable.", valueName: "name:value"),
      transform: HeaderArgument.init)
    var headers: [HeaderArgument] = []

    @Option(
      name: [.customShort("d", allowingJoined: true), .customLong("data")], parsing: .unconditional,
      help: ArgumentHelp(
        "The request's body; @PATH reads a file, @- standard input.", valueName: "text|@path"))
    var data: String?

    @Flag(help: "Print {matched, scenario, key, response}, or {matched, nearMisses}.")
    var json = false

    @Flag(
      help: ArgumentHelp(
        "Show passwords, tokens and cookies in near misses, not only their length.",
        discussion: "As $STUBDB_SHOW_SECRETS=1 does, in tests too."))
    var showSecrets = false

    @OptionGroup var overlays: OverlayOptions

    @OptionGroup var catalog: CatalogOptions

    /// The method and the URL or path; with `-X` the latter is the first word.
    private var line: (method: String, target: String)? {
      switch (curlMethod, url) {
      case (nil, let url?): (method, url)
      case (let given?, nil): (given, method)
      default: nil
      }
    }

    func checkUsage() throws {
      guard let (method, target) = line else {
        throw ValidationError(
          curlMethod == nil
            ? "Give a method and a URL, such as GET https://api.shop.test/v1/me."
            : "Give the method once: as a word before the URL, or with -X.")
      }
      let parts = URLParts(target)
      guard LoadedScenario.isPath(target) || (parts?.scheme != nil && parts?.host != nil) else {
        let shown = showSecrets ? target : SecretDisplay.text(target)
        throw ValidationError(
          "\(TerminalText.quoted(shown)) is neither a URL, such as https://api.shop.test/v1/me, nor a "
            + "path, such as /v1/me.")
      }
      if HTTPRequest.Method(method) == nil {
        throw ValidationError("\(TerminalText.quoted(method)) is not a method, such as GET.")
      }
      if headers.count > StubRequest.maximumHeaderCount {
        throw ValidationError(
          "A request has at most \(StubRequest.maximumHeaderCount) header fields.")
      }
    }

    func run() throws {
      try SecretDisplay.$isShown.withValue(showSecrets || SecretDisplay.isShown, operation: ask)
    }

    private func options(for catalog: Catalog) throws -> PlaybackOptions {
      var options = try overlays.playback(pace: .instant, of: catalog)
      options.allowsPassthrough = true
      return options
    }

    private func ask() throws {
      let catalog = try catalog.openForReading()
      let loaded = try catalog.loadExisting(scenario, overlays: overlays.overlay)
      let player = Player(loaded, options: try options(for: catalog))
      let answer = try PlayedAnswer(of: player, to: try request(to: loaded))
      guard let response = answer.response else {
        try printUnmatched(answer, player.run)
        throw ExitCode(2)
      }
      try printAnswer(answer, response, of: player.run, in: catalog)
      for problem in player.problems() where problem.kind == .failedTemplate {
        Console.note(problem.message)
      }
    }

    private func request(to scenario: LoadedScenario) throws -> StubRequest {
      var fields = HTTPFields()
      for header in headers { fields.append(HTTPField(name: header.name, value: header.value)) }
      let body = try data.map(DataArgument.bytes) ?? Data()
      let (method, target) = line ?? (method, url ?? "")
      return StubRequest(
        method: method, url: scenario.url(of: target), headers: fields, body: .bytes(body))
    }

    private func printAnswer(
      _ answer: PlayedAnswer, _ response: StubResponse, of run: ScenarioRun, in catalog: Catalog
    ) throws {
      guard let origin = answer.event.scenario, let key = answer.event.stubKey,
        let stub = run.stub(key, of: origin)
      else { return }
      if json {
        return try Console.write(answer.json.text)
      }
      let style = Style.output
      let place =
        if origin == scenario {
          ""
        } else if overlays.overlay.contains(origin) {
          " of \(origin), which is on top,"
        } else {
          " of \(origin), which \(overlays.overlay.isEmpty ? "\(scenario) includes" : "is included"),"
        }
      let shownKey = SecretDisplay.text(key)
      try Console.line("Stub \(style.bold(TerminalText.line(shownKey)))\(place) answers:")
      let view = ResponseView(response: response)
      try Console.line("  \(style.green(view.headline))")
      for line in view.details { try Console.line(Excerpt.line("  \(line)")) }
      if stub.responses.count > 1 {
        Console.note(
          "This is the first of its \(stub.responses.count) responses; "
            + "\(FollowUp.show(key, of: origin, in: catalog, besides: run.scenario)) shows all.")
      }
    }

    private func printUnmatched(_ answer: PlayedAnswer, _ run: ScenarioRun) throws {
      if json {
        try Console.write(answer.json.text)
      } else {
        var report = FollowUp.report(on: answer.event, of: run)
        report.typedContent = data
        let style = Style.output
        let pieces = report.pieces.map { piece in
          let text = TerminalText.lines(piece.text)
          return switch piece.kind {
          case .plain: text
          case .expected: style.green(text)
          case .actual: style.red(text)
          }
        }
        try Console.line(pieces.joined())
      }
    }
  }
}
