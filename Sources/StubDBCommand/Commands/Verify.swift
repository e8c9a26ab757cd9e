import ArgumentParser
import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBDocuments
import StubDBDrift
import StubDBEditing
import StubDBFormats
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBPublishing
import StubDBSecrets
import StubDBSupport
import StubDBTransfer

extension RootCommand {
  struct Verify: CatalogCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Ask the real server whether it still answers as stubs do.",
      discussion: """
        Sends the requests of the scenarios to a server and compares the answers with those of the \
        stubs by their shape: status, media type, members, types and some header fields, but no \
        values. No live value is printed, or written without --update. A name that ends in / means every \
        scenario below it, and no name for the whole catalog; what scenarios include is asked, too. \
        Without --against each stub is compared with the server that it names.

        A stub is asked if its pattern describes exactly one request. Others are skipped, each with the reason. \
        Only GET, HEAD, OPTIONS and GraphQL queries are sent, two at a time. Credentials are never \
        sent from a catalog: give them with --header, or as lines of $STUBDB_VERIFY_HEADERS, and \
        name the server that gets them. Stubs for requests without such a field are asked without it.

        Each difference has an id and a level. --accept adds the differences to \
        .stubdb-verify.json beside the catalog, with the reason; check that file in. --update writes \
        the answers that differ, without secrets, into the draft that 'stubdb review' shows and takes \
        into the catalog.

        Exits with 0 if the shapes are the same, with 2 if a difference is an error (with --strict \
        also for warnings), and with 1 if a request got no answer.

        Examples:
          stubdb verify --live
          stubdb verify --live session/signed-in --against https://api.shop.test
          stubdb verify --live catalog/ --against https://test.shop.test/v2 --param id=7
          stubdb verify --live session/signed-in --against https://api.shop.test \\
            --header 'Authorization: Bearer TOKEN' --json
        """)

    @Argument(
      help: "The scenarios; checkout/ is every one below it, and without a name all are asked.",
      completion: .scenarioNames, transform: ScenarioSelection.init(argument:))
    var scenarios: [ScenarioSelection] = []

    @Flag(help: "Send requests over the network; without it nothing is done.")
    var live = false

    @Option(
      help: ArgumentHelp(
        "The server, such as https://api.shop.test; its path is put before each path (default: the host of "
          + "each stub).", valueName: "url"))
    var against: String?

    @Option(
      help: ArgumentHelp(
        "Ask only what is of this host of the scenarios; with --against, the one that the server is.",
        valueName: "url"))
    var origin: String?

    @Option(
      name: .customLong("param"),
      help: ArgumentHelp(
        "A value for {name} in paths, for a query parameter, or for a place in content; repeatable.",
        valueName: "name=value"),
      transform: VariableArgument.init)
    var parameters: [VariableArgument] = []

    @Option(
      help: ArgumentHelp(
        "The methods that are sent, such as GET,POST, or all; what may change something is listed first.",
        valueName: "list"))
    var methods: String?

    @Option(
      name: [.customLong("header"), .customShort("H")],
      help: ArgumentHelp(
        "A header field of all requests, in place of that of the stubs; repeatable.",
        valueName: "name: value"))
    var header: [String] = []

    @Option(
      help: ArgumentHelp(
        "Also compare whether these header fields are there, such as X-Total-Count.",
        valueName: "names"))
    var headers: String?

    @Option(
      help: ArgumentHelp(
        "The least time between the beginnings of two requests, such as 500ms.",
        valueName: "duration"))
    var delay: LiveDelay?

    @Option(
      help: ArgumentHelp(
        "How long an answer may take, such as 2m (default: 30s).", valueName: "duration"))
    var timeout: LiveDelay?

    @Option(
      help: ArgumentHelp(
        "Add the differences, except notes, to the exceptions.", valueName: "reason")
    )
    var accept: String?

    @Flag(help: "Write the answers that differ into the draft beside the catalog, without secrets.")
    var update = false

    @Option(
      name: .customLong("exceptions"),
      help: ArgumentHelp(
        "The file of exceptions (default: .stubdb-verify.json beside the catalog).",
        valueName: "path"),
      completion: .file(extensions: ["json"]))
    var exceptionsPath: String?

    @Flag(help: "Exit with 2 for warnings, too; a null that the stub never has is an error.")
    var strict = false

    @Flag(help: "Report another status of the same class as a warning.")
    var lenient = false

    @Flag(help: "Report a member that the stub never has as an error.")
    var closed = false

    @Flag(help: "Show the live values of some differences, without secrets.")
    var showValues = false

    @Flag(help: "Print an object of {differences, inconclusive, skipped}.")
    var json = false

    @OptionGroup var output: FindingOptions

    @OptionGroup var catalog: CatalogOptions

    func checkUsage() throws {
      try output.checkUsage(json: json)
      if !live {
        throw ValidationError("verify asks a server over the network; say so with --live.")
      }
      if let against { try Self.requireServer(against) }
      if let accept, !accept.contains(where: { !$0.isWhitespace }) {
        throw ValidationError("Give the reason: --accept 'REASON'.")
      }
      if accept != nil && update {
        throw ValidationError("--accept and --update exclude each other.")
      }
    }

    private static func requireServer(_ text: String) throws {
      let parts = URLParts(text)
      guard ["http", "https"].contains(parts?.scheme), parts?.host?.isEmpty == false,
        parts?.query == [], parts?.userInformation == nil
      else {
        throw ValidationError(
          "--against takes a URL such as https://api.shop.test, not \(TerminalText.quoted(text)).")
      }
      guard !URLParts.hasEmptyPort(text) else {
        throw ValidationError(
          "--against \(TerminalText.quoted(text)) has a colon and no port after it.")
      }
    }

    func run() throws {
      // The draft, and exceptions without a given path, go beside the catalog.
      let isWriting = update || accept != nil && exceptionsPath == nil
      let catalog = try output.opening(self.catalog, for: "verify") {
        try isWriting ? self.catalog.open() : self.catalog.openForReading()
      }
      let asked = try output.preparing(self.catalog, for: "verify") { try ask(catalog) }
      let (outcome, file) = (asked.outcome, asked.file)
      let view = ShapeReportView(report: outcome.report, showsValues: showValues)
      let isPrinted = try output.print(
        "verify",
        outcome.report.findings(strict: strict, change: view.change)
          + (outcome.hasAskedNothing ? [.failure(Self.nothingAsked)] : []),
        rules: ShapeReport.rules, of: catalog,
        // What the arguments name decides what is a test case.
        among: { name in scenarios.isEmpty || scenarios.contains { $0.selects(name) } })
      if json {
        try Console.write(view.json.text)
      } else {
        if !isPrinted { try Console.write(view.text) }
        view.noteGaps()
      }
      if let draft = asked.draft { try note(draft.finish(), in: catalog) }
      if !json { note(outcome, view.counts, excepted: asked.exceptedCount, file) }
      try exit(after: outcome)
    }

    /// Sends the requests and compares the answers; differences with an exception are left out, and counted.
    private func ask(
      _ catalog: Catalog
    ) throws -> (
      outcome: LiveVerification.Outcome, exceptedCount: Int, file: DriftFile, draft: LiveUpdate?
    ) {
      var file = try DriftFile(given: exceptionsPath, beside: catalog.url)
      let verification = try verification(of: catalog)
      try confirm(verification.risky)
      let draft = update ? try LiveUpdate(catalog) : nil
      var outcome = try verification.run(
        delay: delay?.milliseconds, timeout: timeout?.milliseconds, besides: file,
        { work, once, take in
          let progress = ProgressLine("Asking")
          defer { progress.end() }
          try FetchProgram().ask(
            work, once: once, progress: { progress.show($0, of: $1, "request") }, take)
        },
        take: { draft?.take($0, to: $1, differs: $2) })
      let all = outcome.report.differences
      if let accept { try file.accept(all, because: accept) }
      outcome.report.differences = all.filter { !file.accepts($0.place) }
      return (outcome, all.count - outcome.report.differences.count, file, draft)
    }

    private func verification(of catalog: Catalog) throws -> LiveVerification {
      let selections = scenarios.isEmpty ? [.below("")] : scenarios
      let selected = try catalog.selected(selections, for: "verify")
      let options = try liveOptions()
      return LiveVerification(of: selected, in: catalog, options: options, rules: rules)
    }

    /// Says which requests may change something, and asks on a terminal.
    private func confirm(_ risky: [LivePlan.Question]) throws {
      guard !risky.isEmpty else { return }
      Console.note(
        "\(Style.notes.yellow("Warning:")) these requests may change what the server keeps:")
      for question in risky {
        // The query may have secrets.
        let url = String(question.request.url.prefix { $0 != "?" })
        Console.note("  \(question.request.method) \(TerminalText.line(url))")
      }
      guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return }
      if !Console.confirm("Send them?") { throw CommandError("nothing was sent") }
    }

    private func note(
      _ outcome: LiveVerification.Outcome, _ counts: String, excepted: Int, _ file: DriftFile
    ) {
      let (report, asked, failures) = (outcome.report, outcome.asked, outcome.failures)
      var parts: [String] = []
      if asked > 0 { parts.append("\(Plural.of(asked, "request")): \(counts)") }
      if asked + failures == 0 { parts.append("Nothing was asked") }
      if failures > 0 { parts.append("\(Plural.of(failures, "request")) got no answer") }
      if excepted > 0 { parts.append("\(excepted) excepted in \(file.name)") }
      if !report.inconclusive.isEmpty { parts.append("\(report.inconclusive.count) inconclusive") }
      let skipped = report.skipped.count - report.failed
      if skipped > 0 { parts.append("\(skipped) skipped") }
      Console.note(parts.joined(separator: "; ") + ".")
    }

    private func note(_ written: LiveUpdate.Written, in catalog: Catalog) throws {
      let name = TerminalText.path(written.folder)
      for kept in written.kept {
        Console.note(
          "Not written: \(kept.scenario) \(TerminalText.line(kept.key.rawValue)), whose seed stays: "
            + "\(TerminalText.line(kept.reason)).")
      }
      if written.count == 0 {
        Console.note("Nothing was written into \(name).")
      } else {
        Console.note("Wrote \(Plural.of(written.count, "answer")) into \(name).")
        Console.note(
          "To see and accept \(written.count == 1 ? "it" : "them"): "
            + FollowUp.command("review", in: catalog))
      }
      guard written.problems.isEmpty else {
        throw CommandError(
          "not every answer that differs is in \(name)",
          hints: written.problems.map(TerminalText.line))
      }
    }

    private func exit(after outcome: LiveVerification.Outcome) throws {
      let failing: ShapeDifference.Level = strict ? .warning : .error
      if outcome.report.differences.contains(where: { $0.difference.level >= failing }) {
        throw ExitCode(2)
      }
      if outcome.failures > 0 { throw ExitCode(1) }
      if outcome.hasAskedNothing { throw CommandError(Self.nothingAsked) }
    }

    private static let nothingAsked = "no stub gives a request that could be sent"

    private var rules: ShapeRules {
      var rules = ShapeRules()
      (rules.isStrict, rules.isLenient, rules.isClosed) = (strict, lenient, closed)
      rules.headers = Set(Self.words(headers ?? "").map { $0.lowercased() })
      return rules
    }

    /// - Throws: ``UsageError`` for a text that is no header field.
    private func liveOptions() throws -> LiveOptions {
      var options = LiveOptions(server: against)
      options.origin = origin
      options.parameters = Dictionary(parameters.map { ($0.name, $0.value) }) { _, last in last }
      let lines = ProcessInfo.processInfo.environment["STUBDB_VERIFY_HEADERS"] ?? ""
      for text in lines.split(whereSeparator: \.endsLine).map(String.init) + header {
        options.headers.append(try Self.field(text))
      }
      guard options.headers.isEmpty || against != nil || origin != nil else {
        throw UsageError(
          "Say with --against or --origin which server gets the header fields, so that no other host of the "
            + "catalog does.")
      }
      if let methods {
        let names = Set(Self.words(methods).map { $0.uppercased() })
        options.allowsMethod = { method, _ in names.contains("ALL") || names.contains(method) }
      }
      return options
    }

    private static func words(_ text: String) -> [String] {
      text.split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    private static func field(_ text: String) throws -> HTTPField {
      let parts = text.cut(at: ":")
      let value = parts?.after.trimmingCharacters(in: .whitespaces) ?? ""
      guard let parts, let name = HTTPField.Name(String(parts.before)),
        HTTPField.isValidValue(value)
      else {
        // The text may be a secret.
        throw UsageError("A header field is written as NAME: VALUE.")
      }
      return HTTPField(name: name, value: value)
    }
  }
}

/// A duration such as `500ms`.
struct LiveDelay: ExpressibleByArgument {
  let duration: Duration

  var milliseconds: Int { Int(duration / .milliseconds(1)) }

  init?(argument: String) {
    guard let duration = DurationText.parse(argument), duration <= DurationText.maximum else {
      return nil
    }
    self.duration = duration
  }
}

extension LiveVerification.Outcome {
  /// Whether no request was sent.
  fileprivate var hasAskedNothing: Bool { asked + failures == 0 }
}

extension DriftFile {
  /// The file at a path, which then has to be there, or else the one beside the catalog.
  init(given path: String?, beside catalog: URL) throws {
    let url = path.map { CatalogLocator().resolve($0) } ?? Self.url(beside: catalog)
    if let path, !FileManager.default.fileExists(atPath: url.path) {
      throw CommandError("there is no file \(TerminalText.quoted(path))")
    }
    try self.init(at: url, named: TerminalText.path(url))
  }

  /// Adds exceptions for differences, except notes.
  fileprivate mutating func accept(_ found: [ShapeReport.Found], because reason: String) throws {
    let places = found.filter { $0.difference.level > .note }.map(\.place)
    let count = try accept(places, reason: reason)
    Console.note(
      count == 0
        ? "There was nothing to add."
        : "Added \(Plural.of(count, "exception")) to \(name); check that file in.")
  }
}
